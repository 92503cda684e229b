#include "orchestrator/delegation/tool_needs.h"

#include <algorithm>
#include <set>

#include "agentcore/tools/tool.h"
#include "agentcore/tools/tool_programs.h"
#include "sandbox/profile_json.h"

namespace paddock::orchestrator {
namespace {

bool Lists(const sandbox::ExecRules& exec, const std::string& program) {
  if (exec.mode == sandbox::ExecRules::Mode::kAny) return true;
  return std::any_of(exec.programs.begin(), exec.programs.end(), [&](const std::string& one) { return one == program || one.ends_with("/bin/" + program); });
}

// The program without which the tool can't work there, or "".
std::string Missing(const std::string& tool, const sandbox::Profile& profile) {
  for (const agentcore::ProgramNeed& need : agentcore::ProgramsOf(tool))
    if (!Lists(profile.exec, need.name)) return need.name;
  return "";
}

// Shipped, for cells that see the repository.
std::vector<sandbox::Profile> CellProfiles() {
  std::vector<sandbox::Profile> profiles;
  for (const char* name : {"read-only", "read-only-tools"})
    if (auto profile = sandbox::ShippedProfile(name)) profiles.push_back(*std::move(profile));
  return profiles;
}

}  // namespace

std::vector<std::string> AllTools() { return agentcore::ReadOnlyTools().Names(); }

std::vector<std::string> ToolsFor(const sandbox::Profile& profile) {
  std::vector<std::string> names = AllTools();
  std::erase_if(names, [&](const std::string& name) { return !Missing(name, profile).empty(); });
  return names;
}

Status ToolsFit(const std::vector<std::string>& tools, const sandbox::Profile& profile) {
  for (const std::string& name : tools)
    if (const std::string missing = Missing(name, profile); !missing.empty())
      return Fail(ErrorKind::kInvalid, "the tool " + name + " starts " + missing + ", which profile " + profile.name + " does not list: it could never work",
                  "profile " + ProfileForTool(name) + " does, or one that extends it; or leave the tool out");
  return {};
}

sandbox::Profile NarrowedTo(const std::vector<std::string>& tools, sandbox::Profile profile) {
  if (profile.exec.mode != sandbox::ExecRules::Mode::kList) return profile;
  std::set<std::string> needed;
  for (const std::string& tool : tools)
    for (const agentcore::ProgramNeed& need : agentcore::ProgramsOf(tool)) needed.insert(need.name);
  std::erase_if(profile.exec.programs, [&](const std::string& one) { return !needed.contains(one.substr(one.rfind('/') + 1)); });
  return profile;
}

std::string ProfileForTool(const std::string& tool) {
  for (const sandbox::Profile& profile : CellProfiles())
    if (Missing(tool, profile).empty()) return profile.name;
  return "read-only-tools";
}

}  // namespace paddock::orchestrator

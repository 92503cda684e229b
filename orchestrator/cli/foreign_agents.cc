#include "orchestrator/cli/foreign_agents.h"

#include <sys/stat.h>

#include <cstdlib>

#include "base/text.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/delegation/tool_needs.h"
#include "orchestrator/session/record.h"
#include "sandbox/profile_paths.h"
#include "subagents/builtin.h"

namespace paddock::orchestrator {
namespace {

using subagents::DefinitionFormat;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  std::string path = value && *value == '/' ? value : "";
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

struct HomeFolder {
  std::string path;
  DefinitionFormat format;
};
std::vector<HomeFolder> AgentFolders() {
  const std::string home = Variable("HOME");
  const auto in = [&](const char* variable, const char* otherwise) {
    const std::string named = *variable ? Variable(variable) : "";
    return !named.empty() ? named : home.empty() ? "" : home + otherwise;
  };
  std::vector<HomeFolder> folders;
  if (const std::string claude = in("CLAUDE_CONFIG_DIR", "/.claude"); !claude.empty()) folders.push_back({claude + "/agents", DefinitionFormat::kClaude});
  if (!home.empty()) folders.push_back({home + "/.gemini/agents", DefinitionFormat::kGemini});
  if (const std::string config = in("XDG_CONFIG_HOME", "/.config"); !config.empty())
    for (const char* name : {"/opencode/agent", "/opencode/agents"}) folders.push_back({config + name, DefinitionFormat::kOpencode});
  if (const std::string codex = in("CODEX_HOME", "/.codex"); !codex.empty()) folders.push_back({codex + "/agents", DefinitionFormat::kCodex});
  return folders;
}

// For people.
std::string WithTilde(const std::string& path) {
  const std::string home = Variable("HOME");
  return PathToText(!home.empty() && path.starts_with(home + "/") ? "~" + path.substr(home.size()) : path);
}

ForeignAgents Carried(const std::vector<subagents::ForeignDefinition>& files, AgentSource source, const std::string& folder) {
  ForeignAgents out;
  const CarryRules rules{AllTools(), source == AgentSource::kHome};
  for (const subagents::ForeignDefinition& file : files) {
    ForeignAgent one;
    one.source = source;
    one.what = CarryOver(file, rules);
    one.file = folder.empty() ? one.what.path : folder + "/" + one.what.path;
    out.agents.push_back(std::move(one));
  }
  return out;
}

void Append(ForeignAgents* to, ForeignAgents more) {
  for (auto& one : more.agents) to->agents.push_back(std::move(one));
  for (auto& one : more.remarks) to->remarks.push_back(std::move(one));
  for (auto& one : more.warnings) to->warnings.push_back(std::move(one));
}

Result<FoundDefinitions> Read(CellSupply* cells, const sandbox::Workspace& workspace, const std::vector<subagents::LookFrame>& places) {
  const CellAccess access = TRY(cells->Get());
  return ReadDefinitions(access, workspace, places);
}

std::string ChangedText(const sandbox::Workspace& workspace) {
  const std::string shown = PathToText(workspace.path);
  return "the agents of this repository changed since you trusted them, and none is used: paddock trust show " + shown + ", and paddock trust add " + shown + " to trust them as they are now";
}

}  // namespace

ForeignAgents HomeAgents(CellSupply* cells, const std::string& repository) {
  ForeignAgents out;
  for (const HomeFolder& folder : AgentFolders()) {
    struct stat info;
    if (stat(folder.path.c_str(), &info) < 0 || !S_ISDIR(info.st_mode)) continue;
    const std::string shown = WithTilde(folder.path);
    if (!repository.empty() && sandbox::LeadsThrough(folder.path, repository)) {
      out.remarks.push_back(shown + " lies in the repository or is reached through it, and is not used");
      continue;
    }
    auto workspace = sandbox::ResolveWorkspace(folder.path, {sandbox::HomeFolders(), ""});
    if (!workspace) {
      out.remarks.push_back(shown + " is not used: " + workspace.error().message);
      continue;
    }
    auto found = Read(cells, *workspace, {{".", folder.format}});
    if (!found) {
      out.remarks.push_back(shown + " is not used: " + found.error().message + (found.error().hint.empty() ? "" : "; " + found.error().hint));
      continue;
    }
    Append(&out, Carried(found->files, AgentSource::kHome, shown));
    for (const std::string& why : found->incomplete) out.remarks.push_back(shown + ": " + why);
  }
  return out;
}

ForeignAgents TrustedAgents(CellSupply* cells, const sandbox::Workspace& workspace) {
  ForeignAgents out;
  auto state = StateFolder();
  if (!state) return out;
  auto trust = LoadTrust(*state, workspace.path);
  if (!trust) {
    out.warnings.push_back("the agents of this repository are not used: " + trust.error().message + (trust.error().hint.empty() ? "" : "; " + trust.error().hint));
    return out;
  }
  if (!*trust) return out;
  auto found = Read(cells, workspace, RepositoryPlaces());
  if (!found) {
    out.warnings.push_back("the agents of this repository are not used: " + found.error().message);
    return out;
  }
  // What is kept is what was hashed then; the same files must lie there now.
  if (!found->incomplete.empty() || DigestOf(found->files) != (*trust)->digest || DigestOf((*trust)->files) != (*trust)->digest) {
    out.warnings.push_back(ChangedText(workspace));
    return out;
  }
  return Carried((*trust)->files, AgentSource::kRepository, "");
}

Result<ForeignAgents> RepositoryAgents(CellSupply* cells, const sandbox::Workspace& workspace) {
  const FoundDefinitions found = TRY(Read(cells, workspace, RepositoryPlaces()));
  ForeignAgents out = Carried(found.files, AgentSource::kRepository, "");
  for (const std::string& why : found.incomplete) out.remarks.push_back("of this repository: " + why);
  if (found.files.empty()) return out;
  auto state = StateFolder();
  auto trust = state ? LoadTrust(*state, workspace.path) : Result<std::optional<Trust>>(std::optional<Trust>());
  if (!trust) out.warnings.push_back(trust.error().message);
  const bool known = trust && *trust;
  const bool same = known && found.incomplete.empty() && DigestOf(found.files) == (*trust)->digest;
  if (known && !same) out.warnings.push_back(ChangedText(workspace));
  if (!same)
    for (ForeignAgent& one : out.agents) one.trusted = false;
  return out;
}

std::map<std::string, std::string> TakenNames() {
  std::map<std::string, std::string> taken;
  for (const std::string& name : subagents::BuiltinDefinitionNames()) taken[name] = "what comes with paddock";
  for (const std::string& name : OwnDefinitionNames()) taken.emplace(name, WithTilde(ConfigFolder() + "/subagents/" + name + ".md"));
  return taken;
}

void SettleNames(std::map<std::string, std::string>* taken, std::vector<ForeignAgent>* agents) {
  for (ForeignAgent& one : *agents) {
    if (!one.what.usable()) continue;
    auto [place, fresh] = taken->emplace(one.what.definition.name, one.file);
    if (!fresh) one.clash = place->second;
  }
}

ForeignAgents UsableAgents(CellSupply* cells, const sandbox::Workspace& workspace, const std::string& repository) {
  ForeignAgents out = HomeAgents(cells, repository);
  Append(&out, TrustedAgents(cells, workspace));
  auto taken = TakenNames();
  SettleNames(&taken, &out.agents);
  return out;
}

Result<std::optional<ForeignAgent>> FindForeignAgent(const std::string& name, const ForeignAgents& agents) {
  for (const ForeignAgent& one : agents.agents)
    if (one.usable() && one.what.definition.name == name) return std::optional<ForeignAgent>(one);
  for (const ForeignAgent& one : agents.agents) {
    if (one.what.definition.name != name || one.what.faults.empty()) continue;
    const subagents::DefinitionFault& fault = one.what.faults.front();
    return Fail(ErrorKind::kInvalid, one.file + ":" + std::to_string(fault.line) + ": " + fault.message, "see paddock subagents lint");
  }
  return std::optional<ForeignAgent>();
}

std::string LossText(const CarriedOver& what) {
  if (what.losses.empty()) return {};
  std::string names;
  for (size_t i = 0; i < what.losses.size() && i < 4; ++i) names += (i ? ", " : "") + what.losses[i].what;
  if (what.losses.size() > 4) names += ", …";
  return std::to_string(what.losses.size()) + " of its wishes " + (what.losses.size() == 1 ? "is" : "are") + " not carried over (" + names + "): paddock subagents lint";
}

}  // namespace paddock::orchestrator

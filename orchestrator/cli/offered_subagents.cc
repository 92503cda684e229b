#include "orchestrator/cli/offered_subagents.h"

#include "orchestrator/cli/config.h"
#include "orchestrator/cli/foreign_agents.h"
#include "orchestrator/delegation/tool_needs.h"
#include "subagents/builtin.h"

namespace paddock::orchestrator {
namespace {

Result<Subagent> One(const std::string& name, const std::string& repository, std::vector<sandbox::ProfileWarning>* warnings, sandbox::Faults* further) {
  Subagent one;
  one.definition = TRY(FindDefinition(name, AllTools()));
  one.profile = TRY(CellProfile(one.definition.profile, repository, warnings, further));
  TRY(ToolsFit(one.definition.tools, one.profile));
  return one;
}

Result<Subagent> Own(const std::string& name, const std::string& repository, std::vector<sandbox::ProfileWarning>* warnings) {
  const size_t longest = kMaxToolName - std::string(kSubagentToolPrefix).size();
  if (name.size() > longest)
    return Fail(ErrorKind::kInvalid, "its name is too long for a tool", "at most " + std::to_string(longest) + " characters; paddock investigate takes it as it is");
  sandbox::Faults unsaid;
  return One(name, repository, warnings, &unsaid);
}

}  // namespace

Result<sandbox::Profile> CellProfile(const std::string& name, const std::string& repository, std::vector<sandbox::ProfileWarning>* warnings, sandbox::Faults* further) {
  sandbox::LoadedProfile loaded = TRY(FindProfile(name, repository, further));
  TRY(sandbox::FitsCell(loaded.profile));
  if (loaded.profile.filesystem.workspace == sandbox::WorkspaceAccess::kNone)
    return Fail(ErrorKind::kInvalid, "profile " + loaded.profile.name + " has no workspace: an agent could see nothing", "choose one such as read-only");
  for (auto& warning : loaded.warnings) warnings->push_back(std::move(warning));
  return std::move(loaded.profile);
}

Result<OfferedSubagents> OfferSubagents(bool language_model, const std::string& repository, sandbox::Faults* further) {
  OfferedSubagents offered;
  for (const std::string& name : subagents::BuiltinDefinitionNames()) offered.subagents.push_back(TRY(One(name, repository, &offered.warnings, further)));
  const auto leave_out = [&](const std::string& name, const std::string& why) { offered.remarks.push_back("subagent " + name + " is not on offer: " + why); };
  size_t taken = 0;
  for (const std::string& name : OwnDefinitionNames()) {
    if (!language_model) {
      leave_out(name, "it has no playbook, and no language model drives this run");
    } else if (taken == kMaxOwnSubagents) {
      leave_out(name, "only the first " + std::to_string(kMaxOwnSubagents) + " of your own are");
    } else if (auto own = Own(name, repository, &offered.warnings)) {
      if (!own->definition.model.empty())
        offered.remarks.push_back("subagent " + name + " names the model " + own->definition.model + ": as a tool it uses that of the run");
      offered.subagents.push_back(*std::move(own));
      ++taken;
    } else {
      leave_out(name, own.error().message + (own.error().hint.empty() ? "" : "; " + own.error().hint));
    }
  }
  return offered;
}

void OfferForeign(CellSupply* cells, const sandbox::Workspace& workspace, const std::string& repository, bool quarantine, OfferedSubagents* offered) {
  ForeignAgents others = UsableAgents(cells, workspace, repository);
  const size_t most = subagents::BuiltinDefinitionNames().size() + kMaxOwnSubagents;
  size_t over = 0;
  for (const ForeignAgent& agent : others.agents) {
    const subagents::Definition& definition = agent.what.definition;
    const auto leave_out = [&](const std::string& why) { offered->remarks.push_back("subagent " + agent.file + " is not on offer: " + why); };
    if (quarantine && agent.source == AgentSource::kRepository) {
      leave_out("in quarantine none of the repository is");
    } else if (!agent.clash.empty()) {
      leave_out("its name is taken by " + agent.clash);
    } else if (!agent.usable()) {
      leave_out(agent.what.faults.empty() ? "it is not trusted" : agent.what.faults.front().message);
    } else if (definition.name.size() > kMaxToolName - std::string(kSubagentToolPrefix).size()) {
      leave_out("its name is too long for a tool");
    } else if (offered->subagents.size() >= most) {
      ++over;
    } else if (auto profile = CellProfile(definition.profile, repository, &offered->warnings, nullptr)) {
      if (std::string lost = LossText(agent.what); !lost.empty()) offered->remarks.push_back("subagent " + definition.name + ": " + lost);
      offered->subagents.push_back({definition, *std::move(profile)});
    } else {
      leave_out(profile.error().message);
    }
  }
  if (over > 0) offered->remarks.push_back(std::to_string(over) + " more subagents of other tools are not on offer: only the first " + std::to_string(kMaxOwnSubagents) + " of your own and theirs are");
  for (std::string& one : others.remarks) offered->remarks.push_back(std::move(one));
  for (std::string& one : others.warnings) offered->remarks.push_back(std::move(one));
}

}  // namespace paddock::orchestrator

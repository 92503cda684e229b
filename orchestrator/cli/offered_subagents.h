// The subagents that a run of the main agent has as tools: those that come with paddock, and the user's own.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/agent/subagent_tool.h"
#include "orchestrator/cli/cell_supply.h"
#include "sandbox/profile_json.h"

namespace paddock::orchestrator {

inline constexpr size_t kMaxToolName = 64;  // what servers of models take
inline constexpr size_t kMaxOwnSubagents = 32;

// A profile for a cell that sees the repository. `repository`: the profile may not lie in it (empty: it may).
Result<sandbox::Profile> CellProfile(const std::string& name, const std::string& repository, std::vector<sandbox::ProfileWarning>* warnings, sandbox::Faults* further);

struct OfferedSubagents {
  std::vector<Subagent> subagents;
  std::vector<sandbox::ProfileWarning> warnings;  // of their profiles
  std::vector<std::string> remarks;               // on the user's own: which can't be used and why, what is not as they say
};

// Adds those of other tools: in the user's home, and in the repository where it is trusted. With a language model only: they have no playbooks.
// `quarantine`: none of the repository, whose words describe it.
void OfferForeign(CellSupply* cells, const sandbox::Workspace& workspace, const std::string& repository, bool quarantine, OfferedSubagents* offered);

// Without a language model there are only those that have a playbook. A fault in what is shipped is an error; one in the user's own leaves that one out.
Result<OfferedSubagents> OfferSubagents(bool language_model, const std::string& repository, sandbox::Faults* further);

}  // namespace paddock::orchestrator

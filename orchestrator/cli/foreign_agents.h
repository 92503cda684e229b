// Agents that were defined for other tools: those in the user's home, and those of a repository, once trusted. A cell reads both.
//
// A name belongs to whoever has it first: what comes with paddock, the user's own definitions, those in the home (by tool and path),
// those of the repository. Where a name is taken, the later one is told as a clash and not used.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/cli/cell_supply.h"
#include "orchestrator/delegation/carry_over.h"
#include "orchestrator/session/trust.h"
#include "sandbox/workspace.h"

namespace paddock::orchestrator {

enum class AgentSource { kHome, kRepository };

struct ForeignAgent {
  AgentSource source = AgentSource::kHome;
  std::string file;     // for people: ~/.claude/agents/x.md, or relative to the repository
  CarriedOver what;
  bool trusted = true;  // in a repository: that very content
  std::string clash;    // who has its name already, or empty

  bool usable() const { return trusted && clash.empty() && what.usable(); }
};

struct ForeignAgents {
  std::vector<ForeignAgent> agents;
  std::vector<std::string> remarks;   // what was not looked at, and why
  std::vector<std::string> warnings;  // that a person has to do something about
};

// ~/.claude/agents, ~/.gemini/agents, ~/.config/opencode/agent and agents, ~/.codex/agents, or where CLAUDE_CONFIG_DIR, XDG_CONFIG_HOME and
// CODEX_HOME say. One that lies in `repository` (empty: there is none) or is reached through it is left out. No cell where there is no such folder.
ForeignAgents HomeAgents(CellSupply* cells, const std::string& repository);

// What is trusted of it, as it was then; nothing of it where its files are not the same any more. No cell where nothing is trusted.
ForeignAgents TrustedAgents(CellSupply* cells, const sandbox::Workspace& workspace);
// All that lie in it, trusted or not. An error where the cell fails.
Result<ForeignAgents> RepositoryAgents(CellSupply* cells, const sandbox::Workspace& workspace);

// Which are taken already: name → where.
std::map<std::string, std::string> TakenNames();
// In order; sets `clash`.
void SettleNames(std::map<std::string, std::string>* taken, std::vector<ForeignAgent>* agents);

// Home and trusted ones, settled.
ForeignAgents UsableAgents(CellSupply* cells, const sandbox::Workspace& workspace, const std::string& repository);

// The one of that name, or nothing. kInvalid: it is there and can't be used.
Result<std::optional<ForeignAgent>> FindForeignAgent(const std::string& name, const ForeignAgents& agents);

// "3 of its wishes are not carried over (Bash, model opus, …): paddock subagents lint". Empty where all are.
std::string LossText(const CarriedOver& what);

}  // namespace paddock::orchestrator

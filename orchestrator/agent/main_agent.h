// The main agent: its loop and its conversation run here, in the parent; what touches the repository runs in cells.
//
//   workbench cell: jail, receipt → loop: the model is asked, policy, calls in the workbench or as subagents →
//   evidence of a report checked by a checker cell → result
//
// As with a subagent the status is set by the parent, every limit is the ledger's, and what any cell says is data.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agentcore/context/conversation.h"
#include "orchestrator/agent/subagent_tool.h"

namespace paddock::orchestrator {

inline constexpr int kPlanTurns = 8;
// What the main agent may use, its subagents included but for their turns.
inline constexpr subagents::Budget kMainBudget{.turns = 50, .wall_ms = 30 * 60'000, .tool_calls = 2'000, .output_bytes = 128 << 20, .tokens = 5'000'000};

// All pointers are borrowed.
struct MainAgent {
  std::string id, task;
  bool plan = false;
  bool quarantine = false;  // quarantine.h; needs a model
  subagents::Budget budget = kMainBudget;
  sandbox::Profile profile;         // of the workbench
  std::vector<std::string> asked_hidden = {};  // as of an investigation
  agentcore::Model* model = nullptr;  // null: the explorer's playbook
  std::string model_name = "playbook";
  SubagentSetup subagents;          // run_id, ledger, watcher and deadline are filled in
  EventSink* events = nullptr;
  ExecWatcher watcher;
};

// What its conversation begins with.
agentcore::ConversationSetup MainConversation(const MainAgent& agent);
// The tools that a run has on offer, by name.
std::vector<std::string> MainTools(const MainAgent& agent);

// Never fails: every failure is a result.
ExecResult RunMainAgent(const MainAgent& agent);

}  // namespace paddock::orchestrator

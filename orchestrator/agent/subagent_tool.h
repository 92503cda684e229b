// A subagent as a tool of the main agent: `subagent_NAME {goal, context?, paths?, schema?, follow_up?}`. A call is a whole investigation with a
// budget that is taken out of the main agent's, and its ticket comes back as a tool's result: data, like any other.
// A subagent has no such tool, so the depth is one.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <vector>

#include "orchestrator/agent/exec_events.h"
#include "orchestrator/agent/kept_conversations.h"
#include "orchestrator/agent/subagent_limits.h"
#include "orchestrator/broker/ledger.h"
#include "orchestrator/broker/share.h"
#include "orchestrator/delegation/investigation.h"
#include "orchestrator/session/record.h"

namespace paddock::orchestrator {

inline constexpr char kSubagentToolPrefix[] = "subagent_";

struct SubagentArguments {
  std::string goal;
  std::string context;
  std::vector<std::string> paths;
  Json schema = nullptr;
  std::string follow_up;
};
inline auto Fields(FieldsOf<SubagentArguments>) {
  return std::make_tuple(
      Required("goal", &SubagentArguments::goal, "what is to be found out; it knows nothing else of your task").NonEmpty().MaxLength(16384),
      Optional("context", &SubagentArguments::context, "what you know already, and what the answer is for").MaxLength(65536),
      Optional("paths", &SubagentArguments::paths, "files or folders to look at first").MaxLength(32),
      Optional("schema", &SubagentArguments::schema, "JSON Schema of an object, where you want a part of the answer in a form: it comes back as data"),
      Optional("follow_up", &SubagentArguments::follow_up, "id that a result of this subagent names: goal is a further question then, and it knows all that it has seen and said").MaxLength(64));
}

// A definition with the profile of its jail.
struct Subagent {
  subagents::Definition definition;
  sandbox::Profile profile;
};

// All pointers are borrowed.
struct SubagentSetup {
  std::vector<Subagent> subagents;
  SubagentLimits limits = {};
  std::string run_id;              // of the main agent, for the record
  std::string model;               // name, for tickets
  std::function<std::unique_ptr<agentcore::Model>(const std::string& id)> make_model;  // one for each child; empty, or giving null: the playbook
  std::string state_folder;        // of the records
  Investigation common;            // sealed_profile, workspace, redactor, starter, pool, cancel_fd
  Ledger* ledger = nullptr;        // the main agent's
  EventSink* events = nullptr;     // its record
  ExecWatcher watcher;
  Deadline deadline = Deadline::Never();  // by which children have ended
  Quarantine* quarantine = nullptr;       // null: the main agent is shown what its subagents say
};

class SubagentTool {
 public:
  explicit SubagentTool(SubagentSetup setup) : setup_(std::move(setup)), at_once_(setup_.limits.at_once) {}

  std::vector<agentcore::ToolSpec> Specs() const;
  bool Has(std::string_view tool) const { return Find(tool) != nullptr; }
  // Thread-safe. A child's failure is a result.
  agentcore::ToolResult Run(const agentcore::ToolCall& call);
  struct Asked {
    subagents::ResultTicket ticket;
    bool kept = false;  // a further question can go on from it
  };
  // The same for the parent itself: the ticket, or the refusal. `call` is what a further question names, and for the record.
  std::expected<Asked, agentcore::ToolResult> Ask(std::string_view tool, const SubagentArguments& arguments, const std::string& call);

  // Calls that were refused since a run may have no more subagents.
  int64_t beyond_limit() const { return std::max<int64_t>(0, begun_ - setup_.limits.per_run); }
  // Those that have ended.
  std::vector<ChildResult> children() const;

 private:
  const Subagent* Find(std::string_view tool) const;
  struct Performed {
    subagents::ResultTicket ticket;
    std::vector<std::string> of_model;  // notes on how its model was reached
    std::shared_ptr<const KeptConversation> conversation;
  };
  std::expected<Asked, agentcore::ToolResult> Delegate(const Subagent& subagent, const SubagentArguments& arguments, const std::string& call);
  Performed Perform(Investigation* child);
  // A share of the budget that a child can begin with, put into its ticket. Waits while others have theirs; null: there is no room.
  std::unique_ptr<BudgetShare> TakeShare(Investigation* child);
  void GiveBack(BudgetShare* share, const subagents::Usage& used);

  const SubagentSetup setup_;
  std::counting_semaphore<> at_once_;
  std::atomic<int64_t> begun_ = 0;
  std::mutex sharing_;
  std::condition_variable settled_;
  int64_t shares_ = 0, given_back_ = 0;
  mutable std::mutex mutex_;
  std::vector<ChildResult> children_;
  KeptConversations kept_;
};

// A ticket in words, for a model: status, summary, findings with what was found of their evidence. `with_data`: it asked for data.
agentcore::ToolResult ResultOfTicket(const subagents::ResultTicket& ticket, bool with_data = false);

}  // namespace paddock::orchestrator

// What happens in a run of the main agent, for people and programs that watch. `paddock exec --json` prints each as one
// line: {"type": ..., "at_ms": ..., ...}. Texts are fit for a terminal. Documented in docs/exec-events.md, published as
// orchestrator/schema/exec-events.schema.json.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "agentcore/tools/tool_result.h"
#include "orchestrator/agent/exec_result.h"

namespace paddock::orchestrator {

inline constexpr char kExecEventsSchema[] = "paddock/exec-events/1";

struct RunStartedEvent {
  static constexpr char kType[] = "run_started", kDoc[] = "first, always";
  std::string schema = kExecEventsSchema;
  std::string id, task, model, repository;
  bool plan = false;
  std::vector<std::string> tools;
  int64_t max_turns = 0, timeout_ms = 0;
  std::string record;
};
inline auto Fields(FieldsOf<RunStartedEvent>) {
  return std::make_tuple(Required("schema", &RunStartedEvent::schema, "paddock/exec-events/1"), Required("id", &RunStartedEvent::id, "of the run"),
                         Required("task", &RunStartedEvent::task, "what is to be done"), Required("model", &RunStartedEvent::model, "what drives it"),
                         Required("repository", &RunStartedEvent::repository, "folder"), Required("plan", &RunStartedEvent::plan, "only a plan is wanted"),
                         Required("tools", &RunStartedEvent::tools, "on offer"), Required("max_turns", &RunStartedEvent::max_turns, "limit"),
                         Required("timeout_ms", &RunStartedEvent::timeout_ms, "limit"), Required("record", &RunStartedEvent::record, "folder of the record"));
}

struct PhaseEvent {
  static constexpr char kType[] = "phase", kDoc[] = "what the run is at now";
  std::string phase, reason;
};
inline auto Fields(FieldsOf<PhaseEvent>) {
  return std::make_tuple(Required("phase", &PhaseEvent::phase, "start, plan, act, observe, reflect, finish or check").MaxLength(32),
                         Required("reason", &PhaseEvent::reason, "why, or empty"));
}

struct TurnEvent {
  static constexpr char kType[] = "turn", kDoc[] = "the model has answered";
  int64_t turn = 0, max_turns = 0, calls = 0, input_tokens = 0, output_tokens = 0;
};
inline auto Fields(FieldsOf<TurnEvent>) {
  return std::make_tuple(Required("turn", &TurnEvent::turn, "from 1"), Required("max_turns", &TurnEvent::max_turns, "limit"),
                         Required("calls", &TurnEvent::calls, "calls in it"), Required("input_tokens", &TurnEvent::input_tokens, "of this turn"),
                         Required("output_tokens", &TurnEvent::output_tokens, "of this turn"));
}

struct TextEvent {
  static constexpr char kType[] = "text", kDoc[] = "what the model said in a turn";
  int64_t turn = 0;
  std::string text;
};
inline auto Fields(FieldsOf<TextEvent>) {
  return std::make_tuple(Required("turn", &TextEvent::turn, "from 1"), Required("text", &TextEvent::text, "its words"));
}

struct CallStartedEvent {
  static constexpr char kType[] = "call_started", kDoc[] = "a tool call is run";
  std::string id, tool, subject;
};
inline auto Fields(FieldsOf<CallStartedEvent>) {
  return std::make_tuple(Required("id", &CallStartedEvent::id, "of the call"), Required("tool", &CallStartedEvent::tool, "its name"),
                         Required("subject", &CallStartedEvent::subject, "path, pattern or goal; may be empty"));
}

struct CallFinishedEvent {
  static constexpr char kType[] = "call_finished", kDoc[] = "a tool call has ended";
  std::string id, tool;
  bool success = false;
  agentcore::ToolStatus status = agentcore::ToolStatus::kFailed;
  std::string summary;
  int64_t ms = 0;
};
inline auto Fields(FieldsOf<CallFinishedEvent>) {
  return std::make_tuple(Required("id", &CallFinishedEvent::id, "of the call"), Required("tool", &CallFinishedEvent::tool, "its name"),
                         Required("success", &CallFinishedEvent::success, "did it do what was asked, at least in part"),
                         Required("status", &CallFinishedEvent::status, "how it ended"), Required("summary", &CallFinishedEvent::summary, "one line, by the cell's word"),
                         Required("ms", &CallFinishedEvent::ms, "how long it took"));
}

struct SubagentStartedEvent {
  static constexpr char kType[] = "subagent_started", kDoc[] = "a subagent was given a goal";
  std::string id, call, subagent, goal;
};
inline auto Fields(FieldsOf<SubagentStartedEvent>) {
  return std::make_tuple(Required("id", &SubagentStartedEvent::id, "of its own record"), Required("call", &SubagentStartedEvent::call, "id of the call that it answers"),
                         Required("subagent", &SubagentStartedEvent::subagent, "name of the definition"),
                         Required("goal", &SubagentStartedEvent::goal, "what it is asked"));
}

struct SubagentProgressEvent {
  static constexpr char kType[] = "subagent_progress", kDoc[] = "a subagent runs a tool";
  std::string id;
  int64_t turn = 0;
  std::string tool, subject;
};
inline auto Fields(FieldsOf<SubagentProgressEvent>) {
  return std::make_tuple(Required("id", &SubagentProgressEvent::id, "of its record"), Required("turn", &SubagentProgressEvent::turn, "from 1"),
                         Required("tool", &SubagentProgressEvent::tool, "its name"), Required("subject", &SubagentProgressEvent::subject, "path or pattern; may be empty"));
}

struct SubagentFinishedEvent {
  static constexpr char kType[] = "subagent_finished", kDoc[] = "a subagent has ended";
  ChildResult child;
};
inline auto Fields(FieldsOf<SubagentFinishedEvent>) {
  return std::make_tuple(Required("child", &SubagentFinishedEvent::child, "what came of it, as in the result"));
}

struct StepStartedEvent {
  static constexpr char kType[] = "step_started", kDoc[] = "a step of the plan is begun, in a conversation of its own; turns count from 1 again";
  int64_t step = 0, steps = 0;
  std::string title;
};
inline auto Fields(FieldsOf<StepStartedEvent>) {
  return std::make_tuple(Required("step", &StepStartedEvent::step, "from 1, over all plans of the run"), Required("steps", &StepStartedEvent::steps, "as many as there will be by the present plan"),
                         Required("title", &StepStartedEvent::title, "as the planner called it"));
}

struct StepFinishedEvent {
  static constexpr char kType[] = "step_finished", kDoc[] = "a step of the plan has ended";
  int64_t step = 0;
  StepResult result;
};
inline auto Fields(FieldsOf<StepFinishedEvent>) {
  return std::make_tuple(Required("step", &StepFinishedEvent::step, "from 1"), Required("result", &StepFinishedEvent::result, "what came of it, as in the result"));
}

struct WarningEvent {
  static constexpr char kType[] = "warning", kDoc[] = "something that a person should know, and the run goes on";
  std::string text;
};
inline auto Fields(FieldsOf<WarningEvent>) { return std::make_tuple(Required("text", &WarningEvent::text, "what")); }

struct RetryEvent {
  static constexpr char kType[] = "retry", kDoc[] = "a model's server is asked the same again";
  std::string text;
  std::string subagent = {};
};
inline auto Fields(FieldsOf<RetryEvent>) {
  return std::make_tuple(Required("text", &RetryEvent::text, "why, and when"), Required("subagent", &RetryEvent::subagent, "id of the subagent whose model it is; empty: the main agent's"));
}

struct ModelSwitchedEvent {
  static constexpr char kType[] = "model_switched", kDoc[] = "another model takes over";
  std::string from, to, reason;
  std::string subagent = {};
};
inline auto Fields(FieldsOf<ModelSwitchedEvent>) {
  return std::make_tuple(Required("from", &ModelSwitchedEvent::from, "name"), Required("to", &ModelSwitchedEvent::to, "name"),
                         Required("reason", &ModelSwitchedEvent::reason, "why"),
                         Required("subagent", &ModelSwitchedEvent::subagent, "id of the subagent whose model it is; empty: the main agent's"));
}

struct ResultEvent {
  static constexpr char kType[] = "result", kDoc[] = "last, always";
  ExecResult result;
};
inline auto Fields(FieldsOf<ResultEvent>) { return std::make_tuple(Required("result", &ResultEvent::result, "what came of the run")); }

using ExecEvent = std::variant<RunStartedEvent, PhaseEvent, TurnEvent, TextEvent, CallStartedEvent, CallFinishedEvent, SubagentStartedEvent, SubagentProgressEvent,
                               SubagentFinishedEvent, StepStartedEvent, StepFinishedEvent, WarningEvent, RetryEvent, ModelSwitchedEvent, ResultEvent>;

// Is told by several threads, and must bear it.
using ExecWatcher = std::function<void(const ExecEvent&)>;

// {"type": ..., "at_ms": ..., ...}, `at_ms` being milliseconds since the run began.
Json EventJson(const ExecEvent& event, int64_t at_ms);
std::string PublishedExecEventsSchema();

}  // namespace paddock::orchestrator

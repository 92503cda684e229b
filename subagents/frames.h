// Frames: what cell and parent say to each other, one JSON object a line, `type` first. Both sides validate
// against these tables; an unknown type or a wrong field ends the cell, never the parent.
//
//   cell → parent                         parent → cell
//   ready {kind, witness[]}               go {}
//                                         task {kind: subagent, tools[], ...}     (subagent)
//   next_turn {outcomes[], reason}        turn {calls[], final}
//   event {…}                             wrap_up {reason}
//   result {facts}
//   range {…}                             cite {…}                                (checker)
//   model_turn {turn}                     model_request {…}                       (playbook)
//   answer {id, result}                   call {call}                             (workbench)
//   hidden {paths[], …}                                                           (hide)
//   definition {…}, looked {…}            look {path, format}                     (definitions: foreign_definition.h)
//   fault {message}
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "agentcore/model/model.h"
#include "base/fields.h"
#include "subagents/cell_abi.h"

namespace paddock::subagents {

// Largest frames, in bytes.
inline constexpr size_t kMaxEventBytes = 64u << 10;
inline constexpr size_t kMaxResultBytes = 1u << 20;
inline constexpr size_t kMaxFrameBytes = 8u << 20;
// Most JSON values (strings, numbers, lists, objects) in one frame.
inline constexpr size_t kMaxFrameValues = 100'000;

// What a profile hides of a workspace: at most so many paths, bytes of all, and bytes of one. A mount is made for each.
inline constexpr size_t kMaxHiddenPaths = 1000, kMaxHiddenBytes = 256u << 10, kMaxHiddenPathBytes = 4000;
inline constexpr size_t kMaxLinksOut = 16;

// Calls of a workbench that may be open at a time.
inline constexpr size_t kMaxOpenCalls = 8;

enum class CellKind { kSubagent, kChecker, kPlaybook, kHide, kWorkbench, kDefinitions };
inline auto EnumNames(FieldsOf<CellKind>) {
  return std::array{EnumName{CellKind::kSubagent, "subagent"}, EnumName{CellKind::kChecker, "checker"},
                    EnumName{CellKind::kPlaybook, "playbook"}, EnumName{CellKind::kHide, "hide"},
                    EnumName{CellKind::kWorkbench, "workbench"}, EnumName{CellKind::kDefinitions, "definitions"}};
}

// A denial that the cell tried for and got.
struct Witness {
  std::string layer;   // landlock, seccomp, seccomp_second
  std::string action;  // what was tried
  int64_t error = 0;   // errno it got; 0 when it was allowed
};
inline auto Fields(FieldsOf<Witness>) {
  return std::make_tuple(Required("layer", &Witness::layer, "landlock, seccomp or seccomp_second").MaxLength(32),
                         Required("action", &Witness::action, "what was tried").MaxLength(128),
                         Required("error", &Witness::error, "errno it got; 0 when it was allowed").Min(0).Max(4095));
}

struct ReadyFrame {
  std::vector<Witness> witness;
};
inline auto Fields(FieldsOf<ReadyFrame>) {
  return std::make_tuple(Required("witness", &ReadyFrame::witness, "denials tried for").MaxLength(16));
}

struct GoFrame {};
inline auto Fields(FieldsOf<GoFrame>) { return std::tuple<>(); }

struct TaskFrame {
  CellKind kind = CellKind::kSubagent;
  std::string playbook;             // playbook cells: its name
  std::vector<std::string> tools;   // subagent and workbench cells: the tools to register
  int64_t tool_timeout_ms = 20'000; // one call
  int64_t max_output_bytes = 262'144;
  int64_t processor_ms = 60'000;    // after which the kernel ends the cell
  std::vector<std::string> hide = {};  // patterns of names that are not shown; hide cells: to be looked for
};
inline auto Fields(FieldsOf<TaskFrame>) {
  return std::make_tuple(Required("kind", &TaskFrame::kind, "what this cell is"),
                         Optional("playbook", &TaskFrame::playbook, "name of the playbook").MaxLength(64),
                         Optional("tools", &TaskFrame::tools, "tools to register").MaxLength(64),
                         Optional("tool_timeout_ms", &TaskFrame::tool_timeout_ms, "for one call").Min(1),
                         Optional("max_output_bytes", &TaskFrame::max_output_bytes, "of one result").Min(1024),
                         Optional("processor_ms", &TaskFrame::processor_ms, "processor time after which the kernel ends the cell").Min(1),
                         Optional("hide", &TaskFrame::hide, "patterns of names that are not shown").MaxLength(256));
}

enum class NextReason { kStart, kResults, kWrapUp };
inline auto EnumNames(FieldsOf<NextReason>) {
  return std::array{EnumName{NextReason::kStart, "start"}, EnumName{NextReason::kResults, "results"},
                    EnumName{NextReason::kWrapUp, "wrap_up"}};
}

struct CallAnswer {
  std::string id;  // of the call
  agentcore::ToolResult result;
};
inline auto Fields(FieldsOf<CallAnswer>) {
  return std::make_tuple(Required("id", &CallAnswer::id, "of the call").MaxLength(64),
                         Required("result", &CallAnswer::result, "what it gave"));
}

// One call of a workbench; its answer is a CallAnswer.
struct CallFrame {
  agentcore::ToolCall call;
};
inline auto Fields(FieldsOf<CallFrame>) { return std::make_tuple(Required("call", &CallFrame::call, "to be run")); }

struct NextTurnFrame {
  NextReason reason = NextReason::kStart;
  std::vector<CallAnswer> answers;  // exactly the calls of the last turn, in order
};
inline auto Fields(FieldsOf<NextTurnFrame>) {
  return std::make_tuple(Required("reason", &NextTurnFrame::reason, "why a turn is asked for"),
                         Required("answers", &NextTurnFrame::answers, "exactly the calls of the last turn, in order").MaxLength(64));
}

struct TurnFrame {
  std::vector<agentcore::ToolCall> calls;
  bool final = false;  // no more turns: hand in the result
};
inline auto Fields(FieldsOf<TurnFrame>) {
  return std::make_tuple(Required("calls", &TurnFrame::calls, "calls to run").MaxLength(64),
                         Required("final", &TurnFrame::final, "the conversation is over: hand in the result"));
}

struct WrapUpFrame {
  std::string reason;
};
inline auto Fields(FieldsOf<WrapUpFrame>) {
  return std::make_tuple(Required("reason", &WrapUpFrame::reason, "deadline or turns").MaxLength(64));
}

// For people who watch. Never believed.
struct EventFrame {
  std::string kind;  // tool_started, tool_finished
  std::string id;    // of the call
  std::string tool;
  std::string subject;  // path or pattern
  int64_t ms = 0;
};
inline auto Fields(FieldsOf<EventFrame>) {
  return std::make_tuple(Required("kind", &EventFrame::kind, "tool_started or tool_finished").MaxLength(32),
                         Optional("id", &EventFrame::id, "of the call").MaxLength(64),
                         Optional("tool", &EventFrame::tool, "name").MaxLength(64),
                         Optional("subject", &EventFrame::subject, "path or pattern").MaxLength(4096),
                         Optional("ms", &EventFrame::ms, "how long it took").Min(0));
}

// The facts of the tools, as the cell counted them; must agree with what the parent saw.
struct ResultFrame {
  int64_t tool_calls = 0;
  int64_t failed_calls = 0;
};
inline auto Fields(FieldsOf<ResultFrame>) {
  return std::make_tuple(Required("tool_calls", &ResultFrame::tool_calls, "calls that were run").Min(0),
                         Required("failed_calls", &ResultFrame::failed_calls, "calls that did not succeed").Min(0));
}

// One question of the parent to a checker.
struct CiteFrame {
  int64_t n = 0;
  std::string path;  // path text
  int64_t line_start = 1;
  int64_t line_end = 1;
};
inline auto Fields(FieldsOf<CiteFrame>) {
  return std::make_tuple(Required("n", &CiteFrame::n, "number of the question").Min(0),
                         Required("path", &CiteFrame::path, "path text").MaxLength(32768),
                         Required("line_start", &CiteFrame::line_start, "from 1").Min(1),
                         Required("line_end", &CiteFrame::line_end, "last line").Min(1));
}

struct RangeFrame {
  int64_t n = 0;
  std::string status;  // ok, no_file, no_lines, not_text, denied, too_long, timeout
  std::string bytes;   // wire text: the raw bytes of the lines, newlines included
  int64_t changed_ns = 0;  // the later of mtime and ctime, nanoseconds since 1970
  // Wire text of the lines as read_file shows them; only where that is not the raw bytes without their
  // newlines (UTF-16, a byte order mark). Empty otherwise.
  std::vector<std::string> lines = {};
};
inline auto Fields(FieldsOf<RangeFrame>) {
  return std::make_tuple(Required("n", &RangeFrame::n, "number of the question").Min(0),
                         Required("status", &RangeFrame::status, "ok, no_file, no_lines, not_text, denied, too_long or timeout").MaxLength(32),
                         Optional("bytes", &RangeFrame::bytes, "wire text of the lines, newlines included").MaxLength(4u << 20),
                         Optional("changed_ns", &RangeFrame::changed_ns, "the later of mtime and ctime, ns since 1970"),
                         Optional("lines", &RangeFrame::lines, "wire text of the lines as shown, where the raw bytes differ: UTF-16, byte order mark").MaxLength(20000));
}

// What a hide cell found.
enum class HiddenFault { kNone, kTooMany, kTooLong, kWhole, kChanged, kUnreadable };
inline auto EnumNames(FieldsOf<HiddenFault>) {
  return std::array{EnumName{HiddenFault::kNone, "none"},       EnumName{HiddenFault::kTooMany, "too_many"},
                    EnumName{HiddenFault::kTooLong, "too_long"}, EnumName{HiddenFault::kWhole, "whole_workspace"},
                    EnumName{HiddenFault::kChanged, "changed"},  EnumName{HiddenFault::kUnreadable, "unreadable"}};
}

struct HiddenFrame {
  HiddenFault fault = HiddenFault::kNone;
  std::string at;                      // wire text: the path at which it was given up
  std::vector<std::string> paths;      // wire text: all names of what is hidden, none in a folder that is
  std::vector<std::string> links_out;  // wire text: links that match and lead to nothing in the workspace; the first of them
};
inline auto Fields(FieldsOf<HiddenFrame>) {
  return std::make_tuple(Required("fault", &HiddenFrame::fault, "why the paths are not known, or none"),
                         Optional("at", &HiddenFrame::at, "wire text: where it was given up").MaxLength(32768),
                         Required("paths", &HiddenFrame::paths, "wire text: what is to be hidden").MaxLength(kMaxHiddenPaths),
                         Optional("links_out", &HiddenFrame::links_out, "wire text: links that match and lead to nothing in the workspace").MaxLength(kMaxLinksOut));
}

// Parent → playbook cell: what a model would be shown.
struct ModelRequestFrame {
  std::string goal;
  std::string context;
  std::vector<agentcore::CallOutcome> latest;
  int64_t turn = 1;
  int64_t max_turns = 1;
  bool wrap_up = false;
  bool may_ask_to_run = false;
};
inline auto Fields(FieldsOf<ModelRequestFrame>) {
  return std::make_tuple(Required("goal", &ModelRequestFrame::goal, "of the ticket"),
                         Optional("context", &ModelRequestFrame::context, "of the ticket"),
                         Required("latest", &ModelRequestFrame::latest, "outcomes of the last turn's calls").MaxLength(64),
                         Required("turn", &ModelRequestFrame::turn, "from 1").Min(1),
                         Required("max_turns", &ModelRequestFrame::max_turns, "the limit").Min(1),
                         Required("wrap_up", &ModelRequestFrame::wrap_up, "the report is wanted now"),
                         Optional("may_ask_to_run", &ModelRequestFrame::may_ask_to_run, "the report may hold needs_run"));
}

struct ModelTurnFrame {
  agentcore::ModelTurn turn;
};
inline auto Fields(FieldsOf<ModelTurnFrame>) {
  return std::make_tuple(Required("turn", &ModelTurnFrame::turn, "the answer"));
}

struct FaultFrame {
  std::string message;
};
inline auto Fields(FieldsOf<FaultFrame>) {
  return std::make_tuple(Required("message", &FaultFrame::message, "why the cell gives up").MaxLength(4096));
}

// {"type": "go", ...fields} as one line.
template <class Frame>
std::string EncodeFrame(const char* type, const Frame& frame) {
  Json out = Json::object();
  out["type"] = type;
  Json body = ToJson(frame);
  for (auto it = body.begin(); it != body.end(); ++it) out[it.key()] = it.value();
  return DumpJson(out);
}

// A frame taken apart: its type, and its other fields for FromJson<...Frame>.
struct RawFrame {
  std::string type;
  Json body;
};
// kLimit when a bound of size, depth or count is passed, kProtocol for everything else that is no frame.
Result<RawFrame> DecodeFrame(std::string_view line);

}  // namespace paddock::subagents

// What drives an agent: something that is shown a conversation and answers with text and tool calls.
//
// Implementations live elsewhere: `scripted` here (a JSON file of turns), the playbook behind a cell of its
// own and the real providers in the orchestrator. A model is used by one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "agentcore/tools/tool.h"
#include "agentcore/tools/tool_result.h"
#include "base/deadline.h"
#include "base/fields.h"

namespace paddock::agentcore {

struct ToolCall {
  std::string id;    // made by the parent: call-<turn>-<n>
  std::string tool;
  Json arguments = Json::object();
};
inline auto Fields(FieldsOf<ToolCall>) {
  return std::make_tuple(
      Required("id", &ToolCall::id, "made by the parent").NonEmpty().MaxLength(64),
      Required("tool", &ToolCall::tool, "name of the tool").NonEmpty().MaxLength(64),
      Required("arguments", &ToolCall::arguments, "object, by the tool's schema"));
}

struct ModelUsage {
  int64_t input_tokens = 0;
  int64_t output_tokens = 0;
};
inline auto Fields(FieldsOf<ModelUsage>) {
  return std::make_tuple(Optional("input_tokens", &ModelUsage::input_tokens, "tokens sent").Min(0),
                         Optional("output_tokens", &ModelUsage::output_tokens, "tokens received").Min(0));
}

// A call of an earlier turn with what came of it, cleaned: what a model is shown.
struct CallOutcome {
  ToolCall call;
  ToolResult result;
};
inline auto Fields(FieldsOf<CallOutcome>) {
  return std::make_tuple(Required("call", &CallOutcome::call, "the call"),
                         Required("result", &CallOutcome::result, "what it gave"));
}

struct ModelTurn {
  std::string text;
  std::vector<ToolCall> calls;  // a call of the tool "report" ends the conversation; ids are overwritten
  ModelUsage usage;
};
inline auto Fields(FieldsOf<ModelTurn>) {
  return std::make_tuple(Optional("text", &ModelTurn::text, "what the model says").MaxLength(1u << 20),
                         Optional("calls", &ModelTurn::calls, "tool calls, in order").MaxLength(64),
                         Optional("usage", &ModelTurn::usage, "tokens of this turn"));
}

// One question to a model: what is new since its last answer. (The full transcript is the conversation's.)
struct ModelRequest {
  std::string system;               // the pinned system prompt
  std::string goal;
  std::string context;              // from the ticket; may be empty
  std::vector<ToolSpec> tools;      // empty when a report is asked for
  std::vector<CallOutcome> latest;  // outcomes of the calls of the last turn
  int turn = 1;                     // from 1
  int max_turns = 1;
  bool wrap_up = false;             // the report is wanted now
  std::string notice;               // a word of the parent about the last answer (a nudge, a repair); may be empty
};

class Model {
 public:
  virtual ~Model() = default;
  virtual std::string name() const = 0;
  // True for a language model; false for the playbook and scripts, and then every result says so.
  virtual bool is_language_model() const = 0;
  // kTimeout when the deadline passes, kCancelled, kClosed or kProtocol when the model's side breaks.
  virtual Result<ModelTurn> Next(const ModelRequest& request, const Deadline& deadline) = 0;
};

}  // namespace paddock::agentcore

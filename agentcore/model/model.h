// What drives an agent: something that is shown a conversation and answers with text and tool calls.
//
// Implementations live elsewhere: `scripted` here (a JSON file of turns), the playbook behind a cell of its
// own and the real providers in the orchestrator. A model is used by one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
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
  // Why it must not be run: arguments that are no JSON, an answer that was cut off. Never leaves the parent.
  std::string fault = {};
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
  bool estimated = false;  // the server did not say: made from bytes
  std::optional<int64_t> cached_tokens = {};  // of the input: read from the server's cache, and cheaper; null: the server does not say
  std::optional<int64_t> cost_nanos = {};  // billionths of a US dollar; null: no price is known

  // The cost of a sum is known where that of each part is; nothing costs nothing. Cached tokens are those that were said.
  ModelUsage& operator+=(const ModelUsage& other);
};
inline auto Fields(FieldsOf<ModelUsage>) {
  return std::make_tuple(Optional("input_tokens", &ModelUsage::input_tokens, "tokens sent").Min(0),
                         Optional("output_tokens", &ModelUsage::output_tokens, "tokens received").Min(0),
                         Optional("estimated", &ModelUsage::estimated, "made from bytes: the server did not say"),
                         Optional("cached_tokens", &ModelUsage::cached_tokens, "of the tokens sent, those read from the server's cache; null: it does not say").Min(0),
                         Optional("cost_nanos", &ModelUsage::cost_nanos, "billionths of a US dollar; null: no price is known").Min(0));
}
inline ModelUsage& ModelUsage::operator+=(const ModelUsage& other) {
  const auto nothing = [](const ModelUsage& usage) { return usage.input_tokens == 0 && usage.output_tokens == 0 && !usage.cost_nanos; };
  if (nothing(*this)) cost_nanos = other.cost_nanos;
  else if (!nothing(other)) cost_nanos = cost_nanos && other.cost_nanos ? std::optional(*cost_nanos + *other.cost_nanos) : std::nullopt;
  input_tokens += other.input_tokens;
  output_tokens += other.output_tokens;
  estimated |= other.estimated;
  if (other.cached_tokens) cached_tokens = cached_tokens.value_or(0) + *other.cached_tokens;
  return *this;
}

// A call of an earlier turn with what came of it, cleaned: what a model is shown.
struct CallOutcome {
  ToolCall call;
  ToolResult result;
  // What a language model is shown of the result: rendered and wrapped, once, so that the bytes of a request
  // stay the same from turn to turn. Not for frames.
  std::string text = {};
};
inline auto Fields(FieldsOf<CallOutcome>) {
  return std::make_tuple(Required("call", &CallOutcome::call, "the call"),
                         Required("result", &CallOutcome::result, "what it gave"));
}

// Why a model stopped speaking.
enum class Finish {
  kStop,     // it had said all, or calls tools
  kLength,   // it reached its bound of tokens: its calls are not to be run
  kRefused,  // it, or its server's filter, would not answer
};
inline auto EnumNames(FieldsOf<Finish>) {
  return std::array{EnumName{Finish::kStop, "stop"}, EnumName{Finish::kLength, "length"}, EnumName{Finish::kRefused, "refused"}};
}

// What a server wants back unchanged with its answer: a thinking block with its signature, encrypted reasoning. Shown to nobody
// else and kept in no record.
struct ReasoningItem {
  size_t before_call = 0;  // how many calls of the answer came before it
  Json item;
};

struct ModelTurn {
  std::string text;
  std::vector<ToolCall> calls;  // a call of the tool "report" ends the conversation; ids are overwritten
  ModelUsage usage;
  Finish finish = Finish::kStop;
  std::vector<ReasoningItem> reasoning = {};
  std::string reasoned_by = {};  // who can read `reasoning`: given back to no other
};
inline auto Fields(FieldsOf<ModelTurn>) {
  return std::make_tuple(Optional("text", &ModelTurn::text, "what the model says").MaxLength(1u << 20),
                         Optional("calls", &ModelTurn::calls, "tool calls, in order").MaxLength(64),
                         Optional("usage", &ModelTurn::usage, "tokens of this turn"),
                         Optional("finish", &ModelTurn::finish, "why it ended"));
}

// One question and answer, whole.
struct TranscriptTurn {
  int turn = 1;
  bool wrap_up = false;
  std::string notice;
  std::vector<CallOutcome> shown;  // outcomes that the model was shown
  ModelTurn answer;                // with ids made by the parent
};

// One question to a model. Everything it is to be shown is in here: a model keeps nothing between questions.
struct ModelRequest {
  std::string system;               // the pinned system prompt
  std::string goal;
  std::string context;              // from the ticket; may be empty
  std::vector<ToolSpec> tools;      // empty when a report is asked for
  ToolSpec report;                  // the tool that is always on offer
  std::string memory;               // of turns that are not in `past` any more; may be empty
  std::span<const TranscriptTurn> past;  // turns before this one, the last one included; borrowed for the call
  std::vector<CallOutcome> latest;  // outcomes of the calls of the last turn
  int turn = 1;                     // from 1
  int max_turns = 1;
  bool wrap_up = false;             // the report is wanted now
  std::string notice;               // a word of the parent about the last answer (a nudge, a repair); may be empty
  int64_t max_output_tokens = 0;    // of the answer; 0: the model's own bound
  int abandon_fd = -1;              // readable: nobody waits for the answer any more (kClosed); borrowed
};

class Model {
 public:
  virtual ~Model() = default;
  virtual std::string name() const = 0;
  // True for a language model; false for the playbook and scripts, and then every result says so.
  virtual bool is_language_model() const = 0;
  // kTimeout when the deadline passes or the model's side is silent for too long, kCancelled, kClosed when it
  // is gone (or nobody waits any more), kProtocol when it breaks, kDenied, kLimit and kInvalid as it says.
  virtual Result<ModelTurn> Next(const ModelRequest& request, const Deadline& deadline) = 0;
  // Most tokens of one answer.
  virtual int64_t max_answer_tokens() const { return 8'192; }
  // Most tokens of a question and its answer together; 0 where there is no such bound (or nobody knows of one).
  virtual int64_t context_window() const { return 0; }
  // What so many tokens cost at most, in billionths of a US dollar; null: no price is known.
  virtual std::optional<int64_t> CostNanos(int64_t /*input_tokens*/, int64_t /*output_tokens*/) const { return std::nullopt; }
  // What answers cost that never became a turn. Asked for after a Next that failed; then it is forgotten.
  virtual ModelUsage TakeLostUsage() { return {}; }
  // What a reader of the ticket should know of how the answers came about.
  virtual std::vector<std::string> notes() const { return {}; }
};

}  // namespace paddock::agentcore

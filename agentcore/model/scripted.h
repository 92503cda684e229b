// A model for tests: it answers with the turns of a JSON file, in order, whatever it is asked.
//
//   {"schema": "paddock/script/1",
//    "turns": [{"text": "I look.", "calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}],
//               "delay_ms": 0, "usage": {"input_tokens": 10, "output_tokens": 5}},
//              {"report": {"summary": "..."}}],
//    "repeat_last": false}
//
// When there is no turn left it says nothing (which ends as stuck), or repeats the last one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agentcore/model/model.h"

namespace paddock::agentcore {

struct ScriptCall {
  std::string tool;
  Json arguments = Json::object();
};
inline auto Fields(FieldsOf<ScriptCall>) {
  return std::make_tuple(Required("tool", &ScriptCall::tool, "name of a tool; any, so that tests can be wrong"),
                         Optional("arguments", &ScriptCall::arguments, "its arguments, any value"));
}

struct ScriptTurn {
  std::string text;
  std::vector<ScriptCall> calls;
  std::optional<Json> report;  // short for a call of `report`
  int64_t delay_ms = 0;
  ModelUsage usage;
};
inline auto Fields(FieldsOf<ScriptTurn>) {
  return std::make_tuple(Optional("text", &ScriptTurn::text, "what the model says"),
                         Optional("calls", &ScriptTurn::calls, "tool calls, in order"),
                         Optional("report", &ScriptTurn::report, "arguments of a call of report, after the others"),
                         Optional("delay_ms", &ScriptTurn::delay_ms, "milliseconds before the answer").Min(0).Max(86'400'000),
                         Optional("usage", &ScriptTurn::usage, "tokens to be charged"));
}

struct Script {
  std::string schema;
  std::vector<ScriptTurn> turns;
  bool repeat_last = false;
};
inline auto Fields(FieldsOf<Script>) {
  return std::make_tuple(Required("schema", &Script::schema, "paddock/script/1"),
                         Required("turns", &Script::turns, "the answers, in order").MaxLength(10'000),
                         Optional("repeat_last", &Script::repeat_last, "go on with the last turn for ever"));
}

// kInvalid: "<name>: $.turns[0].calls: expected a list, got ..."; `name` is only for messages.
Result<Script> ParseScript(std::string_view text, const std::string& name);
// Reads at most 8 MiB of a regular file. kNotFound, kInvalid, kSystem.
Result<Script> LoadScript(const std::string& path);

class ScriptedModel : public Model {
 public:
  // `cancel_fd` is borrowed; -1 for none. A wait ends with kCancelled when it becomes readable.
  explicit ScriptedModel(Script script, std::string name = "scripted", int cancel_fd = -1)
      : script_(std::move(script)), name_(std::move(name)), cancel_fd_(cancel_fd) {}

  std::string name() const override { return name_; }
  bool is_language_model() const override { return false; }
  Result<ModelTurn> Next(const ModelRequest& request, const Deadline& deadline) override;

 private:
  Script script_;
  std::string name_;
  int cancel_fd_;
  size_t next_ = 0;
};

}  // namespace paddock::agentcore

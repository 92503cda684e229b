// One small question to a model, to learn what it and its server can do.
#pragma once

#include <optional>
#include <string>

#include "base/deadline.h"
#include "base/fields.h"
#include "orchestrator/providers/server_model.h"

namespace paddock::orchestrator {

struct ModelTestResult {
  std::string name, model, base_url, key_from;
  bool answered = false;
  bool called_tool = false;    // the tool that it was asked to call, with arguments that are JSON
  bool counted_tokens = false; // the server said how many tokens were used
  std::optional<int64_t> first_word_ms, whole_ms;
  std::optional<int64_t> input_tokens, output_tokens;
  std::optional<int64_t> context_window;
  std::string window_from;     // WindowSource
  std::string error, hint;
};
inline auto Fields(FieldsOf<ModelTestResult>) {
  return std::make_tuple(
      Required("name", &ModelTestResult::name, "in config.json, or the model's"), Required("model", &ModelTestResult::model, "its name at the server"),
      Required("base_url", &ModelTestResult::base_url, "of the server"), Required("key_from", &ModelTestResult::key_from, "$VARIABLE, a file, or none"),
      Required("answered", &ModelTestResult::answered, "it answered at all"),
      Required("called_tool", &ModelTestResult::called_tool, "it called the tool that it was asked to call"),
      Required("counted_tokens", &ModelTestResult::counted_tokens, "the server said how many tokens were used"),
      Required("first_word_ms", &ModelTestResult::first_word_ms, "milliseconds to the first word, or null"),
      Required("whole_ms", &ModelTestResult::whole_ms, "milliseconds to the whole answer, or null"),
      Required("input_tokens", &ModelTestResult::input_tokens, "by the server's count, or null"),
      Required("output_tokens", &ModelTestResult::output_tokens, "by the server's count, or null"),
      Required("context_window", &ModelTestResult::context_window, "most tokens of a question and its answer together, or null"),
      Required("window_from", &ModelTestResult::window_from, "who says so: config, known, server or assumed; empty where it is null"),
      Required("error", &ModelTestResult::error, "what failed, or empty"), Required("hint", &ModelTestResult::hint, "what to do next, or empty"));
}

ModelTestResult TestModel(ServerModelSetup setup, const Deadline& deadline);

}  // namespace paddock::orchestrator

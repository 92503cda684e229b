#include "orchestrator/providers/model_test.h"

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

struct Answer {
  std::string summary;
};
inline auto Fields(FieldsOf<Answer>) { return std::make_tuple(Required("summary", &Answer::summary, "the word ready")); }

agentcore::ModelRequest Question() {
  agentcore::ModelRequest request;
  request.system = "You answer only by calling the tool report, once.";
  request.goal = "Call the tool report with the summary \"ready\".";
  request.report = {"report", "Hands in your answer.", SchemaOf<Answer>()};
  request.max_output_tokens = 1024;
  return request;
}

}  // namespace

ModelTestResult TestModel(ServerModelSetup setup, const Deadline& deadline) {
  ModelTestResult out;
  out.name = setup.endpoint.name;
  out.model = setup.endpoint.settings.model;
  out.base_url = setup.endpoint.url;
  out.key_from = KeySource(setup.endpoint.settings);
  setup.retry.attempts = 1;  // a test shows what is
  ServerModel model(std::move(setup));
  const auto started = Deadline::Clock::now();
  auto turn = model.Next(Question(), deadline);
  if (!turn) {
    out.error = turn.error().message;
    out.hint = turn.error().hint;
    return out;
  }
  out.answered = true;
  out.context_window = model.window().tokens;
  out.window_from = NameOf(model.window().from);
  out.whole_ms = std::chrono::duration_cast<std::chrono::milliseconds>(Deadline::Clock::now() - started).count();
  if (model.first_word_ms() >= 0) out.first_word_ms = model.first_word_ms();
  out.counted_tokens = model.usage_was_said();
  if (out.counted_tokens) out.input_tokens = turn->usage.input_tokens, out.output_tokens = turn->usage.output_tokens;
  for (const agentcore::ToolCall& call : turn->calls) out.called_tool |= call.tool == "report" && call.fault.empty() && call.arguments.is_object();
  if (!out.called_tool) {
    out.error = turn->finish == agentcore::Finish::kLength ? "its answer was cut off at 1024 tokens" : "it answered without calling the tool that it was asked to call";
    out.hint = "subagents work through tool calls: choose a model, or a server setting, that supports them";
  }
  return out;
}

}  // namespace paddock::orchestrator

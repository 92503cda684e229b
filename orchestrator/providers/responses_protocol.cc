#include "orchestrator/providers/responses_protocol.h"

#include "orchestrator/providers/request_text.h"
#include "orchestrator/providers/responses_stream.h"

namespace paddock::orchestrator {
namespace {

using agentcore::ToolCall;
using agentcore::ToolSpec;

Json Message(const char* role, const std::string& content) { return Json{{"role", role}, {"content", content}}; }

void AddQuestion(const Said& said, Json* input) {
  for (const Said::Outcome& outcome : said.outcomes) input->push_back(Json{{"type", "function_call_output"}, {"call_id", outcome.id}, {"output", outcome.text}});
  if (!said.words.empty()) input->push_back(Message("user", said.words));
}

void AddAnswer(const agentcore::ModelTurn& answer, bool thoughts, Json* input) {
  // Reasoning is only taken in front of what came of it.
  thoughts = thoughts && !(answer.text.empty() && answer.calls.empty());
  size_t next = 0;
  const auto add_thoughts = [&](size_t before_call) {
    for (; thoughts && next < answer.reasoning.size() && answer.reasoning[next].before_call <= before_call; ++next) input->push_back(answer.reasoning[next].item);
  };
  add_thoughts(0);
  if (!answer.text.empty()) input->push_back(Message("assistant", answer.text));
  for (size_t i = 0; i < answer.calls.size(); ++i) {
    add_thoughts(i);
    const ToolCall& call = answer.calls[i];
    input->push_back(Json{{"type", "function_call"}, {"call_id", call.id}, {"name", SafeName(call.tool)}, {"arguments", DumpJson(SafeArguments(call))}});
  }
}

Json Tool(const ToolSpec& spec) {
  return Json{{"type", "function"}, {"name", spec.name}, {"description", spec.description}, {"parameters", SlimSchema(spec.parameters)}, {"strict", false}};
}

}  // namespace

HttpHeaders ResponsesProtocol::Headers(const std::string& key) const {
  if (key.empty()) return {};
  return {{"Authorization", "Bearer " + key}};
}

Json ResponsesProtocol::Body(const agentcore::ModelRequest& request, const ModelSettings& settings, const std::string& who) const {
  Json input = Json::array();
  for (const Said& said : Dialogue(request)) {
    if (said.answer) AddAnswer(*said.answer, said.answer->reasoned_by == who, &input);
    else AddQuestion(said, &input);
  }
  Json body = Json{{"model", settings.model}, {"instructions", request.system}, {"input", std::move(input)}, {"stream", true}};
  if (store_) body["store"] = false;
  if (include_) body["include"] = Json::array({"reasoning.encrypted_content"});
  if (!request.wrap_up)
    for (const ToolSpec& tool : request.tools) body["tools"].push_back(Tool(tool));
  body["tools"].push_back(Tool(request.report));
  if (request.wrap_up && tool_choice_) body["tool_choice"] = "required";
  if (request.max_output_tokens > 0 && output_limit_) body["max_output_tokens"] = request.max_output_tokens;
  if (effort_ && settings.effort != ModelEffort::kDefault) body["reasoning"] = Json{{"effort", NameOf(settings.effort)}};
  return body;
}

bool ResponsesProtocol::LeaveOut(const std::string& refusal) {
  const auto names = [&](const char* field) { return refusal.find(field) != std::string::npos; };
  if (include_ && (names("include") || names("encrypted_content"))) include_ = false;
  else if (store_ && names("store")) store_ = false;
  else if (tool_choice_ && names("tool_choice")) tool_choice_ = false;
  else if (output_limit_ && names("max_output_tokens")) output_limit_ = false;
  else if (effort_ && names("reasoning")) effort_ = false;
  else return false;
  return true;
}

std::unique_ptr<AnswerStream> ResponsesProtocol::NewStream() const { return std::make_unique<ResponsesStream>(); }

}  // namespace paddock::orchestrator

#include "orchestrator/providers/chat_protocol.h"

#include "orchestrator/providers/chat_stream.h"
#include "orchestrator/providers/request_text.h"

namespace paddock::orchestrator {
namespace {

using agentcore::ToolCall;
using agentcore::ToolSpec;

Json Message(const char* role, std::string content) { return Json{{"role", role}, {"content", std::move(content)}}; }

void AddQuestion(const Said& said, Json* messages) {
  for (const Said::Outcome& outcome : said.outcomes) messages->push_back(Json{{"role", "tool"}, {"tool_call_id", outcome.id}, {"content", outcome.text}});
  if (!said.words.empty()) messages->push_back(Message("user", said.words));
}

void AddAnswer(const agentcore::ModelTurn& answer, bool thoughts, Json* messages) {
  if (answer.text.empty() && answer.calls.empty()) return;
  Json message = Message("assistant", answer.text);
  if (answer.text.empty()) message["content"] = nullptr;
  for (const ToolCall& call : answer.calls)
    message["tool_calls"].push_back(Json{{"id", call.id}, {"type", "function"}, {"function", Json{{"name", SafeName(call.tool)}, {"arguments", DumpJson(SafeArguments(call))}}}});
  // Wanted with the calls that came of them; elsewhere they would only be paid for.
  if (thoughts && !answer.calls.empty() && !answer.reasoning.empty()) message.update(answer.reasoning.front().item);
  messages->push_back(std::move(message));
}

Json Tool(const ToolSpec& spec) {
  return Json{{"type", "function"}, {"function", Json{{"name", spec.name}, {"description", spec.description}, {"parameters", SlimSchema(spec.parameters)}}}};
}

}  // namespace

HttpHeaders ChatProtocol::Headers(const std::string& key) const {
  if (key.empty()) return {};
  return {{"Authorization", "Bearer " + key}};
}

Json ChatProtocol::Body(const agentcore::ModelRequest& request, const ModelSettings& settings, const std::string& who) const {
  Json messages = Json::array({Message("system", request.system)});
  for (const Said& said : Dialogue(request)) {
    if (said.answer) AddAnswer(*said.answer, thoughts_ && said.answer->reasoned_by == who, &messages);
    else AddQuestion(said, &messages);
  }
  Json body = Json{{"model", settings.model}, {"messages", std::move(messages)}, {"stream", true}};
  if (stream_options_) body["stream_options"] = Json{{"include_usage", true}};
  if (!request.wrap_up)
    for (const ToolSpec& tool : request.tools) body["tools"].push_back(Tool(tool));
  body["tools"].push_back(Tool(request.report));
  if (request.wrap_up && tool_choice_) body["tool_choice"] = "required";
  if (request.max_output_tokens > 0 && !output_limit_.empty()) body[output_limit_] = request.max_output_tokens;
  if (effort_ && settings.effort != ModelEffort::kDefault) body["reasoning_effort"] = NameOf(settings.effort);
  return body;
}

bool ChatProtocol::LeaveOut(const std::string& refusal) {
  const auto names = [&](const std::string& field) { return !field.empty() && refusal.find(field) != std::string::npos; };
  if (stream_options_ && names("stream_options")) stream_options_ = false;
  else if (tool_choice_ && names("tool_choice")) tool_choice_ = false;
  else if (effort_ && names("reasoning_effort")) effort_ = false;
  else if (thoughts_ && names("reasoning") && !names("reasoning_effort")) thoughts_ = false;
  else if (names(output_limit_)) output_limit_ = output_limit_ == "max_completion_tokens" ? "max_tokens" : "";
  else return false;
  return true;
}

std::unique_ptr<AnswerStream> ChatProtocol::NewStream() const { return std::make_unique<ChatStream>(); }

}  // namespace paddock::orchestrator

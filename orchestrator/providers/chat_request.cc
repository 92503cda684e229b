#include "orchestrator/providers/chat_request.h"

#include <algorithm>

namespace paddock::orchestrator {
namespace {

using agentcore::CallOutcome;
using agentcore::ModelRequest;
using agentcore::ToolCall;
using agentcore::ToolSpec;

constexpr char kReportNow[] = "Only the tool report is on offer from now on: hand in your report, with what was found so far.";
constexpr char kNotRun[] = "not run: the turn ended before this call";

Json Message(const char* role, std::string content) { return Json{{"role", role}, {"content", std::move(content)}}; }

// Names that a server takes in a history: 1 to 64 of [A-Za-z0-9_-].
std::string SafeName(const std::string& name) {
  std::string safe = name.substr(0, 64);
  for (char& c : safe)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return safe.empty() ? "none" : safe;
}

std::string FirstMessage(const ModelRequest& request) {
  std::string text = "Goal:\n" + request.goal;
  if (!request.context.empty()) text += "\n\nWhat is known already:\n" + request.context;
  return text + "\n\nYou have " + std::to_string(request.max_turns) + " turns, the report included.";
}

Json ToolMessage(const std::string& id, std::string content) {
  return Json{{"role", "tool"}, {"tool_call_id", id}, {"content", std::move(content)}};
}

// Outcomes of `calls`, the notice, and the word that ends the work: what a model is shown before it answers.
void AddQuestion(const std::vector<ToolCall>& calls, const std::vector<CallOutcome>& outcomes, const std::string& notice, bool wrap_up, Json* messages) {
  for (const ToolCall& call : calls) {
    auto found = std::find_if(outcomes.begin(), outcomes.end(), [&](const CallOutcome& one) { return one.call.id == call.id; });
    messages->push_back(ToolMessage(call.id, found == outcomes.end() ? kNotRun : found->text));
  }
  std::string words = notice;
  if (wrap_up) words += (words.empty() ? "" : "\n") + std::string(kReportNow);
  if (!words.empty()) messages->push_back(Message("user", words));
}

void AddAnswer(const agentcore::ModelTurn& answer, Json* messages) {
  if (answer.text.empty() && answer.calls.empty()) return;
  Json message = Message("assistant", answer.text);
  if (answer.text.empty()) message["content"] = nullptr;
  for (const ToolCall& call : answer.calls)
    message["tool_calls"].push_back(Json{{"id", call.id}, {"type", "function"},
                                         {"function", Json{{"name", SafeName(call.tool)}, {"arguments", call.arguments.is_object() ? DumpJson(call.arguments) : "{}"}}}});
  messages->push_back(std::move(message));
}

Json Tool(const ToolSpec& spec) {
  return Json{{"type", "function"}, {"function", Json{{"name", spec.name}, {"description", spec.description}, {"parameters", SlimSchema(spec.parameters)}}}};
}

}  // namespace

Json SlimSchema(const Json& schema) {
  if (schema.is_array()) {
    Json out = Json::array();
    for (const Json& item : schema) out.push_back(SlimSchema(item));
    return out;
  }
  if (!schema.is_object()) return schema;
  Json out = Json::object();
  for (auto it = schema.begin(); it != schema.end(); ++it) {
    const bool bound = it.key() == "maxLength" || it.key() == "minLength" || it.key() == "maxItems" || it.key() == "minItems" || it.key() == "$schema";
    if (bound && !it.value().is_object()) continue;
    // Names of properties are not keywords.
    if (it.key() == "properties" && it.value().is_object()) {
      Json& properties = out["properties"] = Json::object();
      for (auto one = it.value().begin(); one != it.value().end(); ++one) properties[one.key()] = SlimSchema(one.value());
    } else if (it.key() == "enum" || it.key() == "const" || it.key() == "default") {
      out[it.key()] = it.value();
    } else {
      out[it.key()] = SlimSchema(it.value());
    }
  }
  return out;
}

Json ChatRequestBody(const ModelRequest& request, const std::string& model, const ChatDialect& dialect) {
  Json messages = Json::array({Message("system", request.system), Message("user", FirstMessage(request))});
  std::vector<ToolCall> open;
  for (const agentcore::TranscriptTurn& turn : request.past) {
    AddQuestion(open, turn.shown, turn.notice, turn.wrap_up, &messages);
    AddAnswer(turn.answer, &messages);
    open = turn.answer.calls;
  }
  AddQuestion(open, request.latest, request.notice, request.wrap_up, &messages);

  Json body = Json{{"model", model}, {"messages", std::move(messages)}, {"stream", true}};
  if (dialect.stream_options) body["stream_options"] = Json{{"include_usage", true}};
  if (!request.wrap_up)
    for (const ToolSpec& tool : request.tools) body["tools"].push_back(Tool(tool));
  body["tools"].push_back(Tool(request.report));
  if (request.wrap_up && dialect.tool_choice) body["tool_choice"] = "required";
  if (request.max_output_tokens > 0 && !dialect.output_limit.empty()) body[dialect.output_limit] = request.max_output_tokens;
  return body;
}

}  // namespace paddock::orchestrator

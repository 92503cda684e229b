#include "orchestrator/providers/request_text.h"

#include <algorithm>

namespace paddock::orchestrator {
namespace {

using agentcore::CallOutcome;
using agentcore::ModelRequest;
using agentcore::ToolCall;

constexpr char kReportNow[] = "Only the tool report is on offer from now on: hand in your report, with what was found so far.";
constexpr char kNotRun[] = "not run: the turn ended before this call";

std::string FirstWords(const ModelRequest& request) {
  std::string text = "Goal:\n" + request.goal;
  if (!request.context.empty()) text += "\n\nWhat is known already:\n" + request.context;
  if (!request.memory.empty()) text += "\n\n" + request.memory;
  return text + "\n\nYou have " + std::to_string(request.max_turns) + (request.max_turns == 1 ? " turn" : " turns") + ", the report included.";
}

// Outcomes of `calls`, the notice, and the word that ends the work: what a model is shown before it answers.
Said Question(const std::vector<ToolCall>& calls, const std::vector<CallOutcome>& outcomes, const std::string& notice, bool wrap_up) {
  Said said;
  for (const ToolCall& call : calls) {
    auto found = std::find_if(outcomes.begin(), outcomes.end(), [&](const CallOutcome& one) { return one.call.id == call.id; });
    if (found == outcomes.end()) said.outcomes.push_back({call.id, kNotRun, true});
    else said.outcomes.push_back({call.id, found->text, !found->result.success});
  }
  said.words = notice;
  if (wrap_up) said.words += (said.words.empty() ? "" : "\n") + std::string(kReportNow);
  return said;
}

}  // namespace

std::vector<Said> Dialogue(const ModelRequest& request) {
  std::vector<Said> dialogue(1);
  dialogue.front().words = FirstWords(request);
  const std::vector<ToolCall> none;
  const std::vector<ToolCall>* open = &none;
  for (const agentcore::TranscriptTurn& turn : request.past) {
    dialogue.push_back(Question(*open, turn.shown, turn.notice, turn.wrap_up));
    dialogue.emplace_back().answer = &turn.answer;
    open = &turn.answer.calls;
  }
  dialogue.push_back(Question(*open, request.latest, request.notice, request.wrap_up));
  return dialogue;
}

std::string SafeName(const std::string& name) {
  std::string safe = name.substr(0, 64);
  for (char& c : safe)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return safe.empty() ? "none" : safe;
}

Json SafeArguments(const ToolCall& call) { return call.arguments.is_object() ? call.arguments : Json::object(); }

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

}  // namespace paddock::orchestrator

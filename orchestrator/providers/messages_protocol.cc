#include "orchestrator/providers/messages_protocol.h"

#include <algorithm>

#include "orchestrator/providers/messages_stream.h"
#include "orchestrator/providers/request_text.h"

namespace paddock::orchestrator {
namespace {

using agentcore::ToolCall;
using agentcore::ToolSpec;

constexpr int64_t kDefaultOutput = 8192;   // the limit is required here
constexpr int64_t kLeastThinking = 1024;   // the server's own

Json TextBlock(const std::string& text) { return Json{{"type", "text"}, {"text", text}}; }
// A block of text that is blank is refused.
bool IsBlank(const std::string& text) { return text.find_first_not_of(" \t\r\n\f\v") == std::string::npos; }

// Blocks of one side that follow each other are one message.
void Add(const char* role, Json blocks, Json* messages) {
  if (blocks.empty()) return;
  if (!messages->empty() && messages->back()["role"] == role) {
    for (Json& block : blocks) messages->back()["content"].push_back(std::move(block));
    return;
  }
  messages->push_back(Json{{"role", role}, {"content", std::move(blocks)}});
}

Json QuestionBlocks(const Said& said) {
  Json blocks = Json::array();
  for (const Said::Outcome& outcome : said.outcomes) {
    Json block = Json{{"type", "tool_result"}, {"tool_use_id", outcome.id}, {"content", outcome.text}};
    if (outcome.failed) block["is_error"] = true;
    blocks.push_back(std::move(block));
  }
  if (!IsBlank(said.words)) blocks.push_back(TextBlock(said.words));
  return blocks;
}

Json AnswerBlocks(const agentcore::ModelTurn& answer, bool thoughts) {
  Json blocks = Json::array();
  if (answer.calls.empty() && IsBlank(answer.text)) return blocks;
  size_t next = 0;
  const auto add_thoughts = [&](size_t before_call) {
    for (; thoughts && next < answer.reasoning.size() && answer.reasoning[next].before_call <= before_call; ++next) blocks.push_back(answer.reasoning[next].item);
  };
  add_thoughts(0);
  if (!IsBlank(answer.text)) blocks.push_back(TextBlock(answer.text));
  for (size_t i = 0; i < answer.calls.size(); ++i) {
    add_thoughts(i);
    const ToolCall& call = answer.calls[i];
    blocks.push_back(Json{{"type", "tool_use"}, {"id", call.id}, {"name", SafeName(call.tool)}, {"input", SafeArguments(call)}});
  }
  return blocks;
}

Json Tool(const ToolSpec& spec) { return Json{{"name", spec.name}, {"description", spec.description}, {"input_schema", SlimSchema(spec.parameters)}}; }

int64_t ThinkingTokens(ModelEffort effort, int64_t output) {
  const int64_t wanted = effort == ModelEffort::kLow ? 2048 : effort == ModelEffort::kMedium ? 8192 : effort == ModelEffort::kHigh ? 24'576 : 0;
  const int64_t most = output / 2;  // an answer must have room, too
  return most < kLeastThinking ? 0 : std::min(wanted, most);
}

}  // namespace

HttpHeaders MessagesProtocol::Headers(const std::string& key) const {
  HttpHeaders headers = {{"anthropic-version", "2023-06-01"}};
  if (!key.empty()) headers.emplace_back("x-api-key", key);
  return headers;
}

Json MessagesProtocol::Body(const agentcore::ModelRequest& request, const ModelSettings& settings, const std::string& who) const {
  Json messages = Json::array();
  for (const Said& said : Dialogue(request)) {
    if (said.answer) Add("assistant", AnswerBlocks(*said.answer, said.answer->reasoned_by == who), &messages);
    else Add("user", QuestionBlocks(said), &messages);
  }
  // Else the model would go on with its own last words.
  if (messages.empty() || messages.back()["role"] != "user") Add("user", Json::array({TextBlock("Go on.")}), &messages);
  const int64_t output = request.max_output_tokens > 0 ? request.max_output_tokens : kDefaultOutput;
  Json system = TextBlock(request.system);
  if (cache_control_) {
    // Tools and system prompt, and all of the conversation so far.
    const Json mark = Json{{"type", "ephemeral"}};
    system["cache_control"] = mark;
    messages.back()["content"].back()["cache_control"] = mark;
  }
  Json body = Json{{"model", settings.model}, {"max_tokens", output}, {"messages", std::move(messages)}, {"stream", true}};
  if (!IsBlank(request.system)) body["system"] = Json::array({std::move(system)});
  if (!request.wrap_up)
    for (const ToolSpec& tool : request.tools) body["tools"].push_back(Tool(tool));
  body["tools"].push_back(Tool(request.report));
  const int64_t thinking = thinking_ ? ThinkingTokens(settings.effort, output) : 0;
  if (thinking > 0) body["thinking"] = Json{{"type", "enabled"}, {"budget_tokens", thinking}};
  // A model that thinks can't be made to call a tool.
  if (request.wrap_up && tool_choice_ && thinking == 0) body["tool_choice"] = Json{{"type", "any"}};
  return body;
}

bool MessagesProtocol::LeaveOut(const std::string& refusal) {
  const auto names = [&](const char* field) { return refusal.find(field) != std::string::npos; };
  if (cache_control_ && names("cache_control")) cache_control_ = false;
  else if (thinking_ && names("budget_tokens")) thinking_ = false;
  else if (tool_choice_ && names("tool_choice")) tool_choice_ = false;
  else return false;
  return true;
}

std::unique_ptr<AnswerStream> MessagesProtocol::NewStream() const { return std::make_unique<MessagesStream>(); }

}  // namespace paddock::orchestrator

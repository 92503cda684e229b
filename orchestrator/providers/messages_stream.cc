#include "orchestrator/providers/messages_stream.h"

#include <algorithm>

#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {
namespace {

using agentcore::Finish;

int64_t IndexOf(const Json& event) {
  const Json* index = Member(event, "index");
  return index && index->is_number_integer() ? index->get<int64_t>() : -1;
}

Finish FinishOf(const std::string& reason) {
  if (reason == "max_tokens" || reason == "model_context_window_exceeded") return Finish::kLength;
  return reason == "refusal" ? Finish::kRefused : Finish::kStop;
}

}  // namespace

Result<bool> MessagesStream::BeginBlock(int64_t index, const Json& block) {
  const std::string type = TextMember(block, "type");
  if (type == "text") {
    blocks_[index] = {};
    const std::string text = TextMember(block, "text");
    TRY(answer_.Count(text.size()));
    answer_.text += text;
    return !text.empty();
  }
  if (type == "tool_use") {
    AnswerCall* call = TRY(AddCall());
    blocks_[index] = {answer_.calls.size() - 1, {}};
    call->name = BoundedName(TextMember(block, "name"));
    // Empty in a stream, where pieces follow; whole else.
    if (const Json* input = Member(block, "input"); input && !input->empty()) {
      call->arguments = DumpJson(*input);
      TRY(answer_.Count(call->arguments.size()));
    }
    return true;
  }
  if (type != "thinking" && type != "redacted_thinking") return false;
  answer_.reasoned = true;
  TRY(answer_.Count(DumpJson(block).size()));
  answer_.reasoning.push_back({answer_.calls.size(), block});
  blocks_[index] = {{}, answer_.reasoning.size() - 1};
  return true;
}

Result<bool> MessagesStream::TakeReasoning(Block* block, const Json& piece, const char* key) {
  if (!block->reasoning || !piece.is_string()) return false;
  Json& kept = answer_.reasoning[*block->reasoning].item[key];
  if (!kept.is_string()) kept = "";
  const std::string& text = piece.get_ref<const std::string&>();
  TRY(answer_.Count(text.size()));
  kept.get_ref<std::string&>() += text;
  return !text.empty();
}

Result<bool> MessagesStream::TakeDelta(int64_t index, const Json& delta) {
  auto found = blocks_.find(index);
  if (found == blocks_.end()) return false;  // of a block that nobody knows
  Block& block = found->second;
  if (const Json* text = Member(delta, "text"); text && text->is_string() && !block.call && !block.reasoning) {
    const std::string& piece = text->get_ref<const std::string&>();
    TRY(answer_.Count(piece.size()));
    answer_.text += piece;
    return !piece.empty();
  }
  if (const Json* json = Member(delta, "partial_json"); json && json->is_string() && block.call) {
    const std::string& piece = json->get_ref<const std::string&>();
    TRY(answer_.Count(piece.size()));
    answer_.calls[*block.call].arguments += piece;
    return !piece.empty();
  }
  for (const char* key : {"thinking", "signature"})
    if (const Json* piece = Member(delta, key)) return TakeReasoning(&block, *piece, key);
  return false;
}

// Counts are those so far: a later one stands in an earlier one's place. What was read from a cache, or written to it, is not in input_tokens.
void MessagesStream::TakeUsage(const Json& usage) {
  const int64_t in = CountMember(usage, "input_tokens"), out = CountMember(usage, "output_tokens");
  const int64_t read = std::max<int64_t>(CountMember(usage, "cache_read_input_tokens"), 0), written = std::max<int64_t>(CountMember(usage, "cache_creation_input_tokens"), 0);
  if (in + read + written > 0) {
    answer_.usage.input_tokens = std::max<int64_t>(in, 0) + read + written;
    if (CountMember(usage, "cache_read_input_tokens") >= 0) answer_.usage.cached_tokens = read;
  }
  if (out >= 0) answer_.usage.output_tokens = out;
  answer_.has_usage = answer_.usage.input_tokens > 0;
}

void MessagesStream::TakeStop(const Json& from) {
  if (std::string reason = TextMember(from, "stop_reason"); !reason.empty()) answer_.finish = FinishOf(reason);
}

Result<AnswerStream::Took> MessagesStream::Take(const Json& event) {
  if (!event.is_object()) return Fail(ErrorKind::kProtocol, "the model's server sent an event that is no object");
  const std::string type = TextMember(event, "type");
  bool progress = false;
  if (type == "message_stop") {
    if (!answer_.finish) return Fail(ErrorKind::kProtocol, "the model's server ended its answer without saying why");
    return Took::kEnd;
  }
  if (type == "message_start") {
    const Json* message = Member(event, "message");
    const Json* usage = message ? Member(*message, "usage") : nullptr;
    if (usage) TakeUsage(*usage);
  } else if (type == "content_block_start") {
    if (const Json* block = Member(event, "content_block")) progress = TRY(BeginBlock(IndexOf(event), *block));
  } else if (type == "content_block_delta") {
    if (const Json* delta = Member(event, "delta")) progress = TRY(TakeDelta(IndexOf(event), *delta));
  } else if (type == "message_delta") {
    if (const Json* usage = Member(event, "usage")) TakeUsage(*usage);
    if (const Json* delta = Member(event, "delta")) TakeStop(*delta);
    progress = finished();
  }
  return progress ? Took::kProgress : Took::kNothing;
}

Status MessagesStream::TakeWhole(const Json& body) {
  const Json* content = Member(body, "content");
  if (!content || !content->is_array()) return Fail(ErrorKind::kProtocol, "the model's server answered something that is no message");
  int64_t index = 0;
  for (const Json& block : *content) TRY(BeginBlock(index++, block));
  if (const Json* usage = Member(body, "usage")) TakeUsage(*usage);
  TakeStop(body);
  if (!finished()) answer_.finish = Finish::kStop;
  return {};
}

}  // namespace paddock::orchestrator

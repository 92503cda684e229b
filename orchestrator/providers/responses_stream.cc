#include "orchestrator/providers/responses_stream.h"

#include <algorithm>

#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {
namespace {

using agentcore::Finish;

int64_t IndexOf(const Json& event) {
  const Json* index = Member(event, "output_index");
  return index && index->is_number_integer() ? index->get<int64_t>() : -1;
}

}  // namespace

const Json* ResponsesStream::FaultIn(const Json& event) const {
  const std::string type = TextMember(event, "type");
  if (type == "error") return &event;
  if (type == "response.failed") {
    const Json* response = Member(event, "response");
    return response ? response : &event;
  }
  return AnswerStream::FaultIn(event);
}

Result<bool> ResponsesStream::TakePiece(const Json& piece, std::string* to) {
  if (!piece.is_string()) return false;
  const std::string& text = piece.get_ref<const std::string&>();
  TRY(answer_.Count(text.size()));
  *to += text;
  return !text.empty();
}

Result<AnswerCall*> ResponsesStream::CallOf(int64_t output_index) {
  auto found = calls_.find(output_index);
  if (found != calls_.end()) return &answer_.calls[found->second];
  AnswerCall* call = TRY(AddCall());
  calls_[output_index] = answer_.calls.size() - 1;
  return call;
}

Result<bool> ResponsesStream::BeginItem(int64_t output_index, const Json& item) {
  const std::string type = TextMember(item, "type");
  if (type != "function_call") return type == "reasoning" || type == "message";
  AnswerCall* call = TRY(CallOf(output_index));
  call->name = BoundedName(TextMember(item, "name"));
  return true;
}

Result<bool> ResponsesStream::TakeArguments(int64_t output_index, const Json& event, bool whole) {
  AnswerCall* call = TRY(CallOf(output_index));
  const Json* piece = Member(event, whole ? "arguments" : "delta");
  if (!piece) return false;
  if (whole && piece->is_string()) {
    const std::string& text = piece->get_ref<const std::string&>();
    if (text.empty() || text == call->arguments) return false;
    call->arguments.clear();
  }
  return TakePiece(*piece, &call->arguments);
}

// Parts of a message: text, and refusals.
Status ResponsesStream::TakeContent(const Json& message) {
  const Json* content = Member(message, "content");
  if (!content || !content->is_array()) return {};
  for (const Json& part : *content) {
    if (const Json* text = Member(part, "text")) TRY(TakePiece(*text, &answer_.text));
    if (const Json* refusal = Member(part, "refusal")) TRY(TakePiece(*refusal, &answer_.refusal));
  }
  return {};
}

Result<bool> ResponsesStream::EndItem(int64_t output_index, const Json& item) {
  const std::string type = TextMember(item, "type");
  if (type == "function_call") {
    AnswerCall* call = TRY(CallOf(output_index));
    if (std::string name = BoundedName(TextMember(item, "name")); !name.empty()) call->name = name;
    TRY(TakeArguments(output_index, item, true));
    return true;
  }
  if (type == "message") {
    if (!heard_.contains(output_index)) TRY(TakeContent(item));
    return true;
  }
  if (type != "reasoning") return false;
  answer_.reasoned = true;
  TRY(answer_.Count(DumpJson(item).size()));
  Json kept = item;
  kept.erase("status");  // the one field of it that a question may not have
  answer_.reasoning.push_back({answer_.calls.size(), std::move(kept)});
  return true;
}

// What the last event, or an answer that was not streamed, says of the whole.
Status ResponsesStream::TakeResponse(const Json& response) {
  const bool nothing_yet = answer_.text.empty() && answer_.refusal.empty() && answer_.calls.empty();
  if (const Json* output = Member(response, "output"); nothing_yet && output && output->is_array()) {
    answer_.reasoning.clear();
    heard_.clear();
    int64_t index = 0;
    for (const Json& item : *output) TRY(EndItem(index++, item));
  }
  if (const Json* usage = Member(response, "usage")) {
    const int64_t in = CountMember(*usage, "input_tokens"), out = CountMember(*usage, "output_tokens");
    answer_.has_usage = in > 0 && out >= 0;
    if (answer_.has_usage) {
      answer_.usage.input_tokens = in;
      answer_.usage.output_tokens = out;
      if (const Json* details = Member(*usage, "input_tokens_details")) answer_.usage.cached_tokens = CachedMember(*details, in);
    }
  }
  answer_.finish = Finish::kStop;
  if (TextMember(response, "status") != "incomplete") return {};
  const Json* details = Member(response, "incomplete_details");
  answer_.finish = details && TextMember(*details, "reason") == "content_filter" ? Finish::kRefused : Finish::kLength;
  return {};
}

Result<AnswerStream::Took> ResponsesStream::Take(const Json& event) {
  if (!event.is_object()) return Fail(ErrorKind::kProtocol, "the model's server sent an event that is no object");
  const std::string type = TextMember(event, "type");
  const int64_t index = IndexOf(event);
  bool progress = false;
  if (type == "response.completed" || type == "response.incomplete") {
    const Json* response = Member(event, "response");
    if (!response) return Fail(ErrorKind::kProtocol, "the model's server ended its answer without saying what it was");
    TRY(TakeResponse(*response));
    if (type == "response.incomplete" && answer_.finish == Finish::kStop) answer_.finish = Finish::kLength;
    return Took::kEnd;
  }
  if (type == "response.output_text.delta" || type == "response.refusal.delta") {
    std::string* to = type == "response.refusal.delta" ? &answer_.refusal : &answer_.text;
    if (const Json* piece = Member(event, "delta")) progress = TRY(TakePiece(*piece, to));
    if (progress) ++heard_[index];
  } else if (type == "response.function_call_arguments.delta" || type == "response.function_call_arguments.done") {
    progress = TRY(TakeArguments(index, event, type.ends_with(".done")));
  } else if (type == "response.output_item.added" || type == "response.output_item.done") {
    if (const Json* item = Member(event, "item")) progress = type.ends_with(".done") ? TRY(EndItem(index, *item)) : TRY(BeginItem(index, *item));
  } else if (type.starts_with("response.reasoning") && type.ends_with(".delta")) {
    const std::string piece = TextMember(event, "delta");
    TRY(answer_.Count(piece.size()));
    answer_.reasoned = answer_.reasoned || !piece.empty();
    progress = !piece.empty();
  }
  return progress ? Took::kProgress : Took::kNothing;
}

Status ResponsesStream::TakeWhole(const Json& body) {
  if (!Member(body, "output") || !Member(body, "output")->is_array()) return Fail(ErrorKind::kProtocol, "the model's server answered something that is no response");
  return TakeResponse(body);
}

}  // namespace paddock::orchestrator

#include "orchestrator/providers/chat_stream.h"

#include <algorithm>

#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {
namespace {

using agentcore::Finish;

constexpr size_t kMaxLookedAt = 8192;

Finish FinishOf(const std::string& reason) {
  return reason == "length" ? Finish::kLength : reason == "content_filter" ? Finish::kRefused : Finish::kStop;
}

}  // namespace

Result<bool> ChatStream::TakeText(const Json& content, std::string* to) {
  std::string text;
  if (content.is_string()) text = content.get<std::string>();
  else if (content.is_array())  // parts: {"type": "text", "text": ...}
    for (const Json& part : content) text += TextMember(part, "text");
  TRY(answer_.Count(text.size()));
  *to += text;
  return !text.empty();
}

// Some servers want their thoughts back with the calls that came of them, under the name that they gave them.
Result<bool> ChatStream::TakeThought(const Json& thought, const char* key) {
  std::string text;
  const bool progress = TRY(TakeText(thought, &text));
  if (!progress) return false;
  answer_.reasoned = true;
  if (answer_.reasoning.empty()) answer_.reasoning.push_back({0, Json::object()});
  Json& kept = answer_.reasoning.front().item[key];
  if (!kept.is_string()) kept = "";
  kept.get_ref<std::string&>() += text;
  return true;
}

// Looked at once a length, and only while they are short: else a server could have the same megabytes parsed for ever.
bool ChatStream::IsWhole(size_t i) {
  const std::string& arguments = answer_.calls[i].arguments;
  Seen& seen = seen_[i];
  if (seen.looked_at != arguments.size()) {
    seen.looked_at = arguments.size();
    seen.whole = seen.looked_at <= kMaxLookedAt && arguments.ends_with('}') && ParseJson(arguments).has_value();
  }
  return seen.whole;
}

Result<AnswerCall*> ChatStream::CallFor(const Json& part, const std::string& id, const std::string& name) {
  const Json* number = Member(part, "index");
  const int64_t index = number && number->is_number_integer() ? number->get<int64_t>() : -1;
  // The last call of that index, or the last one where the server numbers nothing.
  std::optional<size_t> found;
  for (size_t i = 0; i < seen_.size(); ++i)
    if (index < 0 || seen_[i].index == index) found = i;
  if (found && index < 0 && !id.empty() && id != seen_[*found].id) found.reset();
  // Another call under the same index: servers that number all parallel calls 0.
  if (found && !id.empty() && !seen_[*found].id.empty() && id != seen_[*found].id) found.reset();
  // Without ids a name that comes again begins another call, unless the one before is still open.
  if (found && id.empty() && !name.empty() && !answer_.calls[*found].name.empty() && (name != answer_.calls[*found].name || IsWhole(*found))) found.reset();
  if (!found) {
    TRY(AddCall());
    found = seen_.size();
    seen_.push_back({id, index});
  }
  if (!id.empty()) seen_[*found].id = id;
  return &answer_.calls[*found];
}

Result<bool> ChatStream::TakeCalls(const Json& calls) {
  if (!calls.is_array()) return false;
  bool progress = false;
  for (const Json& part : calls) {
    if (!part.is_object()) continue;
    const Json* function = Member(part, "function");
    const std::string id = BoundedName(TextMember(part, "id"));
    const std::string name = function ? BoundedName(TextMember(*function, "name")) : "";
    const Json* arguments = function ? Member(*function, "arguments") : nullptr;
    AnswerCall* call = TRY(CallFor(part, id, name));
    if (!name.empty()) call->name = name;
    if (arguments && arguments->is_string()) {
      const std::string& text = arguments->get_ref<const std::string&>();
      call->arguments += text;
      TRY(answer_.Count(text.size()));
      progress = progress || !text.empty();
    } else if (arguments) {
      call->arguments = DumpJson(*arguments);
      TRY(answer_.Count(call->arguments.size()));
      progress = true;
    }
    progress = progress || !name.empty();
  }
  return progress;
}

Result<bool> ChatStream::TakeDelta(const Json& delta) {
  bool progress = false;
  if (const Json* content = Member(delta, "content")) progress |= TRY(TakeText(*content, &answer_.text));
  for (const char* key : {"reasoning_content", "reasoning"})
    if (const Json* thought = Member(delta, key)) progress |= TRY(TakeThought(*thought, key));
  if (const Json* refusal = Member(delta, "refusal"); refusal && refusal->is_string()) {
    answer_.refusal += refusal->get_ref<const std::string&>();
    TRY(answer_.Count(refusal->get_ref<const std::string&>().size()));
    progress = true;
  }
  if (const Json* calls = Member(delta, "tool_calls")) progress |= TRY(TakeCalls(*calls));
  if (const Json* call = Member(delta, "function_call")) progress |= TRY(TakeCalls(Json::array({Json{{"index", 0}, {"function", *call}}})));
  return progress;
}

void ChatStream::TakeUsage(const Json& usage) {
  if (!usage.is_object() || (!Member(usage, "prompt_tokens") && !Member(usage, "completion_tokens"))) return;
  // The last one counts: some servers send a running count. What can't be a count is none.
  const int64_t in = CountMember(usage, "prompt_tokens"), out = CountMember(usage, "completion_tokens");
  answer_.has_usage = in > 0 && out >= 0;
  answer_.usage = {};
  if (!answer_.has_usage) return;
  answer_.usage.input_tokens = in;
  answer_.usage.output_tokens = out;
  if (const Json* details = Member(usage, "prompt_tokens_details")) answer_.usage.cached_tokens = CachedMember(*details, in);
}

Result<AnswerStream::Took> ChatStream::Take(const Json& chunk) {
  if (!chunk.is_object()) return Fail(ErrorKind::kProtocol, "the model's server sent a chunk that is no object");
  if (const Json* usage = Member(chunk, "usage")) TakeUsage(*usage);
  const Json* choices = Member(chunk, "choices");
  if (!choices || !choices->is_array() || choices->empty()) return Took::kNothing;
  const Json& choice = (*choices)[0];
  bool progress = false;
  if (const Json* delta = Member(choice, "delta")) progress = TRY(TakeDelta(*delta));
  else if (const Json* message = Member(choice, "message")) progress = TRY(TakeDelta(*message));
  if (std::string reason = TextMember(choice, "finish_reason"); !reason.empty()) {
    answer_.finish = FinishOf(reason);
    progress = true;
  }
  return progress ? Took::kProgress : Took::kNothing;
}

Status ChatStream::TakeWhole(const Json& body) {
  TRY(Take(body));
  if (answer_.empty() && !finished()) return Fail(ErrorKind::kProtocol, "the model's server answered something that is no chat completion");
  if (!finished()) answer_.finish = Finish::kStop;
  return {};
}

}  // namespace paddock::orchestrator

#include "orchestrator/providers/chat_stream.h"

#include <algorithm>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxAnswerBytes = 4u << 20;
constexpr size_t kMaxCalls = 128;
constexpr size_t kMaxNameBytes = 256;
constexpr size_t kMaxLookedAt = 8192;
constexpr char kReplacement[] = "\xEF\xBF\xBD";

const Json* Member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string TextMember(const Json& object, const char* key) {
  const Json* value = Member(object, key);
  return value && value->is_string() ? value->get<std::string>() : "";
}

// An id or a name, before anything is compared with it.
std::string Bounded(const std::string& text) { return std::string(TruncateUtf8(text, kMaxNameBytes)); }

bool IsHex4(std::string_view text) {
  return text.size() >= 4 && std::all_of(text.begin(), text.begin() + 4, [](unsigned char c) { return std::isxdigit(c); });
}
bool IsEscape(std::string_view text, char first, char last_from, char last_to) {
  // \uD800-\uDBFF is a high surrogate, \uDC00-\uDFFF a low one: the second hex digit tells.
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u' || !IsHex4(text.substr(2))) return false;
  const char second = static_cast<char>(std::tolower(static_cast<unsigned char>(text[3])));
  return std::tolower(static_cast<unsigned char>(text[2])) == first && second >= last_from && second <= last_to;
}
bool IsHigh(std::string_view text) { return IsEscape(text, 'd', '8', 'b'); }
bool IsLow(std::string_view text) { return IsEscape(text, 'd', 'c', 'f'); }

// Halves of a surrogate pair may come in two chunks. Until they meet, they stand as code points of a private plane, where
// they keep their order: U+10F800 is \uD800, U+10FFFF is \uDFFF.
constexpr char32_t kHalves = 0x10F800, kLowHalves = 0x10FC00, kLastHalf = 0x10FFFF;

// JSON text that a strict reader takes: U+FFFD for invalid bytes; halves as above, or as U+FFFD.
std::string CleanJsonText(std::string_view data, bool keep_halves) {
  std::string out;
  out.reserve(data.size());
  for (size_t i = 0; i < data.size();) {
    if (data[i] == '\\') {
      const std::string_view rest = data.substr(i);
      if (IsHigh(rest) && IsLow(rest.substr(6))) {
        out += rest.substr(0, 12);
        i += 12;
      } else if (IsHigh(rest) || IsLow(rest)) {
        if (keep_halves) AppendUtf8(&out, kHalves + static_cast<char32_t>(std::stoul(std::string(rest.substr(2, 4)), nullptr, 16)) - 0xD800);
        else out += kReplacement;
        i += 6;
      } else {
        out += rest.substr(0, 2);
        i += std::min<size_t>(2, rest.size());
      }
      continue;
    }
    char32_t ignored;
    const size_t length = DecodeUtf8(data.substr(i), &ignored);
    if (length == 0) out += kReplacement;
    else out += data.substr(i, length);
    i += std::max<size_t>(length, 1);
  }
  return out;
}

// Halves that met become their character, the others U+FFFD.
std::string JoinHalves(std::string text) {
  if (text.find("\xF4\x8F") == std::string::npos) return text;  // how all of them begin
  std::string out;
  char32_t high = 0;
  const auto lose_high = [&] {
    if (std::exchange(high, 0)) out += kReplacement;
  };
  for (size_t i = 0; i < text.size();) {
    char32_t point = 0;
    const size_t length = std::max<size_t>(DecodeUtf8(std::string_view(text).substr(i), &point), 1);
    if (point >= kLowHalves && point <= kLastHalf && high) {
      AppendUtf8(&out, 0x10000 + ((high - kHalves) << 10) + (point - kLowHalves));
      high = 0;
    } else if (point >= kHalves && point < kLowHalves) {
      lose_high();
      high = point;
    } else {
      lose_high();
      if (point >= kLowHalves && point <= kLastHalf) out += kReplacement;
      else out += text.substr(i, length);
    }
    i += length;
  }
  lose_high();
  return out;
}

// A count of tokens that can be one; -1 else.
int64_t CountMember(const Json& object, const char* key) {
  const Json* value = Member(object, key);
  if (!value || !value->is_number()) return -1;
  const double number = value->get<double>();
  return number >= 0 && number < 1e9 ? static_cast<int64_t>(number) : -1;
}

}  // namespace

Result<Json> ParseChunk(std::string_view data) {
  auto json = ParseJson(CleanJsonText(data, true));
  if (!json) return Fail(ErrorKind::kProtocol, "the model's server sent something that is no JSON: " + json.error().message);
  return json;
}

Status ChatStream::Count(size_t bytes) {
  bytes_ += bytes;
  if (bytes_ <= kMaxAnswerBytes) return {};
  return Fail(ErrorKind::kLimit, "the model's answer is longer than " + std::to_string(kMaxAnswerBytes >> 20) + " MiB");
}

Result<bool> ChatStream::TakeText(const Json& content, bool keep) {
  std::string text;
  if (content.is_string()) text = content.get<std::string>();
  else if (content.is_array())  // parts: {"type": "text", "text": ...}
    for (const Json& part : content) text += TextMember(part, "text");
  TRY(Count(text.size()));
  if (keep) text_ += text;
  else if (!text.empty()) reasoned_ = true;
  return !text.empty();
}

// Looked at once a length, and only while they are short: else a server could have the same megabytes parsed for ever.
bool ChatStream::IsWhole(Call* call) {
  if (call->looked_at != call->arguments.size()) {
    call->looked_at = call->arguments.size();
    call->whole = call->looked_at <= kMaxLookedAt && call->arguments.ends_with('}') && ParseJson(call->arguments).has_value();
  }
  return call->whole;
}

ChatStream::Call* ChatStream::CallFor(const Json& part, const std::string& id, const std::string& name) {
  const Json* number = Member(part, "index");
  const int64_t index = number && number->is_number_integer() ? number->get<int64_t>() : -1;
  // The last call of that index, or the last one where the server numbers nothing.
  Call* found = nullptr;
  for (size_t i = 0; i < calls_.size(); ++i)
    if (index < 0 || indices_[i] == index) found = &calls_[i];
  if (found && index < 0 && !id.empty() && id != found->id) found = nullptr;
  // Another call under the same index: servers that number all parallel calls 0.
  if (found && !id.empty() && !found->id.empty() && id != found->id) found = nullptr;
  // Without ids a name that comes again begins another call, unless the one before is still open.
  if (found && id.empty() && !name.empty() && !found->name.empty() && (name != found->name || IsWhole(found))) found = nullptr;
  if (found) return found;
  if (calls_.size() >= kMaxCalls) return nullptr;
  calls_.push_back({});
  indices_.push_back(index);
  return &calls_.back();
}

Result<bool> ChatStream::TakeCalls(const Json& calls) {
  if (!calls.is_array()) return false;
  bool progress = false;
  for (const Json& part : calls) {
    if (!part.is_object()) continue;
    const Json* function = Member(part, "function");
    const std::string id = Bounded(TextMember(part, "id"));
    const std::string name = function ? Bounded(TextMember(*function, "name")) : "";
    const Json* arguments = function ? Member(*function, "arguments") : nullptr;
    Call* call = CallFor(part, id, name);
    if (!call) return Fail(ErrorKind::kLimit, "the model's answer has more than " + std::to_string(kMaxCalls) + " calls");
    if (!id.empty()) call->id = id;
    if (!name.empty()) call->name = name;
    if (arguments && arguments->is_string()) {
      const std::string& text = arguments->get_ref<const std::string&>();
      call->arguments += text;
      TRY(Count(text.size()));
      progress = progress || !text.empty();
    } else if (arguments) {
      call->arguments = DumpJson(*arguments);
      TRY(Count(call->arguments.size()));
      progress = true;
    }
    progress = progress || !name.empty();
  }
  return progress;
}

Result<bool> ChatStream::TakeDelta(const Json& delta) {
  bool progress = false;
  if (const Json* content = Member(delta, "content")) progress |= TRY(TakeText(*content, true));
  for (const char* key : {"reasoning_content", "reasoning"})
    if (const Json* thought = Member(delta, key)) progress |= TRY(TakeText(*thought, false));
  if (const Json* refusal = Member(delta, "refusal"); refusal && refusal->is_string()) {
    refusal_ += refusal->get_ref<const std::string&>();
    TRY(Count(refusal->get_ref<const std::string&>().size()));
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
  has_usage_ = in > 0 && out >= 0;
  usage_ = has_usage_ ? agentcore::ModelUsage{in, out, false} : agentcore::ModelUsage{};
}

Result<ChatStream::Took> ChatStream::Take(const Json& chunk) {
  if (!chunk.is_object()) return Fail(ErrorKind::kProtocol, "the model's server sent a chunk that is no object");
  if (const Json* usage = Member(chunk, "usage")) TakeUsage(*usage);
  const Json* choices = Member(chunk, "choices");
  if (!choices || !choices->is_array() || choices->empty()) return Took::kNothing;
  const Json& choice = (*choices)[0];
  bool progress = false;
  if (const Json* delta = Member(choice, "delta")) progress = TRY(TakeDelta(*delta));
  else if (const Json* message = Member(choice, "message")) progress = TRY(TakeDelta(*message));
  if (std::string reason = TextMember(choice, "finish_reason"); !reason.empty()) {
    finish_reason_ = reason;
    progress = true;
  }
  return progress ? Took::kProgress : Took::kNothing;
}

Status ChatStream::TakeWhole(const Json& body) {
  TRY(Take(body));
  if (empty() && refusal_.empty() && !finished()) return Fail(ErrorKind::kProtocol, "the model's server answered something that is no chat completion");
  if (!finished()) finish_reason_ = "stop";
  return {};
}

agentcore::ModelTurn ChatStream::Turn() {
  agentcore::ModelTurn turn;
  turn.text = JoinHalves(std::move(text_));
  turn.usage = usage_;
  if (finish_reason_ == "length") turn.finish = agentcore::Finish::kLength;
  if (finish_reason_ == "content_filter" || (!refusal_.empty() && calls_.empty())) {
    turn.finish = agentcore::Finish::kRefused;
    if (turn.text.empty()) turn.text = JoinHalves(refusal_);
  }
  for (Call& call : calls_) {
    agentcore::ToolCall out;
    out.tool = std::move(call.name);
    if (turn.finish == agentcore::Finish::kLength) {
      out.fault = "the answer was cut off at its limit of tokens, so this call was not run; say less, and call it again";
    } else if (!call.arguments.empty() && call.arguments.find_first_not_of(" \t\r\n") != std::string::npos) {
      auto arguments = ParseJson(CleanJsonText(JoinHalves(std::move(call.arguments)), false));
      if (arguments) out.arguments = *std::move(arguments);
      else out.fault = "the arguments of this call are no JSON (" + arguments.error().message + "), so it was not run; call it again with a whole JSON object";
    }
    turn.calls.push_back(std::move(out));
  }
  calls_.clear();
  return turn;
}

}  // namespace paddock::orchestrator

#include "agentcore/model/text_call_forms.h"

#include <algorithm>

#include "agentcore/model/written_json.h"
#include "agentcore/model/written_tag.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kNowhere = std::string_view::npos;
constexpr size_t kMaxHead = 200;
constexpr std::string_view kWrappers[] = {"tool_call", "tool_calls", "function_call", "function_calls", "tool_use", "tool_uses"};
constexpr std::string_view kElements[] = {"function", "invoke"};
constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

bool IsOneOf(std::string_view word, std::span<const std::string_view> words) { return std::find(words.begin(), words.end(), word) != words.end(); }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Reads forms one after another; `at_` only goes forward.
class Reader {
 public:
  Reader(TextScan* scan, size_t at, std::span<const ToolSpec> offered) : scan_(*scan), text_(scan->text), at_(at), offered_(offered) {}

  std::optional<WrittenCalls> Read() {
    if (!ReadForm()) return std::nullopt;
    if (out_.calls.empty()) Fault("", "there is no call in it");
    out_.end = std::min(at_, text_.size());
    return std::move(out_);
  }

 private:
  bool Eat(std::string_view literal) {
    if (text_.substr(at_, literal.size()) != literal) return false;
    at_ += literal.size();
    return true;
  }
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }
  void Fault(std::string name, std::string why) { out_.calls.push_back({std::move(name), Json::object(), std::move(why)}); }
  bool AtValue(size_t stop) const { return at_ < stop && (text_[at_] == '{' || text_[at_] == '['); }
  // Text up to `mark`, which is passed; nothing when it isn't there before `stop`.
  std::optional<std::string_view> Until(const std::string& mark, size_t stop) {
    const size_t end = scan_.Find(mark, at_);
    if (end == kNowhere || end + mark.size() > stop) return std::nullopt;
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end + mark.size();
    return found;
  }
  std::string TakeName() {
    const size_t end = std::min(text_.find_first_not_of(kNameLetters, at_), std::min(text_.size(), at_ + 128));
    std::string name(text_.substr(at_, end - at_));
    at_ = end;
    return name;
  }

  // Object or list at `at_`.
  Result<Json> TakeValue(size_t stop) {
    const size_t end = scan_.JsonEnd(at_, stop);
    const std::string_view value = text_.substr(at_, end == kNowhere ? stop - at_ : end - at_);
    at_ = end == kNowhere ? stop : end;
    return ParseWritten(value);
  }
  void TakeArgumentsOf(std::string name, size_t stop) {
    SkipSpace();
    WrittenCall call{std::move(name)};
    if (AtValue(stop)) {
      auto json = TakeValue(stop);
      if (json) TakeArguments(*json, &call);
      else call.fault = "its arguments are no JSON (" + json.error().message + ")";
    } else {
      call.fault = "its arguments are missing";
    }
    out_.calls.push_back(std::move(call));
  }
  // {...} {...} or [{...}, ...]
  void ReadValues(size_t stop) {
    for (;;) {
      size_t next = at_;
      while (next < stop && (IsSpace(text_[next]) || text_[next] == ',' || text_[next] == ';')) ++next;
      if (next >= stop || (text_[next] != '{' && text_[next] != '[')) return;
      at_ = next;
      auto json = TakeValue(stop);
      if (!json) return Fault("", "its JSON can't be read (" + json.error().message + ")");
      auto calls = CallsOfJson(*json, JsonPlace::kMarked);
      for (WrittenCall& call : *calls) out_.calls.push_back(std::move(call));
    }
  }

  // <function=N> and <invoke name="N">, whose tag was read.
  void ReadElement(const Tag& tag, size_t stop) {
    WrittenCall call{tag.value};
    const size_t begin = at_;
    at_ = tag.end;
    if (call.name.empty()) call.fault = "it names no tool";
    const std::string close = tag.close();
    while (!tag.empty && call.fault.empty()) {
      SkipSpace();
      if (Eat(close)) break;
      if (AtValue(stop) && call.arguments.empty()) {
        auto json = TakeValue(stop);
        if (json) TakeArguments(*json, &call);
        else call.fault = "its arguments are no JSON (" + json.error().message + ")";
        continue;
      }
      const auto parameter = ReadTag(text_, at_);
      if (!parameter || (parameter->name != "parameter" && parameter->name != "param") || parameter->value.empty() || parameter->end > stop) {
        call.fault = "it has no " + close;
        break;
      }
      at_ = parameter->end;
      const auto value = Until(parameter->close(), stop);
      if (!value) call.fault = "it has no " + parameter->close();
      else if (call.arguments.size() >= kMaxParameters) call.fault = "it has more than " + std::to_string(kMaxParameters) + " parameters";
      else if (call.arguments.contains(parameter->value)) call.fault = "it gives a parameter twice";
      else call.arguments[parameter->value] = PlainValue(*value, ArgumentSchema(offered_, call.name, parameter->value), *parameter);
    }
    if (!call.fault.empty()) {
      const size_t end = scan_.Find(close, at_);
      at_ = end == kNowhere ? stop : std::min(stop, end + close.size());
    }
    call.words = text_.substr(begin, at_ - begin);
    out_.calls.push_back(std::move(call));
  }

  // N<arg_key>K</arg_key><arg_value>V</arg_value>, or N and an object.
  void ReadNamed(size_t stop) {
    WrittenCall call{TakeName()};
    SkipSpace();
    if (AtValue(stop)) return TakeArgumentsOf(std::move(call.name), stop);
    if (call.name.empty()) call.fault = "it can't be read";
    while (call.fault.empty() && Eat("<arg_key>")) {
      const auto key = Until("</arg_key>", stop);
      SkipSpace();
      const auto value = key && Eat("<arg_value>") ? Until("</arg_value>", stop) : std::nullopt;
      SkipSpace();
      if (!value) call.fault = "its arguments can't be read";
      else if (call.arguments.size() >= kMaxParameters || call.arguments.contains(*key)) call.fault = "it gives an argument twice, or too many";
      else call.arguments[std::string(*key)] = PlainValue(*value, ArgumentSchema(offered_, call.name, std::string(*key)), {});
    }
    out_.calls.push_back(std::move(call));
  }

  // <tool_call> and its relatives, whose tag was read.
  void ReadWrapper(const Tag& tag, size_t stop, int depth) {
    const std::string close = tag.close();
    at_ = tag.end;
    const size_t before = out_.calls.size(), found = scan_.Find(close, at_);
    size_t inner = found == kNowhere || found > stop ? stop : found;
    SkipSpace();
    // A value knows its own end, which the mark inside a string isn't.
    if (AtValue(inner)) ReadValues(scan_.JsonEnd(at_, inner) == kNowhere ? inner : stop);
    else if (at_ < inner && text_[at_] != '<') ReadNamed(inner);
    else ReadTags(inner, depth + 1);
    SkipSpace();
    if (Eat(close)) return;
    // Left out at the end of an answer it is not missed; anything else before it can't be understood.
    inner = std::max(inner, at_);
    if (at_ >= inner && found == kNowhere) return;
    if (out_.calls.size() == before) Fault("", "");
    for (size_t i = before; i < out_.calls.size(); ++i)
      if (out_.calls[i].fault.empty()) out_.calls[i].fault = "it can't be read to its end";
    const size_t end = scan_.Find(close, at_);
    at_ = end == kNowhere ? stop : std::min(stop, end + close.size());
  }
  bool ReadTags(size_t stop, int depth) {
    bool any = false;
    for (;;) {
      SkipSpace();
      const auto tag = ReadTag(text_, at_);
      if (!tag || tag->end > stop) return any;
      if (IsOneOf(tag->name, kElements) && !tag->value.empty()) ReadElement(*tag, stop);
      else if (IsOneOf(tag->name, kWrappers) && depth < 3) ReadWrapper(*tag, stop, depth);
      else return any;
      any = true;
      if (depth == 0) return any;
    }
  }

  // Sections of calls between tokens: BEGIN name SEPARATOR arguments END.
  void ReadSection(const std::string& begin, const std::string& separator, const std::string& end, const std::string& section_end) {
    for (SkipSpace(); Eat(begin); SkipSpace()) {
      const size_t found = scan_.Find(end, at_);
      const size_t stop = found == kNowhere ? text_.size() : found;
      const auto head = Until(separator, std::min(stop, at_ + kMaxHead));
      if (!head) {
        Fault("", "it can't be read");
        at_ = text_.size();
        return;
      }
      std::string name(TrimSpace(*head));
      SkipSpace();
      if (!AtValue(stop)) {  // "function" was what stood before
        name = TakeName();
        SkipSpace();
        if (Eat("```json")) SkipSpace();
      }
      if (name.starts_with("functions.")) name.erase(0, 10);
      name = name.substr(0, name.find(':'));
      TakeArgumentsOf(std::move(name), stop);
      SkipSpace();
      if (Eat("```")) SkipSpace();
      if (!Eat(end) && found != kNowhere) {
        out_.calls.back().fault = "it can't be read to its end";
        at_ = std::max(at_, found + end.size());
      }
    }
    Eat(section_end);
  }

  void ReadMistral() {
    SkipSpace();
    if (AtValue(text_.size())) return ReadValues(text_.size());
    std::string name = TakeName();
    if (Eat("[CALL_ID]")) TakeName();
    Eat("[ARGS]");
    TakeArgumentsOf(std::move(name), text_.size());
  }

  bool ReadChannel() {
    const std::string_view head = text_.substr(at_, kMaxHead);
    const size_t message = head.find("<|message|>");
    const size_t to = head.substr(0, message).find(" to=");
    if (message == kNowhere || to == kNowhere) return false;
    const size_t begin = at_;
    at_ = begin + to + 4;
    Eat("functions.");
    std::string name = TakeName();
    at_ = begin + message + std::string_view("<|message|>").size();
    TakeArgumentsOf(std::move(name), text_.size());
    return true;
  }

  bool ReadForm() {
    if (Eat("[TOOL_CALLS]")) return ReadMistral(), true;
    if (Eat("<|python_tag|>") || Eat("<|tool_call|>")) return ReadValues(text_.size()), true;
    if (Eat("<|tool_call_start|>")) {
      ReadValues(text_.size());
      Eat("<|tool_call_end|>");
      return true;
    }
    if (Eat("<\xEF\xBD\x9Ctool\xE2\x96\x81" "calls\xE2\x96\x81" "begin\xEF\xBD\x9C>")) {
      ReadSection("<\xEF\xBD\x9Ctool\xE2\x96\x81" "call\xE2\x96\x81" "begin\xEF\xBD\x9C>", "<\xEF\xBD\x9Ctool\xE2\x96\x81sep\xEF\xBD\x9C>", "<\xEF\xBD\x9Ctool\xE2\x96\x81" "call\xE2\x96\x81" "end\xEF\xBD\x9C>",
                  "<\xEF\xBD\x9Ctool\xE2\x96\x81" "calls\xE2\x96\x81" "end\xEF\xBD\x9C>");
      return true;
    }
    if (Eat("<|tool_calls_section_begin|>")) {
      ReadSection("<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>", "<|tool_calls_section_end|>");
      return true;
    }
    if (text_.substr(at_).starts_with("<|channel|>") || text_.substr(at_).starts_with("<|start|>")) return ReadChannel();
    return ReadTags(text_.size(), 0);
  }

  static constexpr size_t kMaxParameters = 64;
  TextScan& scan_;
  std::string_view text_;
  size_t at_;
  std::span<const ToolSpec> offered_;
  WrittenCalls out_;
};

}  // namespace

std::optional<WrittenCalls> ReadMarkedCalls(TextScan* scan, size_t at, std::span<const ToolSpec> offered) { return Reader(scan, at, offered).Read(); }

std::optional<std::vector<WrittenCall>> ReadBareCalls(std::string_view body, std::span<const ToolSpec> offered) {
  body = TrimSpace(body);
  if (!body.starts_with('{') && !body.starts_with('[')) return std::nullopt;
  TextScan scan(body);
  std::vector<WrittenCall> calls;
  for (size_t at = 0; at < body.size();) {
    if (body[at] != '{' && body[at] != '[') return std::nullopt;
    const size_t end = scan.JsonEnd(at, body.size());
    auto json = ParseWritten(body.substr(at, end == kNowhere ? end : end - at));
    if (!json) {
      // Broken, but plainly meant as one.
      const auto names = [&](const ToolSpec& tool) { return body.find("\"" + tool.name + "\"") != kNowhere; };
      const bool gives = body.find("\"arguments\"") != kNowhere || body.find("\"parameters\"") != kNowhere || body.find("\"input\"") != kNowhere;
      const auto named = std::find_if(offered.begin(), offered.end(), names);
      if (!gives || named == offered.end()) return std::nullopt;
      calls.push_back({named->name, Json::object(), "its JSON can't be read (" + json.error().message + ")"});
      return calls;
    }
    auto some = CallsOfJson(*json, JsonPlace::kBare);
    if (!some) return std::nullopt;
    for (WrittenCall& call : *some) calls.push_back(std::move(call));
    at = body.find_first_not_of(" \t\r\n,;", end);
    if (at == kNowhere) break;
  }
  return calls;
}

}  // namespace paddock::agentcore

#include "agentcore/model/text_calls.h"

#include <string.h>

#include <algorithm>

#include "agentcore/model/intent.h"
#include "agentcore/model/text_call_forms.h"
#include "base/nearest.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kNowhere = std::string_view::npos;
constexpr size_t kMaxLookedAt = 1u << 20;
constexpr size_t kMaxShownFault = 300;
constexpr std::string_view kReport = "report";
// What may follow the last call.
constexpr std::string_view kTurnEnds[] = {"</s>", "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<|endoftext|>", "<|call|>", "<|return|>", "[/TOOL_CALLS]", "<\xEF\xBD\x9C" "end\xE2\x96\x81of\xE2\x96\x81sentence\xEF\xBD\x9C>"};
constexpr std::string_view kFenceNames[] = {"", "json", "tool_call", "tool_calls", "tool_use", "tool", "function_call", "function", "call"};
// Words of a line before what is only shown. The second kind may also tell what is about to be done.
constexpr std::string_view kExampleWords[] = {"example", "e.g.", "for instance", "such as", "format", "syntax", "template", "would look", "looks like", "look like", "instead of", "do not", "don't", "never", "beispiel", "exemple", "ejemplo", "例"};
constexpr std::string_view kQuoteWords[] = {"could", "would", "might", "contain", "content", "says", "reads", "quote", "output", "returned", "snippet", "shows", "following", "text of", "written", "there is", "has this", "verbatim", "found", "payload", "inject", "suspicious", "comment"};

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool HasOneOf(std::string_view text, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.find(word) != kNowhere; });
}
std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return out;
}

// At most three spaces behind the beginning of a line: more make a code block of it.
bool BeginsLine(std::string_view text, size_t at) {
  for (int spaces = 0; at > 0 && text[at - 1] == ' '; --at)
    if (++spaces > 3) return false;
  return at == 0 || text[at - 1] == '\n';
}

// A place in the text that may hold calls.
struct Piece {
  size_t begin = 0, end = 0;
  std::string_view words;  // of the calls, as far as a quotation would repeat them
  std::vector<WrittenCall> calls;
  // What of it can't be read; null: it all can.
  const WrittenCall* broken() const {
    const auto found = std::find_if(calls.begin(), calls.end(), [](const WrittenCall& call) { return !call.fault.empty(); });
    return found == calls.end() ? nullptr : &*found;
  }
};

class Finder {
 public:
  Finder(std::string_view text, std::span<const ToolSpec> offered) : text_(text), offered_(offered), scan_(text) {}

  std::vector<Piece> Find() {
    // First of all, since such a value may hold marks.
    if (AddBare(0) && !pieces_.back().broken()) return std::move(pieces_);
    const std::vector<Piece> broken = std::exchange(pieces_, {});
    for (size_t at = text_.find_first_of(kStops); at != kNowhere; at = text_.find_first_of(kStops, at)) {
      const char c = text_[at];
      size_t end = kNowhere;
      if (c == '`' || c == '~') end = SkipFence(at);
      else if (c == '<') end = SkipQuoted(at);
      if (end == kNowhere && (c == '<' || c == '[') && MayOpen(at)) {
        if (auto marked = ReadMarkedCalls(&scan_, at, offered_)) {
          end = marked->end;
          pieces_.push_back({at, end, text_.substr(at, end - at), std::move(marked->calls)});
        }
      }
      if (end == kNowhere) {
        at = c == '`' || c == '~' ? std::min(text_.find_first_not_of(c, at), text_.size()) : at + 1;
        continue;
      }
      at = free_from_ = end;
    }
    // The last paragraph may be one too.
    const size_t end = text_.find_last_not_of(" \t\r\n");
    const size_t paragraph = end == kNowhere ? kNowhere : text_.substr(0, end).rfind("\n\n");
    if (paragraph != kNowhere) AddBare(paragraph);
    return pieces_.empty() ? broken : std::move(pieces_);
  }

 private:
  static constexpr char kStops[] = "<[`~";

  // Marks stand at the beginning of a line, behind a sentence (and not the number of an item), or behind other marks.
  bool MayOpen(size_t at) const {
    if (at == free_from_ || BeginsLine(text_, at)) return true;
    if (text_[at - 1] == ' ') --at;
    const std::string_view before = text_.substr(at - std::min<size_t>(at, 8), std::min<size_t>(at, 8));
    if (before == "</think>") return true;
    return before.size() == 8 && std::string_view(".:!?").find(before.back()) != kNowhere && before.substr(4).find('\n') == kNowhere && !std::isdigit(static_cast<unsigned char>(before[6]));
  }

  // Behind what a model quotes or only thinks: a mark of untrusted content, a draft. npos when there is none at `at`.
  size_t SkipQuoted(size_t at) {
    const std::string head = Lower(text_.substr(at, 32));
    if (head.starts_with("<untrusted")) {
      // Its own end has its id; without one nothing of the rest is to be trusted.
      const size_t id = text_.substr(at, 64).find(" id=\"");
      const size_t close = id == kNowhere ? kNowhere : text_.find('"', at + id + 5);
      if (close == kNowhere || close - at > 128) return text_.size();
      const std::string mark = "</untrusted_content" + std::string(text_.substr(at + id, close + 1 - at - id)) + ">";
      const size_t found = text_.find(mark, close);
      return found == kNowhere ? text_.size() : found + mark.size();
    }
    for (const char* name : {"think", "thinking", "thought", "reasoning"}) {
      if (!head.starts_with("<" + std::string(name) + ">")) continue;
      const std::string mark = "</" + std::string(name) + ">";
      const size_t found = scan_.Find(mark, at);
      return found == kNowhere ? text_.size() : found + mark.size();
    }
    return kNowhere;
  }

  // Behind a code block; what it holds may be calls. npos when none begins here.
  size_t SkipFence(size_t at) {
    if (!BeginsLine(text_, at)) return kNowhere;
    const char mark = text_[at];
    const size_t ticks = std::min(text_.find_first_not_of(mark, at), text_.size()) - at;
    if (ticks < 3) return kNowhere;
    const size_t line_end = text_.find('\n', at);
    std::string_view info = text_.substr(at + ticks, line_end == kNowhere ? kNowhere : line_end - at - ticks);
    if (info.find(mark) != kNowhere) return kNowhere;
    if (line_end == kNowhere) return text_.size();
    size_t close = text_.size(), end = text_.size();
    for (size_t line = line_end + 1; line < text_.size();) {
      const size_t next = std::min(text_.find('\n', line), text_.size());
      std::string_view body = text_.substr(line, next - line);
      while (!body.empty() && IsSpace(body.front())) body.remove_prefix(1);
      const size_t closing = std::min(body.find_first_not_of(mark), body.size());
      if (closing >= ticks && body.find_first_not_of(" \t\r", closing) == kNowhere) {
        close = line;
        end = next;
        break;
      }
      line = next + 1;
    }
    while (!info.empty() && IsSpace(info.back())) info.remove_suffix(1);
    while (!info.empty() && IsSpace(info.front())) info.remove_prefix(1);
    const std::string name = Lower(info.substr(0, 32));
    if (std::find(std::begin(kFenceNames), std::end(kFenceNames), name) != std::end(kFenceNames))
      AddCalls(at, end, text_.substr(line_end + 1, close - line_end - 1));
    return end;
  }

  bool AddCalls(size_t begin, size_t end, std::string_view body) {
    auto calls = ReadBareCalls(body, offered_);
    if (calls) pieces_.push_back({begin, end, body, *std::move(calls)});
    return calls.has_value();
  }

  // JSON from `begin` to the end of the text.
  bool AddBare(size_t begin) {
    begin = std::min(text_.find_first_not_of(" \t\r\n", begin), text_.size());
    return begin >= free_from_ && begin < text_.size() && BeginsLine(text_, begin) && AddCalls(begin, text_.size(), text_.substr(begin));
  }

  std::string_view text_;
  std::span<const ToolSpec> offered_;
  TextScan scan_;
  size_t free_from_ = 0;  // behind the last thing that was read as one
  std::vector<Piece> pieces_;
};

bool OnlyEndsTurn(std::string_view gap) {
  for (;;) {
    while (!gap.empty() && IsSpace(gap.front())) gap.remove_prefix(1);
    const auto found = std::find_if(std::begin(kTurnEnds), std::end(kTurnEnds), [&](std::string_view mark) { return gap.starts_with(mark); });
    if (found == std::end(kTurnEnds)) return gap.empty();
    gap.remove_prefix(found->size());
  }
}

// Does the line before say that what follows is only shown?
bool IsShownOnly(std::string_view before) {
  while (!before.empty() && IsSpace(before.back())) before.remove_suffix(1);
  if (const size_t line = before.rfind('\n'); line != kNowhere) before.remove_prefix(line + 1);
  if (before.size() > 400) before.remove_prefix(before.size() - 400);
  const std::string last = Lower(before);
  if (HasOneOf(last, kExampleWords)) return true;
  // A colon at the end says nothing here.
  std::string_view sentence = last;
  while (sentence.ends_with(':') || sentence.ends_with('*')) sentence.remove_suffix(1);
  return HasOneOf(last, kQuoteWords) && !AnnouncesCall(sentence);
}

// Letters and digits: the same however a text is quoted, indented, escaped, numbered by lines or has its marks broken.
std::string Letters(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    if (digits > 0 && (line.substr(digits).starts_with("| ") || line.substr(digits).starts_with("> "))) line.remove_prefix(digits + 2);
    for (size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (c == '&' && line.substr(i).starts_with("&lt;")) i += 3;
      else if (c == '&' && line.substr(i).starts_with("&#91;")) i += 4;
      else if (c == '\\' && i + 1 < line.size()) ++i;  // \n, \", \\ of a text inside another
      else if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80) out += c;
    }
    at = end + 1;
  }
  return out;
}

bool WasShown(std::string_view written, std::span<const std::string> shown) {
  const std::string words = Letters(written);
  return !words.empty() && std::any_of(shown.begin(), shown.end(), [&](const std::string& text) { return memmem(text.data(), text.size(), words.data(), words.size()) != nullptr; });
}

// Why a call is not taken; empty when it is.
std::string Refusal(const WrittenCall& call, std::span<const ToolSpec> offered) {
  std::vector<std::string> names{std::string(kReport)};
  for (const ToolSpec& tool : offered) names.push_back(tool.name);
  if (std::find(names.begin(), names.end(), call.name) != names.end()) return "";
  const std::string hint = NearestHint(call.name, names);
  return "there is no such tool" + (hint.empty() ? "" : ", " + hint);
}

std::string Said(const WrittenCall& call, const std::string& why) {
  std::string text = "your text holds what looks like a call";
  if (!call.name.empty()) text += " of \"" + std::string(TruncateUtf8(call.name, 64)) + "\"";
  return VisibleText(TruncateUtf8(text + ", and it was not run: " + why, kMaxShownFault), Newlines::kEscape);
}

}  // namespace

TextCalls FindTextCalls(std::string_view text, std::span<const ToolSpec> offered, std::span<const std::string_view> shown) {
  TextCalls out;
  out.text = text;
  if (text.size() > kMaxLookedAt) return out;
  const std::vector<Piece> pieces = Finder(text, offered).Find();
  // From the end back, as long as nothing but calls follow each other. One that can't be read may hold anything.
  size_t first = pieces.size(), end = text.size();
  const auto follows = [&] { return first > 0 && OnlyEndsTurn(text.substr(pieces[first - 1].end, end - pieces[first - 1].end)); };
  while (follows() && !pieces[first - 1].broken()) end = pieces[--first].begin;
  if (const WrittenCall* broken = follows() ? pieces[first - 1].broken() : nullptr) out.not_understood = Said(*broken, broken->fault);
  else if (first == pieces.size() && first > 0) out.not_understood = Said(pieces.back().calls.front(), "calls come last in an answer, and nothing follows them");
  if (first == pieces.size()) return out;
  if (IsShownOnly(text.substr(0, end))) return {{}, std::string(text), ""};

  std::vector<std::string> letters;
  for (std::string_view one : shown) letters.push_back(Letters(one));
  std::string left(text.substr(0, end));
  size_t looked_at = 0;
  for (size_t i = first; i < pieces.size(); ++i) {
    bool whole = true;
    const bool too_many = i - first >= kMaxTextCalls;
    const bool was_shown = !too_many && WasShown(pieces[i].words, letters);
    for (const WrittenCall& call : pieces[i].calls) {
      std::string why = Refusal(call, offered);
      if (why.empty() && (too_many || looked_at++ >= kMaxTextCalls)) why = "more than " + std::to_string(kMaxTextCalls) + " calls in one text";
      // Of several calls each by itself: they may be quoted from here and there.
      if (why.empty() && (was_shown || WasShown(call.words, letters))) why = "its words stand in what a tool returned, and may be a quotation";
      if (why.empty()) {
        out.calls.push_back({"", call.name, call.arguments});
        continue;
      }
      whole = false;
      if (out.not_understood.empty()) out.not_understood = Said(call, why);
    }
    if (!whole) left += text.substr(pieces[i].begin, pieces[i].end - pieces[i].begin);
  }
  if (out.calls.empty()) return out;
  while (!left.empty() && IsSpace(left.back())) left.pop_back();
  out.text = std::move(left);
  return out;
}

}  // namespace paddock::agentcore

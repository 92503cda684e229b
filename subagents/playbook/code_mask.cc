#include "subagents/playbook/code_mask.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

struct Lexical {
  const char* languages;     // RE2 of LanguageOf
  std::vector<std::string_view> line_comments;
  std::string_view open, close;                 // of a comment of several lines
  std::string_view quotes;                      // of a string that ends in its line
  std::vector<std::string_view> long_quotes;    // of one that may not
  std::vector<std::string_view> embeds;         // in a string: code follows, up to the bracket that closes it
  bool chars = false;                           // 'x' is a character, and a lone ' is none
  bool prose = false;                           // a quote that its line doesn't close is an apostrophe
};

const Lexical& LexicalOf(const std::string& language) {
  static const std::vector<Lexical> kTable = {
      {"JavaScript|TypeScript", {"//"}, "/*", "*/", "\"'", {"`"}, {"${"}},
      {"Go", {"//"}, "/*", "*/", "\"", {"`"}, {}, true},
      {"Python|Cython", {"#"}, "", "", "\"'", {"\"\"\"", "'''"}, {}},
      {"Ruby|Crystal", {"#"}, "", "", "\"'", {}, {"#{"}},
      {"Shell", {"#"}, "", "", "\"'", {}, {"$(", "${"}},
      {"Elixir|Julia", {"#"}, "", "", "\"", {"\"\"\""}, {"#{", "$("}},
      {"Perl|R|Nim", {"#"}, "", "", "\"'", {}, {}},
      {"Tcl", {"#"}, "", "", "\"", {}, {}},
      {"PHP", {"//", "#"}, "/*", "*/", "\"'", {}, {}},
      {"Lua", {"--"}, "--[[", "]]", "\"'", {}, {}},
      {"Haskell", {"--"}, "{-", "-}", "\"", {}, {}, true},
      {"Ada", {"--"}, "", "", "\"", {}, {}, true},
      {"OCaml|F#", {}, "(*", "*)", "\"", {}, {}, true},
      {"Erlang", {"%"}, "", "", "\"", {}, {}},
      {"Lisp|Emacs Lisp|Scheme|Clojure|Racket", {";"}, "", "", "\"", {}, {}},
      {"Kotlin|Scala|Groovy", {"//"}, "/*", "*/", "\"", {"\"\"\""}, {"${"}, true},
      {"Java|Swift|C#", {"//"}, "/*", "*/", "\"", {"\"\"\""}, {}, true},
      {"Make|Docker|CI|YAML", {"#"}, "", "", "\"'", {}, {}, false, true},
      {"SQL", {"--"}, "/*", "*/", "\"'", {}, {}, false, true},
      {".*", {"//"}, "/*", "*/", "\"", {}, {}, true}};
  return *std::find_if(kTable.begin(), kTable.end(), [&](const Lexical& each) { return MatchesWhole(language, each.languages); });
}

constexpr size_t kMostOpen = 64;  // code within strings within code
constexpr size_t kBeforePattern = 64;  // bytes that tell a pattern from a division

class Masker {
 public:
  explicit Masker(const Lexical& lexical) : lexical_(&lexical) {}

  void BeginInComment() { stack_ = {{kCommentByte, std::string(lexical_->close)}}; }
  void BeginInString(std::string_view quote) { stack_ = {{kStringByte, std::string(quote), true}}; }

  // Where not all before it is known, a back quote at its end may close what was open: nothing goes on.
  std::string Line(std::string_view text, bool known) {
    std::string out;
    for (Open& each : stack_) each.goes_on = false;
    while (out.size() < text.size()) {
      const size_t before = out.size();
      const std::string_view rest = text.substr(before);
      if (stack_.empty() || stack_.back().kind == kCodeByte) Code(text, rest, &out);
      else Closed(rest, &out);
      if (out.size() == before) out += kCodeByte;
    }
    // A string of one line that nothing closed was none.
    auto open = std::find_if(stack_.begin(), stack_.end(), [&](const Open& each) { return each.kind == kStringByte && !each.goes_on && (!each.is_long || (!known && each.close.size() == 1)); });
    stack_.erase(open, stack_.end());
    return out;
  }

  bool within() const { return !stack_.empty() && stack_.back().kind != kCodeByte; }

 private:
  struct Open {
    char kind;
    std::string close;
    bool is_long = false;
    bool braces = false;  // Python's f"{code}"
    bool goes_on = false; // a backslash ended its line
    int depth = 0;        // of brackets, in code that a string holds
  };

  void Mark(size_t bytes, char kind, std::string* out) { out->append(bytes, kind); }

  // In a string or a comment.
  void Closed(std::string_view rest, std::string* out) {
    const Open top = stack_.back();
    if (rest.starts_with(top.close)) {
      Mark(top.close.size(), top.kind, out);
      stack_.pop_back();
      return;
    }
    if (top.kind == kStringByte && rest[0] == '\\' && rest.size() > 1) return Mark(2, kStringByte, out);
    stack_.back().goes_on = top.kind == kStringByte && rest == "\\";
    if (stack_.size() >= kMostOpen) return Mark(1, top.kind, out);
    if (top.braces && rest.starts_with("{{")) return Mark(2, kStringByte, out);
    if (top.braces && rest[0] == '{') {
      Mark(1, kStringByte, out);
      stack_.push_back({kCodeByte, "}"});
      return;
    }
    if (top.kind == kStringByte && Embeds(top.close))
      for (std::string_view embed : lexical_->embeds)
        if (rest.starts_with(embed)) {
          Mark(embed.size(), kStringByte, out);
          stack_.push_back({kCodeByte, embed.back() == '(' ? ")" : "}"});
          return;
        }
    Mark(1, top.kind, out);
  }

  void Code(std::string_view text, std::string_view rest, std::string* out) {
    const char before = out->empty() ? ' ' : text[out->size() - 1];
    if (!lexical_->open.empty() && rest.starts_with(lexical_->open)) {
      Mark(lexical_->open.size(), kCommentByte, out);
      stack_.push_back({kCommentByte, std::string(lexical_->close)});
      return;
    }
    for (std::string_view mark : lexical_->line_comments)
      if (rest.starts_with(mark) && (mark != "#" || std::string_view(" \t;,)]}").find(before) != std::string_view::npos)) return Mark(rest.size(), kCommentByte, out);
    for (std::string_view quote : lexical_->long_quotes)
      if (rest.starts_with(quote)) return Opened(text, quote, true, out);
    if (lexical_->quotes.find(rest[0]) != std::string_view::npos && !(lexical_->prose && rest.find(rest[0], 1) == std::string_view::npos)) return Opened(text, rest.substr(0, 1), false, out);
    if (lexical_->chars && rest[0] == '\'')
      if (auto literal = FirstGroup(rest, R"(^('(?:\\.[^']{0,8}|[^'\\])'))")) return Mark(literal->size(), kStringByte, out);
    if (lexical_->embeds.size() == 1 && lexical_->embeds[0] == "${" && rest[0] == '/' && BeginsPattern(text.substr(0, out->size())))
      if (auto literal = FirstGroup(rest, R"(^(/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[])+/))")) return Mark(literal->size(), kStringByte, out);
    if (!stack_.empty()) Bracket(rest[0]);
    Mark(1, kCodeByte, out);
  }

  // Of JavaScript only what stands in back quotes.
  bool Embeds(std::string_view quote) const { return quote == "`" || (quote != "'" && lexical_->long_quotes != std::vector<std::string_view>{"`"}); }

  // Behind "if (...)" one may begin as well, which is no division then.
  static bool IsCondition(std::string_view before) {
    while (!before.empty() && (before.back() == ' ' || before.back() == '\t')) before.remove_suffix(1);
    if (!before.ends_with(')')) return false;
    int depth = 0;
    for (size_t at = before.size(); at-- > 0;) {
      depth += before[at] == ')' ? 1 : before[at] == '(' ? -1 : 0;
      if (depth == 0) return MatchesPart(before.substr(0, at), R"((?:^|[^\w.$])(if|while|for|with)\s*$)");
    }
    return false;
  }

  static bool BeginsPattern(std::string_view before) {
    if (IsCondition(before)) return true;
    return MatchesPart(before.substr(before.size() - std::min(before.size(), kBeforePattern)), R"((^|[(=,:!&|?{};\[]|\breturn)\s*$)");
  }

  void Opened(std::string_view text, std::string_view quote, bool is_long, std::string* out) {
    const std::string_view before = text.substr(out->size() - std::min<size_t>(out->size(), 3), std::min<size_t>(out->size(), 3));
    const bool braces = lexical_->line_comments == std::vector<std::string_view>{"#"} && !lexical_->long_quotes.empty() && MatchesPart(before, R"((^|\W)([fF][rR]?|[rR][fF])$)");
    Mark(quote.size(), kStringByte, out);
    stack_.push_back({kStringByte, std::string(quote), is_long, braces});
  }

  // Of the code that a string holds.
  void Bracket(char c) {
    Open& top = stack_.back();
    if (c == (top.close == ")" ? '(' : '{')) ++top.depth;
    if (c == top.close[0] && --top.depth < 0) stack_.pop_back();
  }

  const Lexical* lexical_;
  std::vector<Open> stack_;
};

// What stands in a string of one line is no sign of a comment.
std::string WithoutStrings(std::string text) {
  static const RE2 kStrings(R"("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`)");
  RE2::GlobalReplace(&text, kStrings, "_");
  return text;
}

// Does this sign open a long string, by its line and the one before it? Nothing where it stands alone, and what is before it isn't known.
std::optional<bool> OpensLong(std::string_view text, const std::optional<std::string_view>& before) {
  if (!MatchesPart(text, R"(^\s*["']{3}\s*$)")) return MatchesPart(text, R"re((^|[=(,\[{:+%"'\\]|\b(return|yield|in|is|not|and|or|if|else|print|assert))\s*[rRuUbBfF]{0,2}("""|''')\s*($|\S))re");
  return before ? std::optional(MatchesPart(*before, R"([:(=,]\s*$)")) : std::nullopt;
}

// Behind a gap: does the first sign of a comment's or a long string's end say that it had begun before?
void Guess(const Lexical& lexical, SeenLines::const_iterator it, const SeenLines& lines, Masker* masker) {
  std::optional<std::string_view> before;
  std::string_view passed;  // one that tells nothing: the next is its other end
  for (int64_t last = it->first - 1; it != lines.end() && it->first == last + 1; last = it->first, ++it) {
    const std::string& text = it->second.text;
    if (!lexical.open.empty()) {
      const std::string code = WithoutStrings(text);
      const size_t open = code.find(lexical.open), close = code.find(lexical.close);
      // Only prose stands before its end: no "/" that could begin a pattern, and behind "*" none that begins the next comment.
      if (close != std::string::npos && close < open && open != close + 1 && code.find('/') > close) return masker->BeginInComment();
      if (open != std::string::npos) return;
    }
    for (std::string_view quote : lexical.long_quotes) {
      const size_t at = quote.size() == 3 ? text.find(quote) : std::string::npos;
      if (at == std::string::npos || MatchesPart(std::string_view(text).substr(0, at), R"((^|\s)#)")) continue;  // in a comment it ends nothing
      const bool whole = text.find(quote, at + 3) != std::string::npos;
      if (whole && passed.empty()) continue;
      const auto opens = whole ? true : OpensLong(text, before);
      if (!opens) {
        passed = quote;
        continue;
      }
      if (*opens != passed.empty()) masker->BeginInString(quote);
      return;
    }
    before = text;
  }
  if (!passed.empty()) masker->BeginInString(passed);
}

}  // namespace

MaskedLines MaskOf(std::string_view path, const SeenLines& lines) { return MaskOfLanguage(LanguageOf(path), lines); }

MaskedLines MaskOfLanguage(const std::string& language, const SeenLines& lines) {
  std::map<int64_t, MaskedLine> out;
  if (language.empty()) {
    for (const auto& [number, line] : lines) out[number] = {std::string(line.text.size(), kCodeByte), true};
    return out;
  }
  const Lexical& lexical = LexicalOf(language);
  Masker masker(lexical);
  int64_t last = 0;
  bool known = true, only_stars = false;
  for (auto it = lines.begin(); it != lines.end(); ++it) {
    const auto& [number, line] = *it;
    if (number != last + 1) {
      known = false;
      only_stars = lexical.open == "/*";
      masker = Masker(lexical);
      Guess(lexical, it, lines, &masker);
    }
    last = number;
    const bool goes_on = masker.within();
    std::string bytes = masker.Line(line.text, known);
    // Behind a gap a comment may be open, whose lines begin with stars; behind a line of code a star multiplies.
    only_stars = only_stars && MatchesPart(line.text, R"(^\s*(\*(\s|/|$)|$))");
    const bool is_comment = only_stars && bytes.find(kCommentByte) == std::string::npos;
    if (is_comment) bytes.assign(bytes.size(), kCommentByte);
    out[number] = {std::move(bytes), known, goes_on || is_comment};
  }
  return out;
}

}  // namespace paddock::subagents

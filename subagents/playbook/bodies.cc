#include "subagents/playbook/bodies.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"
#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {

size_t IndentOf(std::string_view text) {
  const size_t at = text.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view::npos : at;
}

namespace {

constexpr int64_t kCommentLines = 4;  // that are looked at

// *ended: the line that ends it was seen.
int64_t EndWithBlanks(const SeenLines& lines, int64_t first, bool* ended) {
  auto it = lines.find(first);
  if (it == lines.end()) return first;
  const size_t base = IndentOf(it->second.text);
  bool body = false;
  int64_t last = first;
  *ended = true;
  for (++it; it != lines.end() && it->first == last + 1; ++it) {
    const size_t indent = IndentOf(it->second.text);
    last = it->first;
    if (indent == std::string_view::npos) continue;
    // The preprocessor's lines stand at the left whatever they are in.
    if (MatchesPart(it->second.text, R"(^#\s*(if|ifdef|ifndef|elif|else|endif|define|undef|pragma|error|line)\b)")) continue;
    if (indent > base) body = true;
    else if (MatchesPart(it->second.text, R"(^\s*[{)\]]|^\s*\)?\s*(->|:).*[:{]\s*$)")) {
      if (body && MatchesPart(it->second.text, R"(^\s*\})")) return last;
      continue;
    } else if (MatchesPart(it->second.text, R"(^\s*[})\]]|^\s*end\b)")) return last;
    else return last - 1;
  }
  *ended = false;
  return last;
}

int64_t EndOfBody(const SeenLines& lines, int64_t first, bool* ended) {
  int64_t last = EndWithBlanks(lines, first, ended);
  while (last > first && lines.contains(last) && IndentOf(lines.at(last).text) == std::string_view::npos) --last;
  return last;
}

}  // namespace

int64_t EndOfBody(const SeenLines& lines, int64_t first) {
  bool ended = false;
  return EndOfBody(lines, first, &ended);
}

std::optional<bool> IsOnlyDeclared(const SeenLines& lines, int64_t first) {
  constexpr int64_t kMostLines = 16;
  int depth = 0;
  bool closed = false;
  for (int64_t n = first; n < first + kMostLines && lines.contains(n); ++n) {
    const std::string& text = lines.at(n).text;
    // Types of parameters, the old way.
    if (closed && MatchesPart(text, R"(^\s*\w)")) return std::nullopt;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text.compare(i, 2, "//") == 0) break;
      if (text[i] == '(') ++depth, closed = false;
      if (text[i] == ')' && --depth == 0) closed = true;
      if (depth > 0) continue;
      if (text[i] == ';') return closed ? std::optional(true) : std::nullopt;
      if (text[i] == '{') return false;
    }
  }
  return std::nullopt;
}

int64_t SeenLinesOfBody(const RepoView& view, const std::string& path, int64_t first) {
  const SeenLines* lines = view.LinesOf(path);
  if (lines == nullptr || !lines->contains(first)) return 0;
  bool ended = false;
  const int64_t last = EndOfBody(*lines, first, &ended);
  // The file ends with it.
  ended = ended || (last > first + 2 && view.NextLine(path) == 0 && lines->rbegin()->first <= last + 2);
  if (last == first) ended = ended && MatchesPart(lines->at(first).text, R"(\{.*\}\s*;?\s*$|^\s*(async\s+)?def\b.*:\s*\S)");
  return ended ? last - first + 1 : 0;
}

std::vector<CallPlace> CallsIn(const RepoView& view, const Place& definition) {
  std::vector<CallPlace> out;
  const SeenLines* lines = view.LinesOf(definition.path);
  if (lines == nullptr || definition.what == "variable" || definition.what == "macro") return out;
  const int64_t last = definition.end > 0 ? definition.end : EndOfBody(*lines, definition.line);
  const MaskedLines& mask = view.MaskOf(definition.path);
  static const RE2 kCall(R"((^|[^\w.$]|(?:\bself\.|\bthis\.|\bthis->)|(?:\w+::))([A-Za-z_]\w+)\s*\()");
  for (auto it = lines->upper_bound(definition.line); it != lines->end() && it->first <= last && out.size() < 40; ++it) {
    if (it->second.cut) continue;
    const std::string& bytes = mask.at(it->first).bytes;
    re2::StringPiece rest(it->second.text);
    std::string before, name;
    while (RE2::FindAndConsume(&rest, kCall, &before, &name)) {
      const size_t at = it->second.text.rfind(name, it->second.text.size() - rest.size() - 1 - name.size());
      if (at == std::string::npos || UseAt(definition.path, it->second.text, bytes, name, at).role != WordRole::kCall) continue;
      if (MatchesWhole(name, "if|for|while|switch|return|sizeof|catch|defined|else|do|try|elif|and|or|not|in|is|super|print|len|str|int|list|dict|set|tuple|isinstance|range|function|func|fn|make|append|string|typeof|new|assert|printf|memcpy|memset|malloc|free|strlen|panic|require")) continue;
      const bool member = before.ends_with(".") || before.ends_with(">");
      if (std::none_of(out.begin(), out.end(), [&](const auto& have) { return have.name == name; })) out.push_back({name, it->first, member ? "this" : before.ends_with("::") ? before.substr(0, before.size() - 2) : ""});
    }
  }
  return out;
}

namespace {

// The end of a comment that no code stands before.
bool EndsComment(std::string_view text) {
  const size_t open = text.find("/*");
  return MatchesPart(text, R"(\*/\s*$)") && (open == std::string_view::npos || open == IndentOf(text));
}

// A comment of several lines that is of the code before it.
bool OpensBehindCode(std::string_view text) {
  const size_t open = text.rfind("/*");
  return open != std::string_view::npos && open > IndentOf(text) && text.find("*/", open) == std::string_view::npos && !MatchesPart(text, R"(^\s*(//|/?\*))");
}

}  // namespace

std::optional<std::pair<int64_t, int64_t>> CommentOf(const RepoView& view, const Place& place) {
  const SeenLines& lines = *view.LinesOf(place.path);
  auto text_of = [&](int64_t n) { return lines.contains(n) && !lines.at(n).cut ? std::optional<std::string_view>(lines.at(n).text) : std::nullopt; };
  int64_t first = 0, last = 0;
  if (MatchesWhole(LanguageOf(place.path), "Python|Cython")) {
    for (int64_t n = place.line + 1; n <= place.line + 12; ++n) {
      auto text = text_of(n);
      if (!text) break;
      if (MatchesPart(*text, R"re(^\s*[rRuU]?("""|''')\s*\w)re")) {
        first = last = n;
        break;
      }
      if (MatchesPart(*text, R"re(^\s*[rRuU]?("""|''')\s*$)re") && text_of(n + 1)) {
        first = last = n + 1;
        break;
      }
      if (!MatchesPart(*text, R"(^\s*(\)|[\w*]+\s*[:=,].*|[\w*]+,?\s*)[,:]?\s*$|\)\s*(->.*)?:\s*$)")) break;
    }
    const auto ends = [&](int64_t n) { return MatchesPart(*text_of(n), R"re(("""|''')\s*$)re"); };
    while (first > 0 && last - first + 1 < kCommentLines && !ends(last) && text_of(last + 1) && MatchesPart(*text_of(last + 1), R"(^\s*\w)")) ++last;
  }
  if (first == 0) {
    int64_t n = place.line - 1;
    while (text_of(n) && MatchesPart(*text_of(n), R"(^\s*(@\w|#\[|template\b|\[\[)|^[\w\s*]{1,40}$)") && IndentOf(*text_of(n)) != std::string_view::npos && n > place.line - 4) --n;
    // Between a "/**" block and what it is of a blank line may stand; what else stands apart is of something else. A file's own comment opens it.
    if (text_of(n) && IndentOf(*text_of(n)) == std::string_view::npos && text_of(n - 1) && MatchesPart(*text_of(n - 1), R"(^\s*\*/\s*$)")) {
      int64_t open = n - 2;
      while (text_of(open) && MatchesPart(*text_of(open), R"(^\s*\*)")) --open;
      if (open > 2 && text_of(open) && MatchesPart(*text_of(open), R"(^\s*/\*\*)")) --n;
    }
    last = n;
    while (text_of(n) && (IsCommentLine(place.path, *text_of(n)) || EndsComment(*text_of(n)))) --n;
    first = n + 1;
    if (text_of(n) && OpensBehindCode(*text_of(n))) return std::nullopt;
    if (n > 0 && !lines.contains(n)) return std::nullopt;  // its beginning wasn't read
    // The frame of the comment says nothing.
    auto empty = [&](int64_t line) { return !MatchesPart(*text_of(line), R"([A-Za-z]{3})"); };
    while (first <= last && empty(first)) ++first;
    while (last >= first && empty(last)) --last;
    if (first > last) return std::nullopt;
    last = std::min(last, first + kCommentLines - 1);
    for (int64_t line = first; line <= last; ++line)
      if (empty(line) || MatchesPart(*text_of(line), R"(^\s*[/*#!]*\s*[@\\]\w)")) last = line - 1;
    if (first > last) return std::nullopt;
  }
  return std::pair(first, last);
}

namespace {

constexpr size_t kMostSaid = 190;  // bytes
constexpr size_t kWrapped = 45;    // bytes; a shorter line ends where its sentence does, unless the next one goes on in small letters

// What ends a comment, and blanks and signs behind its words.
std::string WithoutEnd(std::string plain) {
  for (std::string_view sign : {"*/", "-->", "\"\"\"", "'''", "*"})
    if (const size_t at = plain.rfind(sign); at != std::string::npos && plain.find_first_not_of(" \t*/", at + sign.size()) == std::string::npos) plain.resize(at);
  while (!plain.empty() && std::string_view(" \t*/#-=~").find(plain.back()) != std::string_view::npos) plain.pop_back();
  return plain;
}

// Behind the first sentence; 0 where none ends. Not behind "e.g." and not before a small letter.
size_t EndOfSentence(const std::string& text) {
  for (size_t at = text.find_first_of(".!?"); at != text.npos; at = text.find_first_of(".!?", at + 1)) {
    const std::string_view head = std::string_view(text).substr(0, at + 1), behind = std::string_view(text).substr(at + 1);
    if (MatchesWhole(behind, R"(["'`)]*)")) return text.size();
    if (MatchesPart(behind, R"(^["'`)]*\s+["'`(]*[A-Z])") && !MatchesPart(head, R"((^|[\s(])(e\.g|i\.e|vs|cf|etc|approx|resp|[A-Za-z])\.$)")) return at + 1;
  }
  return 0;
}

// The first sentence of these lines, or as much of it as there is, with "…" where it goes on.
std::string FirstSentenceOf(std::string said, std::string_view rest) {
  const bool may_be_cut = std::count(rest.begin(), rest.end(), '\n') + 2 >= kCommentLines;
  bool ends = false, goes_on = false;
  while (!ends && EndOfSentence(said) == 0 && !said.ends_with(":")) {
    goes_on = may_be_cut;
    if (rest.empty()) break;
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::string next = WithoutEnd(FirstGroup(line, R"re(^\s*(?:\*+|//+[!/]*|#+|--+|;+|%+)?\s*(.*))re").value_or(""));
    const bool item = MatchesPart(next, R"(^([-*+•]\s|\d+[.)]\s))");
    ends = next.empty() || item || MatchesPart(next, R"(^[@\\:]\w)") || (said.size() < kWrapped && MatchesPart(next, "^[A-Z]"));
    goes_on = item;
    if (!ends) said += " " + next;
  }
  if (const size_t end = EndOfSentence(said); end > 0) said.resize(end), goes_on = false;
  if (said.size() > kMostSaid) {
    said = TruncateUtf8(said, kMostSaid);
    if (const size_t space = said.rfind(' '); space != std::string::npos && space > kMostSaid / 2) said.resize(space);
    goes_on = true;
  }
  return said + (goes_on && !said.ends_with(":") ? " …" : "");
}

}  // namespace

std::string SaidBy(std::string_view comment) {
  auto said = FirstGroup(comment, R"re([^\w`'"<({\[]*(?:[rRuUbBfF]?(?:"""|''')|["'])?\s*([^\n]+))re");
  if (!said) return "";
  const std::string plain = WithoutEnd(*said);
  const bool points = MatchesPart(plain, R"((?i)^\W*(see|cf\.?|refer|same as|ditto|as above|inherit\w*|\{?@inherit\w*|copyright|license\w*|spdx|todo|fixme|xxx|hack|eslint|jshint|tslint|prettier|istanbul|c8|noqa|nolint|noinspection|pylint|flake8|mypy|pragma|type:\s*ignore|ts-\w+|clang-\w+|rubocop|go:\w+|region|endregion|phpcs|nosec|call-seq|nodoc|doctest|from\s+\S*[/.:]\S+|(copied|taken|adapted|borrowed|stolen|ported|lifted|derived|based|imported|extracted)\s+(verbatim\s+|directly\s+)?(from|on)|@\w+|\\\w+)(\b|$))");
  const bool code = MatchesPart(plain, R"([;{}]\s*$|^\s*[\w.]+\([^()]*\)\s*$|^\s*(return|if|for|while|var|let|const|import)\b.*[({=])");
  if (points || code || !MatchesPart(plain, R"([A-Za-z]{2,}\W+[A-Za-z])")) return "";
  const size_t behind = comment.find(*said) + said->size();
  return FirstSentenceOf(plain, comment.substr(std::min(comment.size(), behind + 1)));
}

}  // namespace paddock::subagents

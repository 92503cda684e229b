#include "subagents/playbook/long_comments.h"

#include <algorithm>

#include "subagents/playbook/code_lines.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr char kBeginsDocstring[] = R"re(^\s*[rRuU]?("""|'''))re";

// Behind what awaits a value, or another string.
constexpr char kBeginsLongText[] = R"re(([=(:,+%\[{"'\\]|\b(return|yield|in|is|not|and|or|if|else|print|assert))\s*\w{0,2}("""|''')\s*$|^\s*\w{0,2}("""|'''))re";

size_t CountQuotes(std::string_view text) {
  size_t quotes = 0;
  for (const char* mark : {"\"\"\"", "'''"})
    for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 3)) ++quotes;
  return quotes;
}

// Does the first """ of a hunk, in lines[index], end a text that began before the hunk?
bool EndsLongText(const Hunk& hunk, size_t index) {
  if (hunk.new_start <= 1) return false;
  const std::string& text = hunk.lines[index].text;
  if (!MatchesPart(text, R"re(^\s*("""|''')\s*$)re")) return MatchesPart(text, R"re(("""|''')[\s)\],.]*$)re") && !MatchesPart(text, kBeginsLongText);
  for (size_t i = index; i-- > 0;) {
    if (hunk.lines[i].sign == '-' || hunk.lines[i].text.find_first_not_of(" \t") == std::string::npos) continue;
    return !MatchesPart(hunk.lines[i].text, R"([:=(,\\]\s*(#.*)?$)");
  }
  return true;
}

// Of languages with /* */.
std::vector<bool> InBlockComment(std::string_view language, const Hunk& hunk) {
  std::vector<bool> out(hunk.lines.size());
  CodeReader reader = CodeReader::OfLanguage(language);
  bool begun_before = hunk.new_start > 1;  // a comment may have
  for (size_t i = 0; i < hunk.lines.size(); ++i) {
    if (hunk.lines[i].sign == '-') continue;
    const std::string_view text = hunk.lines[i].text;
    out[i] = reader.in_comment();
    const size_t close = text.find("*/");
    if (begun_before && !reader.within() && close != text.npos && text.find("/*") > close + 1 && reader.IsCodeAt(text, close)) {
      // Only prose stands before it, and no "/" that could begin a pattern.
      begun_before = false;
      if (text.substr(0, close).find('/') == text.npos) std::fill(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(i), true);
    }
    if (text.find("/*") != text.npos) begun_before = false;
    (void)reader.Take(text);
  }
  return out;
}

}  // namespace

std::vector<bool> InLongComment(std::string_view language, const Hunk& hunk) {
  std::vector<bool> out(hunk.lines.size());
  const bool python = language == "Python" || language == "Cython";
  if (!python && MatchesWhole(language, "Ruby|Perl|Shell|Make|Docker|CI|YAML|Text|JSON|SQL|Lua|Haskell|Elixir")) return out;
  if (!python) return InBlockComment(language, hunk);
  bool inside = false, first = true;
  for (size_t i = 0; i < hunk.lines.size(); ++i) {
    if (hunk.lines[i].sign == '-') continue;
    out[i] = inside;
    std::string_view text = hunk.lines[i].text;
    // Quotes in a comment begin and end nothing.
    if (const size_t hash = text.find('#'); !inside && hash != text.npos && text.substr(0, hash).find_first_of("\"'") == text.npos) text = text.substr(0, hash);
    if (CountQuotes(text) % 2 == 0) continue;
    if (first && EndsLongText(hunk, i))
      for (size_t j = 0; j < i; ++j) out[j] = true;  // it began before the hunk
    else inside = !inside;
    first = false;
  }
  return out;
}

std::set<int64_t> LinesOfDocstrings(const SeenLines& lines) {
  std::set<int64_t> out;
  bool inside = false, is_docstring = false;
  int64_t last = 0;
  for (const auto& [number, line] : lines) {
    if (number != ++last) break;  // what lies between wasn't read
    const bool begins = !inside && MatchesPart(line.text, kBeginsDocstring);
    if (!inside) is_docstring = begins;
    if (begins || (inside && is_docstring)) out.insert(number);
    if (CountQuotes(line.text) % 2 == 1) inside = !inside;
  }
  return out;
}

int64_t CountChangedCode(const FileDiff& file, const SeenLines* lines) {
  const std::string language = LanguageOf(file.path);
  const bool python = language == "Python" || language == "Cython";
  const std::set<int64_t> docstrings = python && lines != nullptr ? LinesOfDocstrings(*lines) : std::set<int64_t>();
  int64_t code = 0;
  for (const auto& hunk : file.hunks) {
    const std::vector<bool> commented = InLongComment(language, hunk);
    int64_t at = hunk.new_start - 1;  // the last line before, as the file is now
    bool removed_in_text = false;
    for (size_t i = 0; i < hunk.lines.size(); ++i) {
      const DiffLine& line = hunk.lines[i];
      if (line.sign != '-') at = line.new_line;
      // InLongComment says nothing of removed lines: they stood where those around them stand.
      if (line.sign != '-') removed_in_text = commented[i];
      if (line.sign == ' ' || !MatchesPart(line.text, R"(\w)") || IsCommentLine(file.path, line.text)) continue;
      const bool in_hunk = line.sign == '-' ? removed_in_text && i + 1 < hunk.lines.size() && (commented[i + 1] || hunk.lines[i + 1].sign == '-') : commented[i];
      const bool stands = lines != nullptr && lines->contains(at) && (line.sign == '-' || lines->at(at).text == line.text);
      const bool in_docstring = stands && docstrings.contains(at) && (line.sign == '+' || docstrings.contains(at + 1));
      code += !in_hunk && !in_docstring && !(python && MatchesPart(line.text, kBeginsDocstring)) ? 1 : 0;
    }
  }
  return code;
}

}  // namespace paddock::subagents

#include "orchestrator/delegation/quoted_lines.h"

#include <algorithm>

#include "agentcore/pipeline/clean.h"
#include "agentcore/pipeline/wrap.h"
#include "base/text.h"

namespace paddock::orchestrator {
namespace {

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t newline = text.find('\n');
    lines.push_back(text.substr(0, newline));
    if (newline == std::string_view::npos) break;
    text.remove_prefix(newline + 1);
  }
  return lines;
}

std::string_view Plain(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::string ComparableLine(std::string_view line) {
  std::string out = agentcore::BreakMarks(agentcore::CleanLine(line));
  constexpr std::string_view kReturn = "\\u{D}";
  if (out.ends_with(kReturn)) out.resize(out.size() - kReturn.size());
  return out;
}

std::vector<std::string> ComparableLines(std::string_view text) {
  std::vector<std::string> out;
  for (std::string_view line : SplitLines(text)) out.push_back(ComparableLine(line));
  return out;
}

bool IsBlankQuote(std::string_view quote) {
  auto lines = ComparableLines(quote);
  return std::all_of(lines.begin(), lines.end(), [](const std::string& line) { return line.find_first_not_of(" \t") == std::string::npos; });
}

std::vector<std::string> RawLines(const subagents::RangeFrame& range) {
  std::vector<std::string> lines;
  // Where the tool showed other bytes than those of the file (UTF-16, a byte order mark), so does the checker.
  for (const std::string& line : range.lines) lines.push_back(BytesFromWire(line));
  if (!lines.empty()) return lines;
  const std::string bytes = BytesFromWire(range.bytes);
  for (std::string_view line : SplitLines(bytes)) lines.emplace_back(line);
  return lines;
}

std::optional<SeenRange> SeenRangeOf(const subagents::RangeFrame& range, std::string_view path, int64_t first, int64_t last, const ReadLines& read, const agentcore::Redactor& redactor) {
  const std::vector<std::string> lines = RawLines(range);
  const std::vector<const ReadLine*> was_read = read.Range(path, first, last);
  if (lines.size() != static_cast<size_t>(last - first + 1) || was_read.size() != lines.size()) return std::nullopt;
  SeenRange out;
  out.bytes = BytesFromWire(range.bytes);
  std::vector<std::string> clean;
  for (size_t i = 0; i < lines.size(); ++i) clean.push_back(agentcore::CleanLine(was_read[i]->cut ? lines[i].substr(0, was_read[i]->length) : lines[i]));
  const std::vector<std::string> redacted = redactor.RedactLines(clean, first, {});
  out.secret = redacted != clean;
  for (size_t i = 0; i < lines.size(); ++i) {
    const ReadLine* was = was_read[i];
    const bool matches = was->Matches(lines[i]);
    out.same = out.same && matches;
    out.cut = out.cut || was->cut;
    // A line that is as it was read is compared as it was shown, which depended on the lines around it.
    const std::string* instead = read.ShownInstead(*was);
    out.secret = out.secret || instead;
    out.lines.push_back({ComparableLine(!matches ? redacted[i] : instead ? *instead : clean[i]), was->cut});
  }
  return out;
}

std::vector<size_t> PlacesOf(const std::vector<std::string>& quote, const std::vector<SeenLine>& lines) {
  std::vector<size_t> places;
  for (size_t start = 0; start + quote.size() <= lines.size(); ++start) {
    bool here = true;
    if (quote.size() == 1) here = lines[start].text.find(quote[0]) != std::string::npos;
    else
      for (size_t i = 0; here && i < quote.size(); ++i) here = !lines[start + i].cut && lines[start + i].text == quote[i];
    if (here) places.push_back(start);
  }
  return places;
}

namespace {

// Characters that anybody sees; what is shown as an escape ("\u{200B}", "\x1b") is none of them.
size_t CountSeen(std::string_view text) {
  size_t count = 0;
  for (size_t i = 0; i < text.size();) {
    if (text.substr(i, 3) == "\\u{" && text.find('}', i) != text.npos) {
      i = text.find('}', i) + 1;
    } else if (text.substr(i, 2) == "\\x") {
      i += 4;
    } else {
      char32_t code_point = 0;
      const size_t bytes = std::max<size_t>(1, DecodeUtf8(text.substr(i), &code_point));
      if (bytes == 1 || !IsInvisible(code_point)) ++count;
      i += bytes;
    }
  }
  return count;
}

}  // namespace

bool IsTooShort(const std::vector<std::string>& quote, const std::vector<SeenLine>& lines) {
  constexpr size_t kFewest = 3;
  const std::string_view text = quote.size() == 1 ? Plain(quote[0]) : std::string_view();
  if (quote.size() != 1 || CountSeen(text) >= kFewest) return false;
  return std::none_of(lines.begin(), lines.end(), [&](const SeenLine& line) { return !line.cut && Plain(line.text) == text && CountSeen(text) > 0; });
}

}  // namespace paddock::orchestrator

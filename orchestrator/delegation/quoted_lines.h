// Lines that a checker gave back, in the form that a model saw them in, and where in them a quote stands.
//
//   a quote of one line      stands in each line that it is a part of
//   one of several lines     stands wherever they follow each other as whole lines
//   (a newline at its end and carriage returns at line ends don't count)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/pipeline/redact.h"
#include "orchestrator/broker/read_lines.h"
#include "subagents/frames.h"

namespace paddock::orchestrator {

// Both sides of a comparison: a line as a model saw it, without a carriage return at its end. Either may be cleaned already.
std::string ComparableLine(std::string_view line);
std::vector<std::string> ComparableLines(std::string_view text);
// Nothing to see: an empty text is a part of every line and proves nothing.
bool IsBlankQuote(std::string_view quote);

struct SeenLine {
  std::string text;  // comparable; of a line that was cut, the part that was seen
  bool cut = false;
};
struct SeenRange {
  std::string bytes;            // raw
  std::vector<SeenLine> lines;
  bool same = true;             // all are as they were read
  bool cut = false;             // of one only the beginning was seen
  bool secret = false;          // secrets were taken out of one
};
// For a range that was read, and an answer that is "ok"; nullopt when it has another number of lines than the range.
std::optional<SeenRange> SeenRangeOf(const subagents::RangeFrame& range, std::string_view path, int64_t first, int64_t last, const ReadLines& read, const agentcore::Redactor& redactor);

// The raw lines of an answer, without newlines, as the tools show them.
std::vector<std::string> RawLines(const subagents::RangeFrame& range);

// Indices of the lines that the quote stands in, or begins in. `quote` is comparable and not empty.
std::vector<size_t> PlacesOf(const std::vector<std::string>& quote, const std::vector<SeenLine>& lines);
// One or two characters, which stand in almost any line, and none of these lines is nothing else: that it is there proves nothing.
bool IsTooShort(const std::vector<std::string>& quote, const std::vector<SeenLine>& lines);
constexpr char kTooShort[] = "the quote is there, but one or two characters of a line prove nothing: quote more of it";

}  // namespace paddock::orchestrator

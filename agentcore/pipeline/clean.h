// From what a cell says a tool gave (hostile) to what a model, a playbook or a person sees.
//
// Two things come out of one pass, so that they can't drift apart: the cleaned result, and the raw lines of
// files that it shows. The second is what counts as *read* for the evidence check: a line that was left out
// for length was not read, and a line that was shortened was read as far as it was shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/tool_result.h"

namespace paddock::agentcore {

struct CleanBounds {
  size_t max_bytes = 256u << 10;      // of one result: lines, entries, paths, facts and output together
  size_t max_line_bytes = 16u << 10;  // of one line as it is shown
};

// Consecutive lines of a file, as the bytes that are in it, of a result that was shown.
struct SeenExcerpt {
  std::string path;                // path text, as shown
  int64_t line_start = 1;
  std::vector<std::string> lines;  // raw bytes, without newline
  std::vector<bool> cut;           // the line goes on; one for each of `lines`
};

struct CleanedResult {
  ToolResult result;
  std::vector<SeenExcerpt> seen;
};

// One line as everybody sees it: valid UTF-8, tab kept, everything else that is invisible (a newline and a
// carriage return included) as a visible escape. Quotes are compared in this form and no other.
std::string CleanLine(std::string_view bytes);

// Never fails; whatever is too much is left out of the middle, head and tail stay, and a note at the end of
// `output` says how much it was. A shortened result that said kOk says kPartial.
CleanedResult CleanResult(ToolResult raw, const CleanBounds& bounds);

// Any value with its strings and keys cleaned, at most 8 deep and of 2,000 values and `max_bytes` of text;
// what is beyond becomes null.
Json CleanJson(const Json& value, size_t max_bytes);

// Head and tail of `text`, with a note between when it is longer than `max_bytes`.
std::string HeadAndTail(std::string_view text, size_t max_bytes);

// What a result weighs against the budget of output: bytes of its lines, entries and texts as they came.
size_t ResultBytes(const ToolResult& result);

}  // namespace paddock::agentcore

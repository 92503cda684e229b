// From what a cell says a tool gave (hostile) to what a model, a playbook or a person sees: valid UTF-8, nothing
// invisible, no secrets, bounded. Secrets are taken out of whole lines and texts, before anything is cut.
//
// Two things come out of one pass, so that they can't drift apart: the cleaned result, and the raw lines of
// files that it shows. The second is what counts as *read* for the evidence check: a line that was left out
// for length was not read, and a line that was shortened was read as far as it was shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/pipeline/redact.h"
#include "agentcore/tools/tool_result.h"

namespace paddock::agentcore {

struct CleanBounds {
  size_t max_bytes = 256u << 10;      // of one result: lines, entries, paths, facts and output together
  size_t max_line_bytes = 16u << 10;  // of one line as it is shown
};

// Consecutive lines of a file, as the bytes that are in it, of a result that was shown.
struct SeenExcerpt {
  std::string path;                // path text; as shown, but for a secret in it
  int64_t line_start = 1;
  std::vector<std::string> lines;  // raw bytes, without newline
  std::vector<bool> cut;           // the line goes on; one for each of `lines`
  // What was shown of a line that secrets were taken out of, else empty; one for each of `lines`, or none at all.
  std::vector<std::string> redacted = {};
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
// `tally` counts what was taken out; may be null.
CleanedResult CleanResult(ToolResult raw, const CleanBounds& bounds, const Redactor& redactor, RedactionTally* tally);

// Any value with its strings and keys cleaned and redacted, at most 8 deep and of 2,000 values and `max_bytes` of text;
// what is beyond becomes null.
Json CleanJson(const Json& value, size_t max_bytes, const Redactor& redactor, RedactionTally* tally);

// Head and tail of `text`, with a note between when it is longer than `max_bytes`.
std::string HeadAndTail(std::string_view text, size_t max_bytes);

// What a result weighs against the budget of output: bytes of its lines, entries and texts as they came.
size_t ResultBytes(const ToolResult& result);

}  // namespace paddock::agentcore

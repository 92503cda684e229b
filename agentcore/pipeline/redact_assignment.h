// A secret that is known by its name: `api_key = "..."`, `password: ...`, `<Password>...</Password>`, `--token ...`,
// `name: API_TOKEN` with `value: ...` in the next line, in the spellings of many languages.
//
// The name decides how much of a secret the value must look like: what is called a password may be short, what is
// called just a key must be long and random. Code that only moves a secret around (`password = read()`) stays.
#pragma once

#include <optional>
#include <string_view>

#include "agentcore/pipeline/redact_span.h"

namespace paddock::agentcore {

// `at` is the offset of a word of NameWords() in `text`. Looks at most a few hundred bytes back and ahead, and 4 KiB
// at a value.
struct AssignmentsSeen {  // in one text, from its begin to its end
  size_t looked = 0;      // words before it need no look
  size_t run_end = 0;     // of the value that was judged last
  int judged = 0;         // how many values were, that end there
};
std::optional<RedactSpan> FindAssignment(std::string_view text, size_t at, AssignmentsSeen* seen);

}  // namespace paddock::agentcore

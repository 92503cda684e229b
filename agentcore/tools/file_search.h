// The search of one file: its matching lines, with their neighbours, as blocks.
//
// The file is held in memory up to a bound, and given to the pattern in pieces of whole lines, small enough
// for the deadline to be kept even where a hostile pattern makes RE2 slow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agentcore/tools/line_reader.h"
#include "agentcore/tools/regex.h"
#include "agentcore/tools/tool_result.h"

namespace paddock::agentcore {

struct SearchLimits {
  int64_t context = 0;       // lines before and after each match
  int64_t matches = 100;     // lines that match
  size_t output_bytes = 0;   // of lines, in wire text
  Deadline deadline = Deadline::Never();
};

struct SearchTally {
  int64_t matches = 0;
  int64_t long_lines = 0;    // searched in their beginning only
  int64_t cut_files = 0;     // searched in their beginning only
  size_t output_bytes = 0;
  bool truncated = false;    // a limit was reached: there may be more matches
  bool deadline_passed = false;

  bool done() const { return truncated || deadline_passed; }
};

// Adds the excerpts of `path` (bytes) to `out` and counts in `tally`, which is shared by all files of a search.
// False when the file could not be read.
bool SearchFile(const TextFile& text, const std::string& path, const LineRegex& regex, const SearchLimits& limits, SearchTally* tally,
                std::vector<Artifact>* out);

}  // namespace paddock::agentcore

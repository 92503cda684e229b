// Lines [first, last] of a file: what the checker cell answers with when a citation is checked.
//
// The same opening, the same detection and the same lines as read_file, so that whatever a subagent was shown
// can be found again, byte for byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/text_encoding.h"
#include "base/deadline.h"
#include "base/result.h"

namespace paddock::agentcore {

struct LineRange {
  std::string raw;                 // the bytes of the range, newlines included
  std::vector<std::string> lines;  // as read_file shows them, but never cut
  int64_t changed_ns = 0;          // later of mtime and ctime, nanoseconds since the epoch, from the opened file
  uint64_t size = 0;               // of the file, bytes
  TextEncoding encoding = TextEncoding::kUtf8;
};

// `path_text` as tools take it; first and last from 1. kInvalid: bad numbers or path, or no text file (a
// folder, FIFO, binary); kNotFound: no such file, or it has fewer lines (the message says how many); kDenied:
// outside, or no permission; kLimit: more than `max_bytes`, or the range lies beyond what is scanned of a
// file; kTimeout: the deadline passed; kSystem: a read failed.
Result<LineRange> ReadLineRange(int root_fd, std::string_view path_text, int64_t first, int64_t last, size_t max_bytes,
                                const Deadline& deadline);

}  // namespace paddock::agentcore

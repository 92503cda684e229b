// The lines of a text file, streamed: how read_file and the evidence check see a file. (search_text splits
// what it holds in memory the same way.)
//
// Memory is one buffer plus what the caller asks to keep of a line. A line ends with its newline byte (in
// UTF-16: with the code unit). Bounded by bytes scanned and by a deadline, which is looked at between buffers
// but not before the first, so that a small file is always read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/text_encoding.h"
#include "agentcore/tools/workspace_file.h"
#include "base/deadline.h"

namespace paddock::agentcore {

// How far into a file lines can be counted: read_file and the evidence check reach equally far.
inline constexpr uint64_t kMaxScanBytes = 64u << 20;

// A text file, opened and looked at.
struct TextFile {
  OpenedFile file;
  ContentKind content;
};
// As OpenRegularFile. A binary file is no error here: look at content.binary.
ToolOutcome<TextFile> OpenTextFile(int root_fd, const std::string& path, Links links = Links::kFollowInside);
// The explanation for a binary one.
ToolError BinaryFileError(const std::string& path, const TextFile& text);

class LineReader {
 public:
  struct Line {
    std::string raw;   // its first bytes, newline included where they reach it
    uint64_t size = 0; // bytes of the whole line, newline included
    bool newline = false;
    bool crlf = false;
  };
  enum class Stop { kNone, kEnd, kScanLimit, kDeadline, kReadError };

  // `fd` is borrowed.
  LineReader(int fd, TextEncoding encoding, Deadline deadline, uint64_t max_scan = kMaxScanBytes);

  // The next line with at most `keep` bytes of it. False when there is none, or none that is complete: stop().
  bool Next(size_t keep, Line* line);
  Stop stop() const { return stop_; }
  bool all_utf8() const { return utf8_ && pending_.empty(); }  // of the bytes read so far

 private:
  bool Fill();
  void CheckUtf8(std::string_view chunk);
  size_t FindNewline(std::string_view chunk) const;  // bytes up to and with the newline, 0 when there is none

  const int fd_;
  const TextEncoding encoding_;
  const Deadline deadline_;
  const uint64_t max_scan_;
  std::string buffer_;
  size_t at_ = 0, filled_ = 0;
  uint64_t offset_ = 0;  // in the file, of the end of the buffer
  Stop stop_ = Stop::kNone;
  bool utf8_ = true;
  std::string pending_;  // the start of a character that a buffer's end cut
};

}  // namespace paddock::agentcore

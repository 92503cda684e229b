// What a cell has read: the lines of files that were in its tool results and were shown.
//
// A line is kept as a strong hash and a length of its raw bytes, so that the evidence check can tell what
// the checker gives back from what was seen without holding the repository in memory. A line of which only
// the beginning was seen is kept as that beginning; of one with secrets in it, what was shown is kept too. Bounded: what comes after the bound counts as not read.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agentcore/pipeline/clean.h"
#include "agentcore/pipeline/redact.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

struct ReadLinesBounds {
  size_t max_lines = 400'000;
  size_t max_path_bytes = 4u << 20;
  size_t max_shown_bytes = 4u << 20;  // of lines that secrets were taken out of
};

struct ReadLine {
  std::array<uint8_t, 16> hash{};  // first half of SHA-256 of the `length` bytes that were seen
  uint32_t length = 0;             // bytes
  bool cut = false;                // the line goes on after these bytes
  uint32_t shown = 0;              // what was shown instead, see ReadLines::ShownInstead; 0: the line itself

  // Is this line (raw bytes, without newline) the one that was seen, as far as it was seen?
  bool Matches(std::string_view line) const;
};

class ReadLines {
 public:
  explicit ReadLines(ReadLinesBounds bounds = {});

  void Add(const agentcore::SeenExcerpt& excerpt);
  // nullptr when the line was not read. `path` is path text; a leading "./" doesn't matter.
  const ReadLine* Find(std::string_view path, int64_t line) const;
  // Was every line of the range read (their beginning at least)?
  bool Covers(std::string_view path, int64_t first, int64_t last) const;

  // The lines of the range in order, valid until the next Add; empty when one of them was not read.
  std::vector<const ReadLine*> Range(std::string_view path, int64_t first, int64_t last) const;

  // What was read of a file, merged and in order.
  std::vector<subagents::ReadRange> RangesOf(std::string_view path) const;
  // Of all files, by path; at most `most`. `all`: how many there are.
  std::vector<subagents::ReadRange> Ranges(size_t most, size_t* all) const;

  // Roughly what is held.
  size_t bytes() const { return lines_.size() * 64 + path_bytes_ + shown_bytes_; }

  // Of a line that secrets were taken out of: how it was shown. nullptr for any other.
  const std::string* ShownInstead(const ReadLine& line) const { return line.shown == 0 ? nullptr : &shown_[line.shown - 1]; }

  bool overflowed() const { return overflowed_; }
  size_t lines() const { return lines_.size(); }
  std::vector<std::string> Paths() const;  // path text, sorted

 private:
  // By number of the path: its lines, sorted.
  std::unordered_map<uint64_t, std::vector<int64_t>> LinesOf(const uint64_t* only) const;
  // Seeded, so that a cell can't choose line numbers that fall into one bucket.
  struct KeyHash {
    uint64_t seed;
    size_t operator()(uint64_t key) const;
  };
  static constexpr int kLineBits = 41;

  ReadLinesBounds bounds_;
  std::unordered_map<std::string, uint64_t> paths_;  // raw bytes of the path → number
  std::unordered_map<uint64_t, ReadLine, KeyHash> lines_;  // number of the path, number of the line
  std::vector<std::string> shown_;
  size_t path_bytes_ = 0, shown_bytes_ = 0;
  bool overflowed_ = false;
};

inline constexpr size_t kMaxReadRanges = 2'000;
// For a ticket: texts fit for it, and a note where there are more.
std::vector<subagents::ReadRange> ReadsOf(const ReadLines& read, const agentcore::Redactor& redactor, std::vector<std::string>* notes);

// The one spelling of a path: its raw bytes, without "./" before. Empty when `text` is no path text.
std::string PathKey(std::string_view text);

}  // namespace paddock::orchestrator

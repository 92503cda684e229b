// Looks for a quote that does not stand where it was cited: in all that was read of that file, and in nothing else.
//
// A file is asked for once; what is held at a time is one file's lines. It is not looked for where that would be incomplete: more was
// read of the file than the bounds, it could not be read again, or it is not as it was read any more.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/delegation/quoted_lines.h"

namespace paddock::orchestrator {

struct QuoteFinderBounds {
  size_t max_ranges = 200;            // questions to a checker for one file
  size_t max_bytes = 4u << 20;        // of one file
  size_t max_total_bytes = 32u << 20; // of all files of a ticket
};

class QuoteFinder {
 public:
  // Gives the raw lines of a range; nullopt when nobody answers (or no time is left).
  using Ask = std::function<std::optional<subagents::RangeFrame>(const std::string& path, int64_t first, int64_t last)>;

  QuoteFinder(const ReadLines& read, const agentcore::Redactor& redactor, Ask ask, QuoteFinderBounds bounds = {})
      : read_(read), redactor_(redactor), ask_(std::move(ask)), bounds_(bounds) {}

  // The first lines of all places, sorted; nullopt when it was not looked for. Any of the `quotes` counts, all of the same lines.
  std::optional<std::vector<int64_t>> Find(const std::string& path, const std::vector<std::vector<std::string>>& quotes);

 private:
  struct Lines {
    int64_t first = 1;
    std::vector<SeenLine> lines;
  };
  bool Load(const std::string& path);
  bool LoadRange(const std::string& path, int64_t first, int64_t last, Lines* into);

  const ReadLines& read_;
  const agentcore::Redactor& redactor_;
  const Ask ask_;
  const QuoteFinderBounds bounds_;
  std::string path_;             // of what is held
  bool sound_ = false;
  std::vector<Lines> held_;
  size_t ranges_ = 0, bytes_ = 0, total_bytes_ = 0;
};

}  // namespace paddock::orchestrator

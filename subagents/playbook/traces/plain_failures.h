// Failures in the words of programs that nobody knows ("NAME ... FAILED", "Tests failed: 3"), and the counts that test runners end with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {

// What a line says of how many tests failed; `count` is -1 where it is none of those that do.
struct FailedCount {
  int64_t count = -1;
  bool of_runner = false;  // a known one's last line, and no program's own words
  std::string of_programs = {};  // the runner's name where it counts whole programs, each of which may have many tests
};
FailedCount FailedBy(std::string_view line);

// Takes lines that no rule knows. They count where no rule knew a failure in the whole log.
class PlainFailures {
 public:
  void Take(std::string_view line);
  // Adds a trace for each test that was said to have failed; where only a count was, one for that. A recipe's end in make, which tells of
  // what failed before it, then is none.
  void AddTo(LogFacts* facts) const;

 private:
  std::vector<std::string> tests_;
  std::string begun_;  // the test whose name stood last, without its end
  std::string count_line_;
};

}  // namespace paddock::subagents

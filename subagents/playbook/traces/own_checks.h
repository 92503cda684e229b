// Failed checks of programs that write their own: a place ("line a.cpp:3", "at a.cpp:3", "a.cpp(3)", "a.cpp, line 3") where a check's words
// stand in the same line or beside it ("assertion failed", "expected", "actual"). They count where no rule knew a failure in the whole log.
#pragma once

#include <string_view>
#include <vector>

#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {

class OwnChecks {
 public:
  // A line that no rule knows, and those beside it.
  void Take(std::string_view line, std::string_view before, std::string_view behind);
  void AddTo(LogFacts* facts) const;

 private:
  std::vector<Trace> checks_;  // each place once
};

}  // namespace paddock::subagents

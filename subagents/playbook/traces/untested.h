// A log of a run that tested nothing: "no tests ran", "Nothing to be done for 'test'".
#pragma once

#include <string>
#include <string_view>

namespace paddock::subagents {

class Untested {
 public:
  void Take(std::string_view line);
  // The line that says it; "" where none does, or another one tells of a test that ran.
  std::string Line() const;

 private:
  bool Counts(std::string_view line);

  std::string line_;
  bool tested_ = false;
  std::string skipped_;  // node's count of those that it left out
  int ran_ = -1;         // by node's own counts; -1: it gives none
};

}  // namespace paddock::subagents

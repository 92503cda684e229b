// Titles of suites in the output of JavaScript's test runners, which stand where those of tests do.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace paddock::subagents {

class Suites {
 public:
  // node:test's "▶ outer" opens one.
  void Take(std::string_view line);
  bool Has(const std::string& title) const { return titles_.contains(title); }

  // mocha's summary: "  1) outer", and deeper below it the test's own title, which ends in a colon.
  void Begin(std::string_view line);
  // The next part of the title that was begun, from the line behind it; "" where it is none.
  std::string Next(std::string_view line);

 private:
  std::set<std::string> titles_;
  size_t deeper_ = std::string::npos;  // than this many blanks the next part stands, or as deep
};

}  // namespace paddock::subagents

// Which test a line of a log is of, and where it ran: runners name a test before what it says, or behind it, and tell of those that passed as
// well.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {

class TestAround {
 public:
  enum class Said {
    kNothing,
    kTest,     // a test begins, or ends and did not fail
    kLeftOut,  // one was left out, or expected to fail: the line tells of nothing else
  };
  // Takes back what a passing test of Go's has logged.
  Said Take(std::string_view line, std::vector<Trace>* traces);
  // A failing test's name, in the line of this number.
  void Failed(const std::string& test, std::string_view format, size_t number, std::vector<Trace>* traces);
  // More of the title of the test that was named last.
  void GoesOn(const std::string& title, size_t number);
  // Lines were left out.
  void Gap(const std::vector<Trace>& traces);

  // Of the line of this number; "" where that isn't known.
  std::string Of(size_t number) const;
  // What stands here was said by a test that didn't fail.
  bool passed() const { return passed_; }
  // That of make, at the top or where one make started another.
  std::string folder() const;

 private:
  bool Begins(std::string_view line);
  bool Passes(std::string_view line, std::vector<Trace>* traces);
  void Folder(std::string_view line, std::vector<Trace>* traces);

  std::string test_;
  size_t line_ = 0;             // where it was named
  bool begun_ = false;          // it is of this test until another line says otherwise
  bool names_before_ = false;   // the runner names tests where they begin
  bool passed_ = false;
  size_t first_ = 0;            // of the traces, the first whose folder may still be told
  std::vector<std::string> folders_;  // that make has entered
};

}  // namespace paddock::subagents

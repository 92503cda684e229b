// A program run to its end for a tool, inside the jail: what it wrote, bounded, and how it ended.
//
// It gets /dev/null as its input, no descriptor but its own three, and a process group of its own, which is killed as one
// when the program has ended, at the deadline, or when it wrote more than there is room for. Any number of threads may
// run programs at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"

namespace paddock::agentcore {

struct ProgramOrder {
  std::string file;                      // absolute
  std::vector<std::string> arguments;    // without its name
  std::vector<std::string> environment;  // NAME=value, all of it
  int folder_fd = -1;                    // where it runs; borrowed
  size_t max_output = 16u << 20;         // bytes of its standard output
  Deadline deadline = Deadline::Never();
};

struct ProgramEnd {
  std::string output;      // its standard output
  std::string error;       // the beginning of its standard error, at most kMaxProgramError bytes
  bool cut = false;        // it wrote more than max_output, and was ended
  bool timed_out = false;  // it was ended at the deadline
  int exit_status = -1;    // where it ended by itself
  int signal = 0;          // where a signal ended it

  bool ended_well() const { return !cut && !timed_out && exit_status == 0; }
};
inline constexpr size_t kMaxProgramError = 4096;

// Errors are those of starting it: kNotFound, kDenied, kSystem.
Result<ProgramEnd> RunProgram(const ProgramOrder& order);

// The program of that name which can be run, by this process's PATH (absolute parts only), or "".
std::string FindProgram(std::string_view name);

// This process's environment but for names that begin with `without`; then `more`, NAME=value, which replace others.
std::vector<std::string> EnvironmentWith(std::vector<std::string> more, std::string_view without);

}  // namespace paddock::agentcore

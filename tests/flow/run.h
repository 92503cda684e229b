// One run of a paddock program, watched from outside: its output, its progress as it comes, how it ended,
// and that nothing of it is left.
//
// The test program is the subreaper of everything that it starts (prctl(2), PR_SET_CHILD_SUBREAPER), so
// whatever outlives paddock becomes the test's own child: "nothing left" is ECHILD, not a search of /proc.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/unique_fd.h"

namespace paddock::flow {

// Far longer than anything here takes: reached only when something hangs.
inline constexpr std::chrono::seconds kHang{60};

struct Command {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // nothing else is handed on
  std::string folder = "/";                        // where it starts
  std::string input;                               // standard input, at most a pipe's worth
  std::optional<uint64_t> largest_file;            // RLIMIT_FSIZE, bytes: a disk that is full
};

struct Outcome {
  int status = -1;  // exit status; 128 + n when it was killed by signal n
  bool killed = false;
  std::string out, err;
  long peak_kb = 0;        // largest resident size of the program when it began to print; 0 when that was missed
  long most_peak_kb = 0;   // what the kernel says at its end: the size of the test program before exec counts in
  std::chrono::milliseconds took{0};
};

class PaddockRun {
 public:
  explicit PaddockRun(const Command& command);
  PaddockRun(const PaddockRun&) = delete;
  ~PaddockRun();  // kills what still runs, and waits for all of it

  pid_t pid() const { return pid_; }
  void Signal(int number) const;
  // Waits for the `count`th line of standard error that holds `text`. False when it ends without.
  bool WaitForLine(const std::string& text, int count = 1);
  // Takes output until all of it is closed and the program has ended.
  Outcome Finish();
  const std::string& err() const { return outcome_.err; }

 private:
  void LookAtPeak();
  bool Pump(const Deadline& deadline);  // false: nothing more will come, or the time is up

  pid_t pid_ = -1;
  UniqueFd pidfd_, out_, err_;
  std::chrono::steady_clock::time_point started_;
  Outcome outcome_;
};

// Waits until this process has no children and no orphans of theirs. False when some still run by the deadline.
bool NothingLeft(const Deadline& deadline = Deadline::After(kHang));

// Processes below `ancestor` (inclusive) whose command name is `name`, in the order of their pids.
std::vector<pid_t> ProcessesNamed(pid_t ancestor, const std::string& name);

}  // namespace paddock::flow

// The signals that `paddock run` gets, as bytes of a pipe.
#pragma once

#include <optional>

#include "base/result.h"

namespace paddock::orchestrator {

// INT, TERM, HUP, QUIT (for the program), WINCH, TSTP and CONT (job control). What the caller ignores stays ignored:
// nohup, a shell's background jobs. Other signals that end a process put the terminal back first. SIGPIPE is ignored.
// Once a process.
class RunSignals {
 public:
  static Result<RunSignals> Install();
  // For a run within something larger, whose own handlers stay: as soon as `stop_fd` is readable, which it stays, the run is ended
  // with no time to tidy up. Borrowed.
  static RunSignals OfStop(int stop_fd);
  int fd() const { return fd_; }             // readable: Next() has one
  int cancel_fd() const { return cancel_; }  // readable, and for ever, after INT, TERM, HUP or QUIT
  std::optional<int> Next();
  // Stops this process, and its whole group as a terminal's Ctrl-Z would have; returns when it goes on.
  void StopSelf(bool whole_job);
  bool at_once() const { return at_once_; }  // the first one ends the run

 private:
  int fd_ = -1, cancel_ = -1;
  bool at_once_ = false;
};

}  // namespace paddock::orchestrator

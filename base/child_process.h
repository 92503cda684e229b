// A child of this process: its pid, and a pidfd that no other process can take over.
//
// The destructor kills and reaps. Waiting polls the pidfd with a deadline, so that no signal handler is
// needed (pidfd_open(2)).
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/deadline.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace paddock {

class ChildProcess {
 public:
  ChildProcess() = default;
  // Takes over a child of this process that nobody else waits for.
  static Result<ChildProcess> Adopt(pid_t pid);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  int pidfd() const { return pidfd_.get(); }  // readable once the child has ended

  Status Signal(int number);
  // The wait status (wait(2)); nullopt when the deadline passes first.
  Result<std::optional<int>> Wait(const Deadline& deadline);

 private:
  void KillAndReap();

  pid_t pid_ = -1;
  UniqueFd pidfd_;
};

// pidfd_send_signal(2) and poll(2) for processes that are not children.
Status SignalByPidfd(int pidfd, int number);
bool EndedByPidfd(int pidfd, const Deadline& deadline);

}  // namespace paddock

#include "base/child_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace paddock {

Result<ChildProcess> ChildProcess::Adopt(pid_t pid) {
  ChildProcess child;
  child.pid_ = pid;
  child.pidfd_.reset(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!child.pidfd_) return FailErrno("pidfd_open");
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    KillAndReap();
    pid_ = std::exchange(other.pid_, -1);
    pidfd_ = std::move(other.pidfd_);
  }
  return *this;
}

ChildProcess::~ChildProcess() { KillAndReap(); }

void ChildProcess::KillAndReap() {
  if (pid_ <= 0) return;
  // Where there could be no pidfd its number serves: a child that nobody has waited for keeps it.
  if (pidfd_) (void)SignalByPidfd(pidfd_.get(), SIGKILL);
  else kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

Status ChildProcess::Signal(int number) { return SignalByPidfd(pidfd_.get(), number); }

Result<std::optional<int>> ChildProcess::Wait(const Deadline& deadline) {
  if (!EndedByPidfd(pidfd_.get(), deadline)) return std::optional<int>();
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0)
    if (errno != EINTR) return FailErrno("waitpid");
  pid_ = -1;
  return std::optional<int>(status);
}

Status SignalByPidfd(int pidfd, int number) {
  if (syscall(SYS_pidfd_send_signal, pidfd, number, nullptr, 0) < 0) return FailErrno("pidfd_send_signal");
  return {};
}

bool EndedByPidfd(int pidfd, const Deadline& deadline) {
  for (;;) {
    pollfd wait{pidfd, POLLIN, 0};
    int ready = poll(&wait, 1, deadline.poll_ms());
    if (ready > 0) return true;
    if (ready == 0 && deadline.passed()) return false;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace paddock

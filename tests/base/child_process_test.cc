#include "base/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

namespace paddock {
namespace {

Deadline Soon() { return Deadline::After(std::chrono::seconds(20)); }
Deadline Now() { return Deadline::After({}); }

// A child that waits for a signal, or exits with `status` at once.
Result<ChildProcess> Waiting() {
  pid_t pid = fork();
  if (pid == 0)
    for (;;) pause();
  return ChildProcess::Adopt(pid);
}
Result<ChildProcess> Exiting(int status) {
  pid_t pid = fork();
  if (pid == 0) _exit(status);
  return ChildProcess::Adopt(pid);
}

bool Exists(pid_t pid) { return kill(pid, 0) == 0; }

TEST(ChildProcess, TellsHowItsChildEnded) {
  auto child = Exiting(7);
  ASSERT_TRUE(child);
  auto status = child->Wait(Soon());
  ASSERT_TRUE(status && *status);
  EXPECT_TRUE(WIFEXITED(**status));
  EXPECT_EQ(WEXITSTATUS(**status), 7);
}

TEST(ChildProcess, WaitsNoLongerThanItsDeadline) {
  auto child = Waiting();
  ASSERT_TRUE(child);
  auto status = child->Wait(Deadline::After(std::chrono::milliseconds(20)));
  ASSERT_TRUE(status);
  EXPECT_FALSE(*status);
  ASSERT_TRUE(child->Signal(SIGTERM));
  status = child->Wait(Soon());
  ASSERT_TRUE(status && *status);
  EXPECT_EQ(WTERMSIG(**status), SIGTERM);
}

TEST(ChildProcess, LeavesNothingBehind) {
  pid_t pid;
  {
    auto child = Waiting();
    ASSERT_TRUE(child);
    pid = child->pid();
    EXPECT_TRUE(Exists(pid));
  }
  EXPECT_FALSE(Exists(pid));  // killed and reaped: a zombie would still be there
}

TEST(ChildProcess, MovesWithItsChild) {
  auto first = Waiting(), second = Waiting();
  ASSERT_TRUE(first && second);
  const pid_t first_pid = first->pid(), second_pid = second->pid();
  *first = std::move(*second);
  EXPECT_FALSE(Exists(first_pid));
  EXPECT_TRUE(Exists(second_pid));
  EXPECT_EQ(first->pid(), second_pid);
  EXPECT_FALSE(EndedByPidfd(first->pidfd(), Now()));
}

TEST(ChildProcess, ItsPidfdDoesNotOutliveExec) {
  auto child = Waiting();
  ASSERT_TRUE(child);
  EXPECT_TRUE(fcntl(child->pidfd(), F_GETFD) & FD_CLOEXEC);
}

TEST(ChildProcess, AdoptsNoProcessThatIsNotThere) {
  auto child = Exiting(0);
  ASSERT_TRUE(child);
  const pid_t pid = child->pid();
  ASSERT_TRUE(child->Wait(Soon()));
  auto gone = ChildProcess::Adopt(pid);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().sys_errno, ESRCH);
}

TEST(EndedByPidfd, IsSeenWithoutReaping) {
  auto child = Waiting();
  ASSERT_TRUE(child);
  EXPECT_FALSE(EndedByPidfd(child->pidfd(), Now()));
  ASSERT_TRUE(SignalByPidfd(child->pidfd(), SIGKILL));
  EXPECT_TRUE(EndedByPidfd(child->pidfd(), Soon()));
  auto status = child->Wait(Soon());
  ASSERT_TRUE(status && *status);
  EXPECT_EQ(WTERMSIG(**status), SIGKILL);
}

}  // namespace
}  // namespace paddock

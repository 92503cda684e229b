#include "sandbox/child/init.h"

#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include <cerrno>

#include "sandbox/child/payload.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {
namespace {

int StartPayload(const Plan& plan, const Request& request) {
  int pidfd = -1;
  clone_args args{};
  args.flags = CLONE_PIDFD | CLONE_CLEAR_SIGHAND;
  args.pidfd = reinterpret_cast<uint64_t>(&pidfd);
  args.exit_signal = SIGCHLD;
  int pid = Clone3(&args);
  if (pid < 0) Die(Stage::kPayload, errno, "clone3");
  if (pid == 0) RunPayload(plan, request);
  StageDone(Stage::kPayload);
  StatusMessage started;
  started.kind = MessageKind::kStarted;
  Send(started, pidfd);
  close(pidfd);
  return pid;
}

void ReportExit(int wait_status) {
  StatusMessage exited;
  exited.kind = MessageKind::kExited;
  exited.wait_status = wait_status;
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  exited.cpu_us = static_cast<uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000 +
                  static_cast<uint64_t>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  exited.peak_rss_kb = static_cast<uint64_t>(usage.ru_maxrss);
  Send(exited);
}

UniqueFd WallClock(uint64_t wall_ms) {
  UniqueFd timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  if (!timer) Die(Stage::kPayload, errno, "timerfd");
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(wall_ms / 1000);
  when.it_value.tv_nsec = static_cast<long>(wall_ms % 1000) * 1'000'000;
  if (timerfd_settime(timer.get(), 0, &when, nullptr) < 0) Die(Stage::kPayload, errno, "timerfd");
  return timer;
}

}  // namespace

void RunInit(const Plan& plan, Request request, UniqueFd launcher_life) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  // The launcher ignores SIGCHLD; pid 1 must not, or nothing could be waited for.
  signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_BLOCK, &child, nullptr);
  UniqueFd signals(signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals) Die(Stage::kPayload, errno, "signalfd");
  UniqueFd timer = WallClock(plan.wall_ms);
  const int payload = StartPayload(plan, request);
  request.passed.clear();
  request.go.reset();

  pollfd wait[] = {{request.life.get(), 0, 0}, {launcher_life.get(), 0, 0}, {timer.get(), POLLIN, 0}, {signals.get(), POLLIN, 0}};
  for (;;) {
    if (poll(wait, std::size(wait), -1) < 0 && errno != EINTR) _exit(125);
    if ((wait[0].revents | wait[1].revents) & (POLLHUP | POLLERR | POLLNVAL)) _exit(0);
    if (wait[2].revents) {
      StatusMessage deadline;
      deadline.kind = MessageKind::kDeadline;
      Send(deadline);
      _exit(0);
    }
    signalfd_siginfo drained;
    (void)!read(signals.get(), &drained, sizeof drained);
    int status;
    for (int pid; (pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0;) {
      if (pid != payload) continue;
      ReportExit(status);
      _exit(0);  // the kernel kills whatever the payload left behind
    }
  }
}

}  // namespace paddock::sandbox::child

#include "sandbox/child/confined/init.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include <cerrno>

#include "sandbox/child/confined/monitor.h"
#include "sandbox/child/confined/payload.h"
#include "sandbox/child/confined/terminal.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {
namespace {

int StartPayload(const Plan& plan, const Request& request, int go, Monitor* monitor) {
  const UniqueFd terminal = OpenTerminal(plan);
  int listener[2] = {-1, -1};
  if (plan.notify && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, listener) < 0) Die(Stage::kPayload, errno, "socketpair");
  monitor->ExpectOn(UniqueFd(listener[0]));
  UniqueFd to_init(listener[1] < 0 ? -1 : fcntl(listener[1], F_DUPFD_CLOEXEC, kHighDescriptor));
  UniqueFd low(listener[1]);
  int pidfd = -1;
  clone_args args{};
  args.flags = CLONE_PIDFD | CLONE_CLEAR_SIGHAND;
  args.pidfd = reinterpret_cast<uint64_t>(&pidfd);
  args.exit_signal = SIGCHLD;
  int pid = Clone3(&args);
  if (pid < 0) Die(Stage::kPayload, errno, "clone3");
  if (pid == 0) RunPayload(plan, request, go, terminal.get(), to_init.get());
  StageDone(Stage::kPayload);
  StatusMessage started;
  started.kind = MessageKind::kStarted;
  Send(started, pidfd);
  close(pidfd);
  return pid;
}

void ReportStop(int wait_status) {
  StatusMessage stopped;
  stopped.kind = MessageKind::kStopped;
  stopped.wait_status = wait_status;
  Send(stopped);
}

// kExited or kCopyFailed.
void ReportExit(MessageKind kind, int wait_status, uint64_t violations) {
  StatusMessage exited;
  exited.kind = kind;
  exited.wait_status = wait_status;
  exited.violations = violations;
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  exited.cpu_us = static_cast<uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000 +
                  static_cast<uint64_t>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  exited.peak_rss_kb = static_cast<uint64_t>(usage.ru_maxrss);
  // There is room, since reports of denials leave some; else it must arrive all the same, unless the parent doesn't read at all.
  constexpr int kPatienceMs = 2000;
  if (Send(exited)) return;
  pollfd room{StatusSocket(), POLLOUT, 0};
  (void)poll(&room, 1, kPatienceMs);
  Send(exited);
}

[[noreturn]] void EndJail(MessageKind why, const Monitor& monitor) {
  StatusMessage end;
  end.kind = why;
  end.violations = monitor.count();
  Send(end);
  _exit(0);
}

void SetClock(const UniqueFd& timer, uint64_t wall_ms) {
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(wall_ms / 1000);
  when.it_value.tv_nsec = static_cast<long>(wall_ms % 1000) * 1'000'000;
  if (!timer || timerfd_settime(timer.get(), 0, &when, nullptr) < 0) Die(Stage::kPayload, errno, "timerfd");
}

// A byte on the life line: a signal for the payload's group; 0, which is none: the clock begins again.
void Obey(int life, int payload, const UniqueFd& timer, uint64_t wall_ms) {
  unsigned char number = 0;
  if (read(life, &number, 1) != 1) return;
  if (number == 0) SetClock(timer, wall_ms);
  else kill(-payload, number);
}

}  // namespace

void RunInit(const Plan& plan, Request request, UniqueFd launcher_life, UniqueFd names, int copier) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  // The launcher ignores SIGCHLD; pid 1 must not, or nothing could be waited for.
  signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_BLOCK, &child, nullptr);
  UniqueFd signals(signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals) Die(Stage::kPayload, errno, "signalfd");
  UniqueFd timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  SetClock(timer, plan.wall_ms);
  Monitor monitor(plan, std::move(names));
  // With a copier the parent's go is for it, and its good end the payload's.
  int copied[2] = {-1, -1};
  if (copier > 0 && pipe2(copied, O_CLOEXEC) < 0) Die(Stage::kPayload, errno, "pipe");
  UniqueFd copied_read(copier > 0 ? fcntl(copied[0], F_DUPFD_CLOEXEC, kHighDescriptor) : -1), copied_low(copied[0]), copied_write(copied[1]);
  const int payload = StartPayload(plan, request, copier > 0 ? copied_read.get() : request.go.get(), &monitor);
  request.passed.clear();
  request.go.reset();

  for (;;) {
    pollfd wait[] = {{request.life.get(), POLLIN, 0}, {launcher_life.get(), 0, 0}, {timer.get(), POLLIN, 0}, {signals.get(), POLLIN, 0}, {monitor.fd(), POLLIN, 0}};
    if (poll(wait, std::size(wait), -1) < 0 && errno != EINTR) _exit(125);
    if ((wait[0].revents | wait[1].revents) & (POLLHUP | POLLERR | POLLNVAL)) _exit(0);
    if (wait[2].revents) EndJail(MessageKind::kDeadline, monitor);
    if (wait[0].revents & POLLIN) Obey(request.life.get(), payload, timer, plan.wall_ms);
    if (!monitor.Handle(wait[4].revents)) EndJail(MessageKind::kTooMany, monitor);
    signalfd_siginfo drained;
    (void)!read(signals.get(), &drained, sizeof drained);
    int status;
    for (int pid; (pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED | __WALL)) > 0;) {
      if (pid == copier && WIFEXITED(status) && WEXITSTATUS(status) == 0) (void)!write(copied_write.get(), "g", 1);
      else if (pid == copier && (WIFEXITED(status) || WIFSIGNALED(status))) {
        ReportExit(MessageKind::kCopyFailed, status, monitor.count());
        _exit(0);
      }
      if (pid != payload) continue;
      if (WIFSTOPPED(status) || WIFCONTINUED(status)) {
        ReportStop(status);
        continue;
      }
      ReportExit(MessageKind::kExited, status, monitor.count());
      _exit(0);  // the kernel kills whatever the payload left behind
    }
  }
}

}  // namespace paddock::sandbox::child

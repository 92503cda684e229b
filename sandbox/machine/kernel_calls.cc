// The kernel itself, and calls without which nothing of paddock works.
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>

#include <cstdio>

#include "base/frame_pipe.h"
#include "sandbox/machine/probes.h"
#include "sandbox/machine/surroundings.h"

namespace paddock::sandbox::machine {

void TryKernel(const Asked&, Trial* t) {
  utsname name{};
  t->Do("uname", [&] { return uname(&name); });
  unsigned major = 0, minor = 0;
  std::sscanf(name.release, "%u.%u", &major, &minor);
  const std::string release = name.release;
  // 5.13 brought Landlock, 5.12 mount_setattr(2).
  if (major < 5 || (major == 5 && minor < 13)) t->Missing(0, release + "; 5.13 or newer is needed");
  t->Ok(release);
}

void TryProc(const Asked&, Trial* t) {
  t->Try("readlink(/proc/self)");
  switch (LookAtProc()) {
    case ProcState::kOurs: t->Ok("mounted, of this pid namespace");
    case ProcState::kForeign: t->Missing(0, "mounted, but of another pid namespace");
    case ProcState::kMissing: t->Missing(ENOENT, "not mounted");
  }
}

void TryCalls(const Asked&, Trial* t) {
  t->Do("close_range", [] { return syscall(SYS_close_range, 1000u, ~0u, CLOSE_RANGE_CLOEXEC); });
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  t->Do("openat2", [&] { return syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof how); });
  t->Do("timerfd_create", [] { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC); });
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  t->Do("signalfd", [&] { return signalfd(-1, &set, SFD_CLOEXEC); });
  t->Ok("close_range, openat2, timerfd, signalfd");
}

void TryPidfd(const Asked&, Trial* t) {
  auto hold = MakePipe();
  t->Try("pipe2");
  if (!hold) t->Missing(hold.error().sys_errno);
  t->Try("fork");
  const pid_t pid = fork();
  if (pid < 0) t->Missing(errno);
  if (pid == 0) {
    hold->write.reset();
    char byte;
    (void)!read(hold->read.get(), &byte, 1);  // until the signal, or until this trial ends
    _exit(0);
  }
  const auto pidfd = static_cast<int>(t->Do("pidfd_open", [&] { return syscall(SYS_pidfd_open, pid, 0); }));
  t->Do("pidfd_send_signal", [&] { return syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, nullptr, 0); });
  pollfd wait{pidfd, POLLIN, 0};
  t->Do("poll of a pidfd", [&] { return poll(&wait, 1, -1); });
  ExitStatusOf(pid);
  t->Ok("opened, signalled, waited for");
}

void TryClone3(const Asked&, Trial* t) {
  const auto pid = static_cast<pid_t>(t->Do("clone3", [] { return Clone(CLONE_CLEAR_SIGHAND); }));
  if (pid == 0) _exit(7);
  t->Try("waitpid");
  if (ExitStatusOf(pid) != 7) t->Missing(ECHILD);
  t->Ok("a process made, and waited for");
}

void TryMemfd(const Asked&, Trial* t) {
  const auto fd = static_cast<int>(t->Do("memfd_create(MFD_ALLOW_SEALING)", [] { return memfd_create("paddock-doctor", MFD_CLOEXEC | MFD_ALLOW_SEALING); }));
  t->Do("write to a memfd", [&] { return write(fd, "plan", 4); });
  t->Do("fcntl(F_ADD_SEALS)", [&] { return fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE); });
  t->Try("write to a sealed memfd");
  if (write(fd, "x", 1) >= 0 || errno != EPERM) t->Missing(0, "a sealed memfd can still be written");
  t->Ok("sealed, and not written any more");
}

// As many as a run has at once: paddock, the launcher, and builder, pid 1 and cell of two jails.
void TryProcesses(const Asked&, Trial* t) {
  constexpr int kAtOnce = 10;
  auto hold = MakePipe();
  t->Try("pipe2");
  if (!hold) t->Missing(hold.error().sys_errno);
  for (int i = 0; i < kAtOnce; ++i) {
    t->Try("fork");
    const pid_t pid = fork();
    if (pid < 0) t->Missing(errno, "only " + std::to_string(i) + " more processes may be started, a run needs " + std::to_string(kAtOnce));
    if (pid > 0) continue;
    hold->write.reset();
    char byte;
    (void)!read(hold->read.get(), &byte, 1);  // until this trial ends
    _exit(0);
  }
  hold->write.reset();
  for (int i = 0; i < kAtOnce; ++i) ExitStatusOf(-1);
  t->Ok(std::to_string(kAtOnce) + " more at once");
}

}  // namespace paddock::sandbox::machine

#include "sandbox/child/confined/terminal.h"

#include <signal.h>
#include <sys/ioctl.h>

#include <cerrno>

#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {

UniqueFd OpenTerminal(const Plan& plan) {
  if (plan.terminal_descriptors.empty()) return {};
  UniqueFd master(open("/dev/pts/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
  int locked = 0;
  if (!master || ioctl(master.get(), TIOCSPTLCK, &locked) < 0) Die(Stage::kPayload, errno, "/dev/pts/ptmx");
  UniqueFd terminal(ioctl(master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal || ioctl(terminal.get(), TIOCSCTTY, 0) < 0) Die(Stage::kPayload, errno, "terminal");
  int high = fcntl(terminal.get(), F_DUPFD_CLOEXEC, kHighDescriptor);
  if (high < 0) Die(Stage::kPayload, errno, "terminal");
  StatusMessage made;
  made.kind = MessageKind::kTerminal;
  Send(made, master.get());
  return UniqueFd(high);
}

void TakeTerminal(const Plan& plan, int terminal) {
  for (int number : plan.terminal_descriptors)
    if (dup2(terminal, number) < 0) Die(Stage::kDescriptors, errno, "terminal");
  const pid_t group = getpid();
  signal(SIGTTOU, SIG_IGN);  // it is in the background until this is done
  if (setpgid(0, 0) < 0 || ioctl(terminal, TIOCSPGRP, &group) < 0) Die(Stage::kPayload, errno, "foreground process group");
  signal(SIGTTOU, SIG_DFL);
}

}  // namespace paddock::sandbox::child

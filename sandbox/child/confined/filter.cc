#include "sandbox/child/confined/filter.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>

#include <cerrno>

#include "base/passed_fds.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV  // Linux 5.19
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

namespace paddock::sandbox::child {
namespace {

struct HelperWork {
  int number_from = -1, to_init = -1;
};

// Everything it touches is its own stack and the kernel: it shares the payload's memory.
int SendListener(void* argument) {
  const HelperWork work = *static_cast<HelperWork*>(argument);
  int listener = -1;
  if (read(work.number_from, &listener, sizeof listener) != sizeof listener) _exit(0);
  SendWithFds(work.to_init, "l", 1, {&listener, 1});
  _exit(0);
}

}  // namespace

ListenerHelper StartListenerHelper(int to_init) {
  // These outlive the call: the helper works on while the payload goes on.
  alignas(16) static char stack[16384];
  static HelperWork work;
  int number[2];
  if (pipe2(number, O_CLOEXEC) < 0) Die(Stage::kFilter, errno, "pipe");
  work = {number[0], to_init};
  // Pid 1 is its parent and reaps it (CLONE_PARENT).
  if (clone(SendListener, stack + sizeof stack, CLONE_VM | CLONE_FILES | CLONE_PARENT | SIGCHLD, &work) < 0) Die(Stage::kFilter, errno, "clone");
  return {UniqueFd(number[1])};
}

void InstallFilter(const Plan& plan, const ListenerHelper& helper) {
  sock_fprog program{};
  program.len = static_cast<unsigned short>(plan.filter.size() / sizeof(sock_filter));
  program.filter = reinterpret_cast<sock_filter*>(const_cast<char*>(plan.filter.data()));
  if (plan.filter.size() % sizeof(sock_filter) != 0 || plan.filter.size() / sizeof(sock_filter) > BPF_MAXINSNS)
    Die(Stage::kFilter, EINVAL, "size of the filter");
  // Its time is noted before: the filter may not allow a clock.
  StageDone(Stage::kFilter);
  if (!plan.notify) {
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0) Die(Stage::kFilter, errno, "first filter");
    return;
  }
  // Without WAIT_KILLABLE_RECV a timer's signals would make a denied call start again and again; older kernels lack it.
  int listener = -1;
  for (unsigned long flags : {SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, SECCOMP_FILTER_FLAG_NEW_LISTENER})
    if (listener < 0 && (listener = static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program))) < 0 && errno != EINVAL) break;
  if (listener < 0) Die(Stage::kFilter, errno, "first filter, with a listener");
  // The listener closes at exec, as everything does that was not planned.
  (void)!write(helper.number.get(), &listener, sizeof listener);
}

}  // namespace paddock::sandbox::child

// Seccomp: a filter, and a filter whose denials a supervisor answers (seccomp(2), seccomp_unotify(2)).
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include <cstddef>
#include <vector>

#include "sandbox/machine/probes.h"
#include "sandbox/machine/surroundings.h"

namespace paddock::sandbox::machine {
namespace {

// getpgrp on x86-64 and getpgid elsewhere: harmless, and nothing here needs it.
#ifdef SYS_getpgrp
constexpr uint32_t kCall = SYS_getpgrp;
#else
constexpr uint32_t kCall = SYS_getpgid;
#endif
constexpr int kAnswer = ENOTNAM;  // an errno that no kernel gives by itself

// A filter that does `action` with that one call. The descriptor of the listener where `flags` ask for one.
long Install(uint32_t action, unsigned flags) {
  sock_filter program[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, kCall},
      {BPF_RET | BPF_K, 0, 0, action},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

int ErrnoOfTheCall() { return syscall(kCall, 0) < 0 ? errno : 0; }

}  // namespace

void TrySeccomp(const Asked&, Trial* t) {
  t->Do("prctl(PR_SET_NO_NEW_PRIVS)", [] { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); });
  // Two of them, as a cell has.
  for (int i = 0; i < 2; ++i) t->Do("seccomp(SECCOMP_SET_MODE_FILTER)", [] { return Install(SECCOMP_RET_ERRNO | kAnswer, 0); });
  if (const int err = ErrnoOfTheCall(); err != kAnswer) t->Missing(err, "installed, and yet not in force");
  t->Ok("two filters, in force");
}

void TrySeccompNotify(const Asked&, Trial* t) {
  t->Do("prctl(PR_SET_NO_NEW_PRIVS)", [] { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); });
  const int listener = static_cast<int>(
      t->Do("seccomp(SECCOMP_FILTER_FLAG_NEW_LISTENER)", [] { return Install(SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER); }));
  t->Try("fork");
  const pid_t pid = fork();
  if (pid < 0) t->Untried("needs one more process");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit(ErrnoOfTheCall());
  }
  // Their sizes are the kernel's (SECCOMP_GET_NOTIF_SIZES), and may be more than this header's.
  seccomp_notif_sizes sizes{};
  t->Do("seccomp(SECCOMP_GET_NOTIF_SIZES)", [&] { return syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes); });
  std::vector<uint64_t> request(sizes.seccomp_notif / 8 + 1), response(sizes.seccomp_notif_resp / 8 + 1);
  t->Do("ioctl(SECCOMP_IOCTL_NOTIF_RECV)", [&] { return ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, request.data()); });
  auto* answer = reinterpret_cast<seccomp_notif_resp*>(response.data());
  answer->id = reinterpret_cast<seccomp_notif*>(request.data())->id;
  answer->error = -kAnswer;
  t->Do("ioctl(SECCOMP_IOCTL_NOTIF_SEND)", [&] { return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, answer); });
  if (const int err = ExitStatusOf(pid); err != kAnswer) t->Missing(err, "answered, but the answer did not arrive");
  t->Ok("one received, one answered");
}

}  // namespace paddock::sandbox::machine

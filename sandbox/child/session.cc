#include "sandbox/child/session.h"

#include <linux/keyctl.h>
#include <sched.h>

#include <cerrno>

#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {

void LeaveSession(const Plan& plan) {
  if (setsid() < 0) Die(Stage::kSession, errno, "setsid");
  // An anonymous session keyring: the host's holds other people's tickets and keys (keyctl(2), session-keyring(7)).
  // A kernel without keyrings has nothing to leave.
  if (plan.new_keyring && syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) < 0 && errno != ENOSYS)
    Die(Stage::kSession, errno, "session keyring");
  if ((plan.namespaces & CLONE_NEWUTS) && sethostname(plan.hostname.data(), plan.hostname.size()) < 0)
    Die(Stage::kSession, errno, "host name");
  StageDone(Stage::kSession);
}

}  // namespace paddock::sandbox::child

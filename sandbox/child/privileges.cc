#include "sandbox/child/privileges.h"

#include <sys/capability.h>
#include <sys/prctl.h>

#include <cerrno>

#include "sandbox/child/report.h"

namespace paddock::sandbox::child {
namespace {

// No id 0, no set-user-id program and no ambient set gives any back; locked for ever (capabilities(7)).
constexpr unsigned kLockedSecurebits = 0x2f | 0xc0;  // NOROOT, NO_SETUID_FIXUP, KEEP_CAPS_LOCKED, NO_CAP_AMBIENT_RAISE, each locked

}  // namespace

void DropPrivileges(const Plan& plan) {
  if (plan.drop_capabilities) {
    // Until the kernel knows no further capability: newer ones than this libc's are dropped too.
    for (cap_value_t cap = 0; prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0; ++cap) {
    }
    if (errno != EINVAL) Die(Stage::kPrivileges, errno, "bounding set");
    if (prctl(PR_SET_SECUREBITS, kLockedSecurebits, 0, 0, 0) < 0) Die(Stage::kPrivileges, errno, "securebits");
    if (cap_reset_ambient() < 0) Die(Stage::kPrivileges, errno, "ambient set");
    cap_t none = cap_init();
    if (!none || cap_set_proc(none) < 0) Die(Stage::kPrivileges, errno, "capability sets");
    cap_free(none);
  }
  if (plan.no_new_privs && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) Die(Stage::kPrivileges, errno, "no_new_privs");
  StageDone(Stage::kPrivileges);
}

}  // namespace paddock::sandbox::child

// What a process does to itself: privileges, Landlock, keyring, limits.
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/securebits.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "sandbox/machine/probes.h"
#include "sandbox/machine/surroundings.h"

namespace paddock::sandbox::machine {
namespace {

long RulesetVersion() { return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION); }

// Denies making block devices, and nothing else.
void Landlock(Trial* t) {
  landlock_ruleset_attr attr{};
  attr.handled_access_fs = LANDLOCK_ACCESS_FS_MAKE_BLOCK;
  const int ruleset = static_cast<int>(t->Do("landlock_create_ruleset", [&] { return syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0); }));
  t->Do("prctl(PR_SET_NO_NEW_PRIVS)", [] { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); });
  t->Do("landlock_restrict_self", [&] { return syscall(SYS_landlock_restrict_self, ruleset, 0); });
}

}  // namespace

void TryNoNewPrivs(const Asked&, Trial* t) {
  t->Do("prctl(PR_SET_NO_NEW_PRIVS)", [] { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); });
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) t->Missing(0, "set, and yet not in force");
}

void TryCapabilities(const Asked&, Trial* t) {
  BecomeAble(t);
  int dropped = 0;
  t->Try("prctl(PR_CAPBSET_DROP)");
  while (prctl(PR_CAPBSET_DROP, dropped, 0, 0, 0) == 0) ++dropped;
  if (errno != EINVAL) t->Missing(errno);
  t->Do("prctl(PR_SET_SECUREBITS)", [] { return prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0); });
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  t->Do("capset", [&] { return syscall(SYS_capset, &header, none); });
  t->Ok(std::to_string(dropped) + " known, all dropped");
}

void TryLandlock(const Asked&, Trial* t) {
  const long abi = t->Do("landlock_create_ruleset(VERSION)", [] { return RulesetVersion(); });
  Landlock(t);
  // Newer ones deny more; all that a kernel has is used.
  const char* lacks = abi < 2 ? ", no right to rename across folders" : abi < 4 ? ", no network rights" : abi < 6 ? ", no scopes" : "";
  t->Ok("ABI " + std::to_string(abi) + lacks);
}

void TryMountUnderLandlock(const Asked&, Trial* t) {
  BecomeAble(t);
  t->Try("landlock_create_ruleset(VERSION)");
  if (RulesetVersion() < 1) t->Untried("needs Landlock");
  Landlock(t);
  t->Try("unshare(CLONE_NEWNS)");
  if (unshare(CLONE_NEWNS) < 0) t->Untried("needs a mount namespace");
  t->Try("mount, inside a Landlock sandbox");
  if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0) t->Ok("allowed: paddock may be started under Landlock");
  if (errno != EPERM) t->Missing(errno);
  // So on every kernel so far (landlock(7)). It is no fault, but good to know.
  t->Ok("mounts are denied there, as on every kernel so far: paddock is to be started outside of Landlock");
}

void TryKeyring(const Asked&, Trial* t) {
  t->Try("keyctl(JOIN_SESSION_KEYRING)");
  if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) >= 0) t->Ok("a new session keyring was joined");
  // A kernel without keyrings has nothing to leave.
  if (errno == ENOSYS) t->Ok("this kernel has no keyrings, so there is none to leave");
  t->Missing(errno);
}

void TryLimits(const Asked&, Trial* t) {
  for (auto resource : {RLIMIT_AS, RLIMIT_CPU, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CORE}) {
    rlimit limit{};
    t->Do("getrlimit", [&] { return getrlimit(resource, &limit); });
    limit.rlim_cur = limit.rlim_max;
    t->Do("setrlimit", [&] { return setrlimit(resource, &limit); });
  }
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  // The processes of a jail keep their own descriptors from 200 on (messages.h).
  if (files.rlim_max < 256) t->Missing(EMFILE, "only " + std::to_string(files.rlim_max) + " open files are allowed (ulimit -n), 256 are needed");
  t->Ok("six kinds set");
}

}  // namespace paddock::sandbox::machine

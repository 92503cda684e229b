#include "sandbox/child/confined/landlock.h"

#include <algorithm>
#include <cerrno>

#include "base/unique_fd.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {
namespace {

// The ruleset of ABI 6, which is longer than this system's header says. A shorter size is passed to older kernels.
struct RulesetAttr {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;  // ABI 4
  uint64_t scoped;              // ABI 6
};

// File-system rights known to each ABI, by number of low bits: 1 → 13, 2 REFER, 3 TRUNCATE, 5 IOCTL_DEV.
uint64_t FileRights(int abi) {
  const int bits = abi >= 5 ? 16 : abi >= 3 ? 15 : abi >= 2 ? 14 : 13;
  return (uint64_t{1} << bits) - 1;
}

}  // namespace

void RestrictPaths(const Plan& plan) {
  const int abi = static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
  if (abi < 1 && plan.landlock_optional) return;
  if (abi < 1) Die(Stage::kLandlock, errno, "Landlock version");
  RulesetAttr attr{FileRights(abi), 0, 0};
  if (abi >= 4 && plan.landlock_tcp) attr.handled_access_net = 3;  // bind and connect of TCP
  if (abi >= 6) attr.scoped = 3;              // abstract Unix sockets and signals to outside
  const size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  UniqueFd ruleset(static_cast<int>(syscall(SYS_landlock_create_ruleset, &attr, size, 0)));
  if (!ruleset) Die(Stage::kLandlock, errno, "ruleset");
  for (const LandlockRule& rule : plan.landlock_rules) {
    UniqueFd place(open(rule.path.c_str(), O_PATH | O_CLOEXEC));
    if (!place) Die(Stage::kLandlock, errno, rule.path);
    landlock_path_beneath_attr beneath{};
    beneath.allowed_access = rule.access & attr.handled_access_fs;
    beneath.parent_fd = place.get();
    if (syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) < 0)
      Die(Stage::kLandlock, errno, rule.path);
  }
  if (syscall(SYS_landlock_restrict_self, ruleset.get(), 0) < 0) Die(Stage::kLandlock, errno, "restrict");
  StageDone(Stage::kLandlock);
}

}  // namespace paddock::sandbox::child

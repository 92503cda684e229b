// The steps of `paddock doctor`: what is tried on a machine, in the order of the table, and what each found.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/fields.h"
#include "sandbox/machine/trial.h"

namespace paddock::sandbox::machine {

inline auto EnumNames(FieldsOf<Outcome>) {
  return std::array{EnumName{Outcome::kOk, "ok"}, EnumName{Outcome::kPartial, "partial"}, EnumName{Outcome::kMissing, "missing"},
                    EnumName{Outcome::kUntried, "untried"}};
}

enum class StepId {
  // the machine
  kKernel, kProc, kCalls, kPidfd, kClone3, kMemfd, kProcesses,
  // what it says of user namespaces
  kMaxUserNamespaces, kUserNamespaceClone, kAppArmor,
  // namespaces, each alone
  kUser, kMount, kPid, kNet, kIpc, kUts, kCgroup,
  // ids
  kOwnId, kForeignId,
  // mounts
  kTmpfs, kBind, kTrees, kDevices, kPivotRoot, kIdMapRepository, kIdMapPrograms, kOverlay, kNewProc, kSubsetProc,
  // confinement of a process
  kNoNewPrivs, kCapabilities, kSeccomp, kSeccompNotify, kLandlock, kMountUnderLandlock, kKeyring, kLimits,
  // resources
  kCgroups,
  kCount,
};

inline auto EnumNames(FieldsOf<StepId>) {
  using enum StepId;
  return std::array{
      EnumName{kKernel, "kernel"}, EnumName{kProc, "proc"}, EnumName{kCalls, "system_calls"}, EnumName{kPidfd, "pidfd"},
      EnumName{kClone3, "clone3"}, EnumName{kMemfd, "memfd_seals"}, EnumName{kProcesses, "processes"},
      EnumName{kMaxUserNamespaces, "max_user_namespaces"}, EnumName{kUserNamespaceClone, "unprivileged_userns_clone"},
      EnumName{kAppArmor, "apparmor_restrict_userns"}, EnumName{kUser, "user"}, EnumName{kMount, "mount"}, EnumName{kPid, "pid"},
      EnumName{kNet, "net"}, EnumName{kIpc, "ipc"}, EnumName{kUts, "uts"}, EnumName{kCgroup, "cgroup"}, EnumName{kOwnId, "own_id"},
      EnumName{kForeignId, "foreign_id"}, EnumName{kTmpfs, "tmpfs"}, EnumName{kBind, "bind_mount"}, EnumName{kTrees, "mount_trees"},
      EnumName{kDevices, "devices"}, EnumName{kPivotRoot, "pivot_root"}, EnumName{kIdMapRepository, "id_mapped_repository"},
      EnumName{kIdMapPrograms, "id_mapped_programs"}, EnumName{kOverlay, "overlayfs"}, EnumName{kNewProc, "new_proc"},
      EnumName{kSubsetProc, "new_proc_subset_pid"}, EnumName{kNoNewPrivs, "no_new_privs"}, EnumName{kCapabilities, "capabilities"},
      EnumName{kSeccomp, "seccomp"}, EnumName{kSeccompNotify, "seccomp_notify"}, EnumName{kLandlock, "landlock"},
      EnumName{kMountUnderLandlock, "mount_under_landlock"}, EnumName{kKeyring, "keyring"}, EnumName{kLimits, "limits"},
      EnumName{kCgroups, "cgroups"}};
}

struct Finding {
  StepId step = StepId::kKernel;
  Outcome outcome = Outcome::kMissing;
  std::string tried;  // the last call of the step; empty where something was only read
  std::string error;  // name of the errno; empty where there is none
  std::string seen;   // in a few words
  std::string mend;   // what to do; empty where there is nothing to do
};
inline auto Fields(FieldsOf<Finding>) {
  return std::make_tuple(Required("step", &Finding::step, "what was tried"),
                         Required("outcome", &Finding::outcome, "ok, partial, missing, or untried (seen says why)"),
                         Required("tried", &Finding::tried, "the last call that was made for it"),
                         Required("error", &Finding::error, "name of the errno it got; empty where there was none"),
                         Required("seen", &Finding::seen, "what was seen, in a few words"),
                         Required("mend", &Finding::mend, "what to do about it; empty where there is nothing"));
}

}  // namespace paddock::sandbox::machine

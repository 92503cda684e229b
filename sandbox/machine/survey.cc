#include "sandbox/machine/survey.h"

#include <sched.h>

#include <algorithm>

#include "sandbox/machine/mend.h"
#include "sandbox/machine/probes.h"

namespace paddock::sandbox::machine {
namespace {

constexpr auto kStepSpan = std::chrono::seconds(2);  // ordinarily a millisecond

using Mend = std::string (*)(const Tried& tried, const Facts& facts, const Asked& asked);

// The functions of mend.h that need the error and the facts alone.
template <auto kMend>
std::string By(const Tried& tried, const Facts& facts, const Asked&) { return kMend(tried.error, facts); }

std::string IdMap(const Tried& tried, const Facts& facts, const Asked& asked) {
  if (tried.tried == "setgroups") return MendGroups(tried.error, facts);
  return MendIdMap(tried.error, facts, facts.uid == 0 ? asked.jail_uid : facts.uid);
}
std::string Mounting(const Tried& tried, const Facts& facts, const Asked&) {
  return tried.tried.starts_with("mount(") ? MendMount(tried.error, facts) : MendNamespace(tried.error, facts);
}
std::string Cgroups(const Tried& tried, const Facts& facts, const Asked&) {
  if (tried.seen.starts_with("v2")) return MendGroup2(facts);
  // Controllers that version 1 has, version 2 can't have: mounting it would not help.
  if (tried.seen.starts_with("v1")) return "boot with systemd.unified_cgroup_hierarchy=1; or as root give this user groups of version 1, below memory and pids";
  return "boot with systemd.unified_cgroup_hierarchy=1, or as root: mount -t cgroup2 none /sys/fs/cgroup";
}

struct Row {
  StepId step;
  Probe probe;
  const char* mend_text;  // or:
  Mend mend = nullptr;
};

constexpr char kProcMend[] = "not needed by a profile that ships. In a container: docker run --security-opt systempaths=unconfined; else mount a whole /proc first";

constexpr Row kRows[] = {
    {StepId::kKernel, TryKernel, "boot a newer kernel: 5.13 or later"},
    {StepId::kProc, TryProc, kMountProc},
    {StepId::kCalls, TryCalls, nullptr, By<MendCall>},
    {StepId::kPidfd, TryPidfd, nullptr, By<MendCall>},
    {StepId::kClone3, TryClone3, nullptr, By<MendCall>},
    {StepId::kMemfd, TryMemfd, nullptr, By<MendCall>},
    {StepId::kProcesses, TryProcesses, kMoreProcesses},
    {StepId::kMaxUserNamespaces, LookAtMaxUserNamespaces, "as root: sysctl -w user.max_user_namespaces=15000"},
    {StepId::kUserNamespaceClone, LookAtUserNamespaceClone, "as root: sysctl -w kernel.unprivileged_userns_clone=1"},
    {StepId::kAppArmor, LookAtAppArmor, "as root: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
    {StepId::kUser, TryUser, nullptr, By<MendUserNamespace>},
    {StepId::kMount, TryMount, nullptr, Mounting},
    {StepId::kPid, TryPid, nullptr, By<MendNamespace>},
    {StepId::kNet, TryNet, nullptr, By<MendNamespace>},
    {StepId::kIpc, TryIpc, nullptr, By<MendNamespace>},
    {StepId::kUts, TryUts, nullptr, By<MendNamespace>},
    {StepId::kCgroup, TryCgroupNamespace, nullptr, By<MendNamespace>},
    {StepId::kOwnId, TryOwnId, nullptr, IdMap},
    {StepId::kForeignId, TryForeignId, nullptr, IdMap},
    {StepId::kTmpfs, TryTmpfs, nullptr, By<MendMount>},
    {StepId::kBind, TryBind, nullptr, By<MendMount>},
    {StepId::kTrees, TryTrees, nullptr, By<MendMount>},
    {StepId::kDevices, TryDevices, nullptr, By<MendDevices>},
    {StepId::kPivotRoot, TryPivotRoot, nullptr, By<MendMount>},
    {StepId::kIdMapRepository, TryIdMapRepository, nullptr, By<MendIdMappedMount>},
    {StepId::kIdMapPrograms, TryIdMapPrograms, "not needed by a profile that ships"},
    {StepId::kOverlay, TryOverlay, "not needed by a profile that ships. An ordinary user needs kernel 5.11"},
    {StepId::kNewProc, TryNewProc, kProcMend},
    {StepId::kSubsetProc, TrySubsetProc, kProcMend},
    {StepId::kNoNewPrivs, TryNoNewPrivs, nullptr, By<MendCall>},
    {StepId::kCapabilities, TryCapabilities, nullptr, By<MendCall>},
    {StepId::kSeccomp, TrySeccomp, nullptr, By<MendFilter>},
    {StepId::kSeccompNotify, TrySeccompNotify, nullptr, By<MendFilter>},
    {StepId::kLandlock, TryLandlock, nullptr, By<MendLandlock>},
    {StepId::kMountUnderLandlock, TryMountUnderLandlock, ""},
    {StepId::kKeyring, TryKeyring, nullptr, By<MendCall>},
    {StepId::kLimits, TryLimits, "allow this process more open files: ulimit -n 256, or more"},
    {StepId::kCgroups, TryCgroups, nullptr, Cgroups},
};
static_assert(std::size(kRows) == static_cast<size_t>(StepId::kCount));

struct Context {
  const Asked& asked;
  Probe probe;
};
void Run(const void* context, Trial* t) {
  const auto* one = static_cast<const Context*>(context);
  one->probe(one->asked, t);
}

}  // namespace

Finding TryStep(StepId step, const Asked& asked, const Facts& facts) {
  const Row& row = *std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& one) { return one.step == step; });
  const Context context{asked, row.probe};
  const Tried tried = RunTrial(Run, &context, Deadline::After(kStepSpan));
  Finding finding{step, tried.outcome, tried.tried, tried.error ? ErrnoName(tried.error) : "", tried.seen, ""};
  if (tried.outcome == Outcome::kMissing || tried.outcome == Outcome::kPartial)
    finding.mend = row.mend_text ? row.mend_text : row.mend(tried, facts, asked);
  return finding;
}

std::vector<Finding> Survey(const Asked& asked) {
  const Facts facts = ReadFacts();
  std::vector<Finding> findings;
  for (const Row& row : kRows) findings.push_back(TryStep(row.step, asked, facts));
  return findings;
}

std::vector<StepId> StepsOf(const Plan& plan, uint32_t caller_uid) {
  using enum StepId;
  // The launcher's own start (child/template_root.cc) and the parent's reading of the receipt, whatever the plan.
  std::vector<StepId> steps{kProc, kCalls, kPidfd, kClone3, kMemfd, kProcesses, kMount, kNet, kTmpfs, kTrees, kDevices, kPivotRoot};
  auto add = [&](bool needed, StepId step) {
    if (needed && std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
  };
  add(caller_uid != 0, kUser);
  for (auto [flag, step] : {std::pair{CLONE_NEWUSER, kUser}, {CLONE_NEWNS, kMount}, {CLONE_NEWPID, kPid}, {CLONE_NEWIPC, kIpc},
                            {CLONE_NEWUTS, kUts}, {CLONE_NEWCGROUP, kCgroup}})
    add(plan.namespaces & static_cast<uint64_t>(flag), step);
  if (plan.namespaces & CLONE_NEWUSER) add(true, plan.outer_uid == caller_uid ? kOwnId : kForeignId);
  for (const MountOp& mount : plan.mounts) {
    add(mount.id_mapped, kIdMapRepository);
    add(mount.kind == MountKind::kProc, mount.only_processes ? kSubsetProc : kNewProc);
  }
  add(plan.notify, kSeccompNotify);
  add(plan.new_keyring, kKeyring);
  add(plan.drop_capabilities, kCapabilities);
  add(plan.no_new_privs, kNoNewPrivs);
  add(plan.landlock && !plan.landlock_optional, kLandlock);
  add(!plan.limits.empty(), kLimits);
  add(!plan.filter.empty(), kSeccomp);
  std::sort(steps.begin(), steps.end());
  return steps;
}

}  // namespace paddock::sandbox::machine

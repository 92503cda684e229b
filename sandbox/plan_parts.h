// What the plans of cells and of other programs have in common.
#pragma once

#include "sandbox/filter_rules.h"
#include "sandbox/plan_builder.h"

namespace paddock::sandbox {

// A jail never runs as the host's root. Root takes the repository owner's ids; where that is root again, ids
// that nobody has, through an id-mapped view of the files.
struct HostIds {
  uint32_t uid = 0, gid = 0;
  bool id_mapped = false;
};
HostIds ChooseIds(const Caller& caller, const Workspace* workspace);
// Ids, namespaces and host name of the plan. kDenied when it would be the host's root after all.
Status TakeIds(const HostIds& ids, const Caller& caller, Plan* plan);

// What the profile shows of `workspace`: it, or nullptr. kInvalid when there should be one.
Result<const Workspace*> WorkspaceOf(const Profile& profile, const Workspace* workspace);
MountOp WorkspaceMount(const Workspace& workspace, bool id_mapped);
MountOp MaskMount(std::string target);
// Where the files that the profile hides are covered: each of `hidden` below `folder`, sorted, none twice or in a
// folder that is covered itself. Without `hidden` nobody has looked for them: kInternal. kInvalid for what is no plain
// path below a folder, since whoever looked is not trusted.
Result<std::vector<std::string>> HiddenTargets(const Profile& profile, const std::optional<std::vector<std::string>>& hidden, const std::string& folder);
// `address_space`: memory is limited by each process's address space, else by its data.
Result<std::vector<ResourceLimit>> ResourceLimits(const LimitRules& rules, bool address_space);
// Into the plan: which layers may be absent, the environment (from nothing: what the profile keeps of this process's, and
// what it sets; sorted), and the clock of pid 1, which `wall_ms` can only narrow.
Status TakeRules(const Profile& profile, std::optional<int64_t> wall_ms, Plan* plan);

// Into the plan: whether and how denied calls are reported, and how many end the jail.
void TakeReporting(const Profile& profile, Plan* plan);

// The errno of a call that is known and denied.
int DenialErrno(const Profile& profile);
// Do the rules allow any socket? Jails without one have nothing to meet with in a network namespace that they share.
bool MayMakeSockets(const CallRules& rules);

}  // namespace paddock::sandbox

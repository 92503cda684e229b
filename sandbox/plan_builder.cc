#include "sandbox/plan_builder.h"

#include <linux/landlock.h>
#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "base/text.h"
#include "sandbox/plan_parts.h"
#include "sandbox/syscall_filter.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {
namespace {

constexpr uint64_t kReadFiles = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;

Result<MountOp> Program(const std::string& program) {
  char resolved[PATH_MAX];
  struct stat info;
  if (!realpath(program.c_str(), resolved) || stat(resolved, &info) < 0)
    return FailErrno("program " + VisibleText(program, Newlines::kEscape), errno, "paddock-cell belongs beside paddock: install or build it there");
  MountOp op;
  op.source = resolved;
  op.source_device = info.st_dev;
  op.source_inode = info.st_ino;
  op.target = "/cell";
  op.no_exec = false;
  return op;
}

// The first filter allows the second's calls and what the start needs, but not the call whose denial is its
// witness; see subagents/cell/witness.
Result<CallRules> FirstRules(const CallRules& second) {
  CallRules first = Union(second, TRY(StartCalls()));
  const uint32_t witness = TRY(SystemCallNumber("getpgrp"));
  std::erase_if(first, [&](const CallRule& rule) { return rule.number == witness; });
  return first;
}

}  // namespace

Result<BuiltPlan> BuildPlan(const PlanRequest& request, const Caller& caller) {
  const Profile& profile = *request.profile;
  TRY(FitsCell(profile));
  BuiltPlan built;
  Plan& plan = built.plan;
  const Workspace* workspace = TRY(WorkspaceOf(profile, request.workspace));
  const HostIds ids = ChooseIds(caller, workspace);
  TRY(TakeIds(ids, caller, &plan));

  plan.mounts.push_back(TRY(Program(request.program)));
  plan.landlock_rules = {{"/cell", LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE},
                         {"/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE},
                         {"/dev/zero", LANDLOCK_ACCESS_FS_READ_FILE},
                         {"/dev/urandom", LANDLOCK_ACCESS_FS_READ_FILE}};
  if (workspace) {
    plan.mounts.push_back(WorkspaceMount(*workspace, ids.id_mapped));
    plan.landlock_rules.push_back({"/workspace", kReadFiles});
    built.hidden = TRY(HiddenTargets(profile, request.hidden, "/workspace"));
    for (const std::string& target : built.hidden) plan.mounts.push_back(MaskMount(target));
  }
  TRY(TakeRules(profile, request.wall_ms, &plan));
  plan.limits = TRY(ResourceLimits(profile.limits, true));

  const CallRules rules = TRY(ResolveCalls(profile.syscalls.allow));
  const Denial denial{DenialErrno(profile), ENOSYS};
  plan.filter = TRY(CompileFilter(TRY(FirstRules(rules)), denial));
  if (request.second_filter) built.second_filter = TRY(CompileFilter(rules, denial));
  plan.network = MayMakeSockets(rules) ? Network::kOwnEmpty : Network::kSharedEmpty;

  plan.program = "/cell";
  plan.argv = request.argv;
  plan.descriptors = request.descriptors;
  plan.hold = request.hold;
  UpdateDigests(&built);
  return built;
}

}  // namespace paddock::sandbox

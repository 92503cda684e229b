#include "sandbox/plan_builder.h"

#include <linux/landlock.h>
#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "base/text.h"
#include "sandbox/listed_programs.h"
#include "sandbox/plan_parts.h"
#include "sandbox/program_root.h"
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

// The calls whose denial witnesses a filter: the first one allows what the second denies, and the other way round
// (subagents/cell/witness.h).
constexpr char kFirstWitness[] = "getpgrp", kSecondWitness[] = "getppid";

Status Without(const char* name, CallRules* rules) {
  const uint32_t number = TRY(SystemCallNumber(name));
  std::erase_if(*rules, [&](const CallRule& rule) { return rule.number == number; });
  return {};
}

// The second filter's, which stay. Where the cell's tools start programs they are the programs' too, and beside the profile's
// list there is what the cell itself needs.
Result<CallRules> SecondRules(const Profile& profile) {
  if (profile.exec.mode == ExecRules::Mode::kNone) return ResolveCalls(profile.syscalls.allow);
  // None of the list that its tools would start.
  if (profile.exec.mode == ExecRules::Mode::kList && profile.exec.programs.empty()) return ResolveCalls({"@agent-read-only"});
  CallRules rules = Union(TRY(ProgramCalls(profile)), TRY(ResolveCalls({"@agent-read-only"})));
  TRY(Without(kSecondWitness, &rules));
  return rules;
}

// The first filter allows the second's calls and what the start needs.
Result<CallRules> FirstRules(const CallRules& second) {
  CallRules first = Union(second, TRY(StartCalls()));
  TRY(Without(kFirstWitness, &first));
  return first;
}

// The cell and the workspace, in the root that the launcher has ready.
Status AddBareRoot(const PlanRequest& request, const Workspace* workspace, const HostIds& ids, BuiltPlan* built) {
  Plan& plan = built->plan;
  plan.mounts.push_back(TRY(Program(request.program)));
  plan.landlock_rules = {{"/cell", LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE},
                         {"/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE},
                         {"/dev/zero", LANDLOCK_ACCESS_FS_READ_FILE},
                         {"/dev/urandom", LANDLOCK_ACCESS_FS_READ_FILE}};
  if (!workspace) return {};
  plan.mounts.push_back(WorkspaceMount(*workspace, ids.id_mapped));
  plan.landlock_rules.push_back({"/workspace", kReadFiles});
  built->hidden = TRY(HiddenTargets(*request.profile, request.hidden, "/workspace"));
  for (const std::string& target : built->hidden) plan.mounts.push_back(MaskMount(target));
  return {};
}

Status AddRootOfPrograms(const PlanRequest& request, const Workspace* workspace, const HostIds& ids, BuiltPlan* built) {
  TRY(Program(request.program));  // its own words where it is missing
  ProgramRoot root{request.profile, workspace, &request.hidden, ids, "", request.program};
  root.is_cell = true;
  return AddProgramRoot(root, built);
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

  const bool programs = profile.exec.mode != ExecRules::Mode::kNone;
  const CallRules rules = TRY(SecondRules(profile));
  TakeReporting(profile, &plan);
  Denial denial{plan.notify_errno, ENOSYS, plan.notify ? Answer::kNotify : Answer::kErrno};
  plan.filter = TRY(CompileFilter(TRY(FirstRules(rules)), denial));
  // What both deny is reported only if the second does not say how (filter_rules.h).
  if (plan.notify) denial.answer = Answer::kTrace;
  if (request.second_filter) built.second_filter = TRY(CompileFilter(rules, denial));
  plan.network = MayMakeSockets(rules) ? Network::kOwnEmpty : Network::kSharedEmpty;

  TRY(programs ? AddRootOfPrograms(request, workspace, ids, &built) : AddBareRoot(request, workspace, ids, &built));
  TRY(TakeRules(profile, request.wall_ms, &plan));
  plan.limits = TRY(ResourceLimits(profile.limits, !programs));

  plan.program = "/cell";
  plan.argv = request.argv;
  plan.descriptors = request.descriptors;
  plan.hold = request.hold;
  plan.marked_start = true;
  UpdateDigests(&built);
  return built;
}

}  // namespace paddock::sandbox

#include "sandbox/program_plan.h"

#include <signal.h>
#include <sys/resource.h>

#include <cerrno>

#include "sandbox/beneath.h"
#include "sandbox/command.h"
#include "sandbox/listed_programs.h"
#include "sandbox/plan_parts.h"
#include "sandbox/program_root.h"
#include "sandbox/root_view.h"
#include "sandbox/syscall_filter.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {
namespace {

using Mode = ExecRules::Mode;

// A path of the host's as the jail sees it, where it lies in the workspace.
std::string InJail(const std::string& path, const Workspace* workspace) {
  if (!workspace || !path.starts_with("/") || !Beneath(path, workspace->path)) return path;
  return "/workspace" + path.substr(workspace->path.size());
}

Status AddFilter(const Profile& profile, bool own_network, Plan* plan) {
  const CallRules rules = TRY(ProgramCalls(profile));
  TakeReporting(profile, plan);
  plan->filter = TRY(CompileFilter(rules, {plan->notify_errno, ENOSYS, plan->notify ? Answer::kNotify : Answer::kErrno}));
  plan->network = MayMakeSockets(rules) || own_network || profile.network.loopback ? Network::kOwnEmpty : Network::kSharedEmpty;
  plan->loopback = profile.network.loopback;
  plan->landlock_tcp = !profile.network.loopback;
  return {};
}

void AddCommand(const ProgramRequest& request, const Workspace* workspace, Plan* plan) {
  plan->argv = request.argv;
  plan->program = InJail(request.argv.front(), workspace);
  plan->working_folder = "/";
  if (workspace) plan->working_folder = Beneath(request.working_folder, workspace->path) ? InJail(request.working_folder, workspace) : "/workspace";
  for (auto [number, terminal] : {std::pair{0, request.stdin_terminal}, {1, request.stdout_terminal}, {2, request.stderr_terminal}})
    (terminal ? plan->terminal_descriptors : plan->descriptors).push_back(number);
  if (request.profile->filesystem.workspace == WorkspaceAccess::kOverlay) plan->copier = {"paddock-copy", kOriginal, "/workspace"};
}

}  // namespace

Result<bool> MayStartProcesses(const Profile& profile) {
  const CallRules rules = TRY(ProgramCalls(profile));
  const uint64_t as_fork[6] = {SIGCHLD};
  for (const char* name : {"clone", "fork", "vfork"})
    if (auto number = SystemCallNumber(name); number && Decide(rules, {}, *number, as_fork) == 0) return true;
  return false;
}

Result<BuiltPlan> BuildProgramPlan(const ProgramRequest& request, const Caller& caller) {
  const Profile& profile = *request.profile;
  if (request.argv.empty()) return Fail(ErrorKind::kInvalid, "no command given");
  if (request.argv.front().empty()) return std::unexpected(Error{ErrorKind::kNotFound, "the command's name is empty", "", ENOENT});
  const Workspace* workspace = TRY(WorkspaceOf(profile, request.workspace));
  BuiltPlan built;
  Plan& plan = built.plan;
  const HostIds ids = ChooseIds(caller, workspace);
  TRY(TakeIds(ids, caller, &plan));
  AddCommand(request, workspace, &plan);
  TRY(AddFilter(profile, request.own_network, &plan));
  ProgramRoot root{&profile, workspace, &request.hidden, ids, request.argv.front(), request.programs_folder + "/paddock-cell"};
  // Where there is more than one program, some make terminals of their own (script, expect, test suites).
  root.terminals = !plan.terminal_descriptors.empty() || profile.filesystem.root != RootKind::kCellOnly;
  root.homes = request.homes;
  TRY(AddProgramRoot(root, &built));
  if (profile.filesystem.root == RootKind::kCellOnly || profile.exec.mode == Mode::kNone) plan.program = TRY(FindCommand(request.argv.front())).file;
  TRY(TakeRules(profile, request.wall_ms, &plan));
  plan.limits = TRY(ResourceLimits(profile.limits, false));
  if (request.memory_group) std::erase_if(plan.limits, [](const ResourceLimit& limit) { return limit.resource == RLIMIT_DATA; });
  plan.hold = true;
  UpdateDigests(&built);
  return built;
}

}  // namespace paddock::sandbox

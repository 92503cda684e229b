#include "sandbox/plan_builder.h"

#include <linux/landlock.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "base/sha256.h"
#include "base/text.h"
#include "sandbox/machine/facts.h"
#include "sandbox/syscall_filter.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {
namespace {

constexpr uint64_t kReadFiles = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;

// Every layer is always put in place; what a profile says is which of them nothing may start without.
constexpr uint64_t kNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

// A jail never runs as the host's root. Root takes the repository owner's ids; where that is root again, ids
// that nobody has, through an id-mapped view of the files.
// Group ids below are the system's (disk, shadow, kmem; Debian policy 9.2.2): a jail gets none of them.
constexpr uint32_t kFirstHarmlessGid = 100;
struct HostIds {
  uint32_t uid = 0, gid = 0;
  bool id_mapped = false;
};
HostIds ChooseIds(const Caller& caller, const Workspace* workspace) {
  if (caller.uid != 0) return {caller.uid, caller.gid, false};
  if (workspace && workspace->owner_uid != 0)
    return {workspace->owner_uid, workspace->owner_gid >= kFirstHarmlessGid ? workspace->owner_gid : workspace->owner_uid, false};
  return {caller.root_jail_uid, caller.root_jail_uid, workspace != nullptr};
}

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

MountOp WorkspaceMount(const Workspace& workspace, bool id_mapped) {
  MountOp op;
  op.source = workspace.path;
  op.source_device = workspace.device;
  op.source_inode = workspace.inode;
  op.target = "/workspace";
  op.recursive = true;
  op.id_mapped = id_mapped;
  return op;
}

Result<std::vector<ResourceLimit>> Limits(const LimitRules& rules) {
  const auto memory = static_cast<uint64_t>(TRY(ParseSize(rules.memory)));
  const auto cpu_ms = static_cast<uint64_t>(TRY(ParseDuration(rules.cpu)));
  const auto file_size = static_cast<uint64_t>(TRY(ParseSize(rules.file_size)));
  return std::vector<ResourceLimit>{
      {RLIMIT_AS, memory},
      {RLIMIT_CPU, std::max<uint64_t>(1, (cpu_ms + 999) / 1000)},
      {RLIMIT_NPROC, static_cast<uint64_t>(rules.processes)},
      {RLIMIT_NOFILE, static_cast<uint64_t>(rules.files)},
      {RLIMIT_FSIZE, file_size},
      {RLIMIT_CORE, 0},
      {RLIMIT_MEMLOCK, 0},
      {RLIMIT_MSGQUEUE, 0},
      {RLIMIT_RTPRIO, 0},
      {RLIMIT_STACK, std::min<uint64_t>(memory, 8u << 20)},
  };
}

std::vector<std::string> Environment(const EnvironmentRules& rules) {
  std::vector<std::string> environment;
  for (const std::string& name : rules.keep)
    if (const char* value = getenv(name.c_str()); value && !rules.set.contains(name)) environment.push_back(name + "=" + value);
  for (const auto& [name, value] : rules.set) environment.push_back(name + "=" + value);
  std::sort(environment.begin(), environment.end());
  return environment;
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

Caller ThisCaller() {
  const machine::HostRoot root = machine::NameOfHostRoot();
  return {geteuid(), getegid(), kRootJailUid, root.uid, root.gid};
}

Result<BuiltPlan> BuildPlan(const PlanRequest& request, const Caller& caller) {
  const Profile& profile = *request.profile;
  TRY(FitsCell(profile));
  BuiltPlan built;
  Plan& plan = built.plan;
  const bool has_workspace = profile.filesystem.workspace != WorkspaceAccess::kNone;
  const Workspace* workspace = has_workspace ? request.workspace : nullptr;
  if (has_workspace && !workspace) return Fail(ErrorKind::kInvalid, "profile " + profile.name + " needs a repository", "name it with --repo DIR");
  const HostIds ids = ChooseIds(caller, workspace);
  if (ids.uid == 0 || ids.gid == 0 || ids.uid == caller.host_root_uid || ids.gid == caller.host_root_gid)
    return Fail(ErrorKind::kDenied, "the jail would run as id 0 of the host", "run paddock as an ordinary user whose group is not root's");
  plan.namespaces = kNamespaces;
  plan.outer_uid = ids.uid;
  plan.outer_gid = ids.gid;
  plan.hostname = "paddock";

  plan.mounts.push_back(TRY(Program(request.program)));
  plan.landlock_rules = {{"/cell", LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE},
                         {"/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE},
                         {"/dev/zero", LANDLOCK_ACCESS_FS_READ_FILE},
                         {"/dev/urandom", LANDLOCK_ACCESS_FS_READ_FILE}};
  if (workspace) {
    plan.mounts.push_back(WorkspaceMount(*workspace, ids.id_mapped));
    plan.landlock_rules.push_back({"/workspace", kReadFiles});
  }
  plan.landlock_optional = std::find(profile.optional.begin(), profile.optional.end(), Layer::kLandlock) != profile.optional.end();
  plan.limits = TRY(Limits(profile.limits));

  const CallRules rules = TRY(ResolveCalls(profile.syscalls.allow));
  const Denial denial{profile.syscalls.on_deny == DenyErrno::kEperm ? EPERM : ENOSYS, ENOSYS};
  plan.filter = TRY(CompileFilter(TRY(FirstRules(rules)), denial));
  if (request.second_filter) built.second_filter = TRY(CompileFilter(rules, denial));
  // Jails that can't make a socket may share one empty network namespace: they have nothing to meet with in it.
  const uint32_t socket_call = TRY(SystemCallNumber("socket"));
  const uint64_t any_arguments[6] = {};
  const bool no_sockets = Decide(rules, denial, socket_call, any_arguments) != 0 &&
                          std::none_of(rules.begin(), rules.end(), [&](const CallRule& rule) { return rule.number == socket_call; });
  plan.network = no_sockets ? Network::kSharedEmpty : Network::kOwnEmpty;

  plan.program = "/cell";
  plan.argv = request.argv;
  plan.environment = Environment(profile.env);
  plan.descriptors = request.descriptors;
  const int64_t wall_ms = TRY(ParseDuration(profile.limits.wall));
  plan.wall_ms = static_cast<uint64_t>(request.wall_ms ? std::min(*request.wall_ms, wall_ms) : wall_ms);
  plan.hold = request.hold;
  UpdateDigests(&built);
  return built;
}

void UpdateDigests(BuiltPlan* built) {
  built->plan_digest = Sha256Hex(EncodePlan(built->plan));
  built->filter_digest = Sha256Hex(built->plan.filter);
  built->second_filter_digest = Sha256Hex(built->second_filter);
}

}  // namespace paddock::sandbox

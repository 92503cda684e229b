#include "sandbox/plan_parts.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/sha256.h"
#include "base/text.h"
#include "sandbox/call_paths.h"
#include "sandbox/machine/facts.h"
#include "sandbox/syscall_filter.h"

namespace paddock::sandbox {
namespace {

// Every layer is always put in place; what a profile says is which of them nothing may start without.
constexpr uint64_t kNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

// Group ids below are the system's (disk, shadow, kmem; Debian policy 9.2.2): a jail gets none of them.
constexpr uint32_t kFirstHarmlessGid = 100;

constexpr size_t kLongestPath = 4096;

// Relative, and nothing in it that leads elsewhere.
bool IsPlainPath(const std::string& path) {
  if (path.empty() || path.size() > kLongestPath || path.find('\0') != path.npos) return false;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return true;
}

std::vector<std::string> Environment(const EnvironmentRules& rules) {
  std::vector<std::string> environment;
  for (const std::string& name : rules.keep)
    if (const char* value = getenv(name.c_str()); value && !rules.set.contains(name)) environment.push_back(name + "=" + value);
  for (const auto& [name, value] : rules.set) environment.push_back(name + "=" + value);
  std::sort(environment.begin(), environment.end());
  return environment;
}

std::vector<PeekRule> Peeks() {
  constexpr uint32_t kLastNumber = 600;
  std::vector<PeekRule> peeks;
  for (uint32_t number = 0; number < kLastNumber; ++number) {
    const PathArguments* places = PathArgument(number);
    if (places && places->path >= 0) peeks.push_back({number, static_cast<uint32_t>(places->path), false});
    else if (places && places->address >= 0) peeks.push_back({number, static_cast<uint32_t>(places->address), true});
  }
  return peeks;
}

}  // namespace

Caller ThisCaller() {
  const machine::HostRoot root = machine::NameOfHostRoot();
  return {geteuid(), getegid(), kRootJailUid, root.uid, root.gid};
}

HostIds ChooseIds(const Caller& caller, const Workspace* workspace) {
  if (caller.uid != 0) return {caller.uid, caller.gid, false};
  if (workspace && workspace->owner_uid != 0)
    return {workspace->owner_uid, workspace->owner_gid >= kFirstHarmlessGid ? workspace->owner_gid : workspace->owner_uid, false};
  return {caller.root_jail_uid, caller.root_jail_uid, workspace != nullptr};
}

Status TakeIds(const HostIds& ids, const Caller& caller, Plan* plan) {
  if (ids.uid == 0 || ids.gid == 0 || ids.uid == caller.host_root_uid || ids.gid == caller.host_root_gid)
    return Fail(ErrorKind::kDenied, "the jail would run as id 0 of the host", "run paddock as an ordinary user whose group is not root's");
  plan->namespaces = kNamespaces;
  plan->outer_uid = ids.uid;
  plan->outer_gid = ids.gid;
  plan->hostname = "paddock";
  return {};
}

Result<const Workspace*> WorkspaceOf(const Profile& profile, const Workspace* workspace) {
  if (profile.filesystem.workspace == WorkspaceAccess::kNone) return nullptr;
  if (!workspace) return Fail(ErrorKind::kInvalid, "profile " + profile.name + " needs a repository", "name it with --repo DIR");
  return workspace;
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

MountOp MaskMount(std::string target) {
  MountOp op;
  op.kind = MountKind::kMask;
  op.target = std::move(target);
  return op;
}

Result<std::vector<std::string>> HiddenTargets(const Profile& profile, const std::optional<std::vector<std::string>>& hidden, const std::string& folder) {
  if (!hidden && !profile.filesystem.hide.empty() && profile.filesystem.workspace != WorkspaceAccess::kNone)
    return Fail(ErrorKind::kInternal, "profile " + profile.name + " hides files, and nobody has looked for them");
  if (!hidden) return std::vector<std::string>{};
  std::vector<std::string> sorted;
  for (const std::string& path : *hidden) {
    if (!IsPlainPath(path))
      return Fail(ErrorKind::kInvalid, "\"" + VisibleText(TruncateUtf8(path, 200), Newlines::kEscape) + "\" is no path of a file to hide", "install or build paddock-cell again, beside paddock");
    sorted.push_back(folder + "/" + path + "/");  // so that what is in a folder comes after it, and before all else
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> targets;
  for (const std::string& path : sorted)
    if (targets.empty() || !path.starts_with(targets.back())) targets.push_back(path);
  for (std::string& target : targets) target.pop_back();
  return targets;
}

Result<std::vector<ResourceLimit>> ResourceLimits(const LimitRules& rules, bool address_space) {
  const auto memory = static_cast<uint64_t>(TRY(ParseSize(rules.memory)));
  const auto cpu_ms = static_cast<uint64_t>(TRY(ParseDuration(rules.cpu)));
  const auto file_size = static_cast<uint64_t>(TRY(ParseSize(rules.file_size)));
  return std::vector<ResourceLimit>{
      {static_cast<uint32_t>(address_space ? RLIMIT_AS : RLIMIT_DATA), memory},
      {RLIMIT_CPU, std::max<uint64_t>(1, (cpu_ms + 999) / 1000)},
      {RLIMIT_NPROC, static_cast<uint64_t>(rules.processes)},
      {RLIMIT_NOFILE, static_cast<uint64_t>(rules.files)},
      {RLIMIT_FSIZE, file_size},
      {RLIMIT_CORE, 0},
      // Of programs: what they lock and queue is their own memory. Cells have no use for it.
      {RLIMIT_MEMLOCK, address_space ? 0 : uint64_t{8} << 20},
      {RLIMIT_MSGQUEUE, address_space ? 0 : uint64_t{1} << 20},
      {RLIMIT_RTPRIO, 0},
      {RLIMIT_STACK, std::min<uint64_t>(memory, 8u << 20)},
  };
}

Status TakeRules(const Profile& profile, std::optional<int64_t> wall_ms, Plan* plan) {
  plan->landlock_optional = std::find(profile.optional.begin(), profile.optional.end(), Layer::kLandlock) != profile.optional.end();
  plan->environment = Environment(profile.env);
  const int64_t longest_ms = TRY(ParseDuration(profile.limits.wall));
  plan->wall_ms = static_cast<uint64_t>(std::min(wall_ms.value_or(longest_ms), longest_ms));
  return {};
}

void TakeReporting(const Profile& profile, Plan* plan) {
  plan->notify = profile.syscalls.report;
  plan->notify_errno = DenialErrno(profile);
  if (plan->notify) plan->peeks = Peeks();
  plan->notify_limit = static_cast<uint64_t>(profile.limits.violations) + 1;  // one is the witness
}

int DenialErrno(const Profile& profile) { return profile.syscalls.on_deny == DenyErrno::kEperm ? EPERM : ENOSYS; }

bool MayMakeSockets(const CallRules& rules) {
  const auto number = FindSystemCall("socket");
  return !number || FindRule(rules, *number);
}

void UpdateDigests(BuiltPlan* built) {
  built->plan_digest = Sha256Hex(EncodePlan(built->plan));
  built->filter_digest = Sha256Hex(built->plan.filter);
  built->second_filter_digest = Sha256Hex(built->second_filter);
}

}  // namespace paddock::sandbox

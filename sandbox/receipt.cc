#include "sandbox/receipt.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/child_process.h"
#include "base/text.h"
#include "sandbox/beneath.h"
#include "sandbox/machine/mend.h"
#include "sandbox/messages.h"
#include "sandbox/plan_parts.h"
#include "sandbox/proc_reader.h"

namespace paddock::sandbox {
namespace {

struct NamespaceLayer {
  Layer layer;
  const char* name;
};
constexpr NamespaceLayer kNamespaces[] = {{Layer::kUser, "user"}, {Layer::kMount, "mnt"}, {Layer::kPid, "pid"},
                                          {Layer::kNet, "net"},   {Layer::kIpc, "ipc"},   {Layer::kUts, "uts"},
                                          {Layer::kCgroup, "cgroup"}};

struct LimitName {
  uint32_t resource;
  const char* name;  // in /proc/PID/limits
};
constexpr LimitName kLimitNames[] = {
    {RLIMIT_CPU, "Max cpu time"},          {RLIMIT_FSIZE, "Max file size"},      {RLIMIT_STACK, "Max stack size"},
    {RLIMIT_CORE, "Max core file size"},   {RLIMIT_NPROC, "Max processes"},      {RLIMIT_NOFILE, "Max open files"},
    {RLIMIT_MEMLOCK, "Max locked memory"}, {RLIMIT_AS, "Max address space"},     {RLIMIT_DATA, "Max data size"},     {RLIMIT_MSGQUEUE, "Max msgqueue size"},
    {RLIMIT_RTPRIO, "Max realtime priority"}};

using StatusMap = std::map<std::string, std::string, std::less<>>;

// What one layer's look gives: in force or not, and what was seen.
struct Seen {
  bool in_force = false;
  std::string what;
};

std::string Value(const StatusMap& status, std::string_view name) {
  auto found = status.find(name);
  return found == status.end() ? std::string() : found->second;
}

Seen SeeCapabilities(const StatusMap& status) {
  for (const char* name : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
    if (Value(status, name).empty() || Value(status, name).find_first_not_of('0') != std::string::npos)
      return {false, std::string(name) + " " + Value(status, name)};
  return {true, "none in any of the five sets"};
}

bool AllAre(const std::string& line, uint32_t id) {
  std::vector<std::string> ids = Words(line);
  return ids.size() == 4 && std::all_of(ids.begin(), ids.end(), [&](const std::string& one) { return one == std::to_string(id); });
}

Seen SeeIdentity(const StatusMap& status, const ProcReader& proc, const Plan& plan) {
  const std::string uids = Value(status, "Uid"), gids = Value(status, "Gid"), groups = Value(status, "Groups");
  std::string what = "uid " + std::to_string(plan.outer_uid) + ", gid " + std::to_string(plan.outer_gid) + " on the host";
  if (plan.outer_uid == 0 || plan.outer_gid == 0 || !AllAre(uids, plan.outer_uid) || !AllAre(gids, plan.outer_gid))
    return {false, "uid " + uids + ", gid " + gids};
  for (const std::string& group : Words(groups))
    if (group == "0") return {false, "root's group among the supplementary ones"};
  if (plan.namespaces & CLONE_NEWUSER) {
    for (auto [name, inner, outer] : {std::tuple{"uid_map", plan.inner_uid, plan.outer_uid}, {"gid_map", plan.inner_gid, plan.outer_gid}}) {
      auto map = proc.File(name);
      if (!map) return {false, map.error().message};
      if (Words(*map).size() != 3 || Words(*map)[0] != std::to_string(inner) || Words(*map)[2] != "1")
        return {false, std::string(name) + " " + *map};
      (void)outer;  // shown relative to the reader's own namespace; the Uid line above is what counts
    }
  }
  return {true, what};
}

Seen SeeLimits(const std::string& text, const Plan& plan) {
  if (plan.limits.empty()) return {false, "none were planned"};
  for (const ResourceLimit& limit : plan.limits) {
    auto name = std::find_if(std::begin(kLimitNames), std::end(kLimitNames), [&](const LimitName& one) { return one.resource == limit.resource; });
    if (name == std::end(kLimitNames)) return {false, "limit " + std::to_string(limit.resource) + " has no name"};
    size_t at = text.find(name->name);
    if (at == std::string::npos) return {false, std::string(name->name) + " is not listed"};
    std::string_view rest = std::string_view(text).substr(at + std::string_view(name->name).size());
    std::vector<std::string> words = Words(rest.substr(0, rest.find('\n')));
    for (size_t i = 0; i < 2; ++i)  // soft and hard; a caller's own lower limit stays
      if (words.size() < 2 || words[i] == "unlimited" || std::strtoull(words[i].c_str(), nullptr, 10) > limit.value)
        return {false, std::string(name->name) + " is " + (words.size() < 2 ? "?" : words[i])};
  }
  return {true, std::to_string(plan.limits.size()) + " limits as planned"};
}

Seen SeeDescriptors(const ProcReader& proc, const Plan& plan) {
  auto open = proc.Descriptors();
  if (!open) return {false, open.error().message};
  size_t planned = 0;
  for (int number : *open) {
    auto in = [&](const std::vector<int32_t>& list) { return std::find(list.begin(), list.end(), number) != list.end(); };
    planned += in(plan.descriptors) || in(plan.terminal_descriptors);
    if (in(plan.descriptors) || in(plan.terminal_descriptors)) continue;
    // A program that is held still has the launcher's, which close at exec; one that is gone meanwhile is none.
    auto closes = plan.hold ? proc.ClosesAtExec(number) : Result<bool>(false);
    if (closes ? !*closes : closes.error().sys_errno != ENOENT) return {false, "descriptor " + std::to_string(number) + " was not planned"};
  }
  return {true, std::to_string(planned) + " open, all planned"};
}

// File systems that are the kernel's own voice, and show the host to whoever reads them.
constexpr std::string_view kKernelFileSystems[] = {
    "proc", "sysfs", "cgroup", "cgroup2", "devtmpfs", "devpts", "debugfs", "tracefs", "securityfs", "configfs", "bpf", "mqueue",
    "pstore", "efivarfs", "binfmt_misc", "fusectl", "rpc_pipefs", "nsfs", "selinuxfs", "hugetlbfs"};

// The planned mount that this is, or that brought it along; the last of several at one place.
const MountOp* PlannedFor(const MountLine& line, const Plan& plan) {
  const MountOp* found = nullptr;
  for (const MountOp& one : plan.mounts) {
    if (one.for_copier) continue;
    if (line.target == one.target) found = &one;
    else if (one.recursive && Beneath(line.target, one.target) && !(found && found->target.size() > one.target.size())) found = &one;
  }
  return found;
}

Seen SeeMounts(const ProcReader& proc, const Plan& plan) {
  auto mounts = proc.Mounts();
  if (!mounts) return {false, mounts.error().message};
  std::set<std::string> placed;
  for (const MountLine& line : *mounts) {
    const std::string shown = "mount at " + line.target;
    if (!line.no_suid) return {false, shown + " is not nosuid"};
    const bool of_template = !plan.own_root && (line.target == "/dev/null" || line.target == "/dev/zero" || line.target == "/dev/urandom");
    if (line.target == "/" || of_template) {
      if (!line.read_only || !line.no_exec) return {false, shown + " is not read-only and noexec"};
      continue;
    }
    const MountOp* op = PlannedFor(line, plan);
    if (!op) return {false, shown + " was not planned"};
    const bool kernels_own = op->kind == MountKind::kProc || op->kind == MountKind::kTerminals || op->device;
    if (!kernels_own && std::find(std::begin(kKernelFileSystems), std::end(kKernelFileSystems), line.type) != std::end(kKernelFileSystems))
      return {false, shown + " is of type " + line.type + ", which shows the host: unmount it, or choose a folder without it"};
    const bool devices_may_be = op->device || op->kind == MountKind::kTerminals;
    if ((!line.no_dev && !devices_may_be) || (op->read_only && !line.read_only) || (op->no_exec && !line.no_exec))
      return {false, shown + " has fewer restrictions than planned"};
    if (line.target == op->target) placed.insert(op->target);
  }
  for (const MountOp& op : plan.mounts)
    // What was to be covered may be gone.
    if (!placed.contains(op.target) && op.kind != MountKind::kMask && !op.for_copier) return {false, "the planned mount at " + op.target + " is missing"};
  return {true, std::to_string(mounts->size()) + " mounts, all planned"};
}

bool IsMask(const std::string& target, const Plan& plan) {
  return std::any_of(plan.mounts.begin(), plan.mounts.end(), [&](const MountOp& op) { return op.kind == MountKind::kMask && op.target == target; });
}

void SeeHidden(const std::vector<MountLine>& mounts, const BuiltPlan& built, Receipt* receipt) {
  if (built.hidden.empty()) return;
  std::set<std::string> seen;
  for (const MountLine& line : mounts) seen.insert(line.target);
  receipt->hidden = std::count_if(built.hidden.begin(), built.hidden.end(), [&](const std::string& target) {
    // What only the copier sees, and so only it could show, is not the program's to be seen around.
    return seen.contains(target) ||
           std::any_of(built.plan.mounts.begin(), built.plan.mounts.end(), [&](const MountOp& op) { return op.for_copier && op.target == target; });
  });
  const int64_t gone = std::ssize(built.hidden) - receipt->hidden;
  receipt->notes.push_back(std::to_string(receipt->hidden) + (receipt->hidden == 1 ? " path is" : " paths are") + " hidden, as the profile asks" +
                           (gone ? "; " + std::to_string(gone) + " more had gone, or can't be reached" : ""));
}

// A note about mounts below the workspace's, or "".
std::string MountsInside(const std::vector<MountLine>& mounts, const Plan& plan) {
  constexpr std::string_view kInside = "/workspace/";
  size_t count = 0;
  std::string first;
  for (const MountLine& line : mounts) {
    if (!line.target.starts_with(kInside) || IsMask(line.target, plan) || ++count > 3) continue;
    first += (count == 1 ? "" : ", ") + VisibleText(TruncateUtf8(std::string_view(line.target).substr(kInside.size()), 80), Newlines::kEscape) +
             " (" + line.type + ")";
  }
  if (count == 0) return "";
  return std::to_string(count) + (count == 1 ? " other mount lies" : " other mounts lie") + " inside the repository and " +
         (count == 1 ? "was" : "were") + " seen as part of it, read-only: " + first + (count > 3 ? ", ..." : "");
}

Seen SeeNamespace(const ProcReader& proc, const char* name, const Baseline& baseline) {
  auto inode = proc.Namespace(name);
  if (!inode) return {false, inode.error().message};
  for (const auto& [own_name, own_inode] : baseline.namespaces)
    if (own_name == name && own_inode == *inode) return {false, "the same as the parent's"};
  return {true, std::string(name) + ":[" + std::to_string(*inode) + "]"};
}

int WitnessedError(const std::vector<Denied>& witnessed, Layer layer) {
  for (const Denied& denied : witnessed)
    if (denied.layer == layer) return denied.error;
  return 0;
}

Seen SeeFilter(const StatusMap& status, const Baseline& baseline, int wanted, int error, int expected) {
  const int filters = std::atoi(Value(status, "Seccomp_filters").c_str()) - baseline.seccomp_filters;
  std::string what = std::to_string(filters) + " filters; witness got " + (error ? ErrnoName(error) : "no error");
  return {Value(status, "Seccomp") == "2" && filters >= wanted && error == expected, what};
}

}  // namespace

Result<Baseline> ReadBaseline() {
  // With numbers of another pid namespace in it, /proc would tell of other processes than the cells.
  switch (machine::LookAtProc()) {
    case machine::ProcState::kOurs: break;
    case machine::ProcState::kForeign: return Fail(ErrorKind::kSystem, "/proc is that of another pid namespace", machine::kMountProc);
    case machine::ProcState::kMissing: return Fail(ErrorKind::kSystem, "/proc is not mounted", machine::kMountProc);
  }
  ProcReader self = TRY(ProcReader::OpenSelf());
  Baseline baseline;
  for (const NamespaceLayer& one : kNamespaces) baseline.namespaces.emplace_back(one.name, TRY(self.Namespace(one.name)));
  baseline.seccomp_filters = std::atoi(Value(StatusFields(TRY(self.File("status"))), "Seccomp_filters").c_str());
  return baseline;
}

Result<Receipt> ReadReceipt(pid_t pid, int pidfd, const Profile& profile, const BuiltPlan& built, const Baseline& baseline,
                            const std::vector<Denied>& witnessed, bool session_done) {
  const Plan& plan = built.plan;
  Receipt receipt{profile.name, {}, built.plan_digest, built.filter_digest, built.second_filter_digest, 0, {}};
  ProcReader proc = TRY(ProcReader::Open(pid));
  const StatusMap status = StatusFields(TRY(proc.File("status")));
  auto add = [&](Layer layer, const Seen& seen, const char* by) {
    auto in = [&](const std::vector<Layer>& list) { return std::find(list.begin(), list.end(), layer) != list.end(); };
    const bool of_tools = layer == Layer::kSeccompSecond && profile.exec.mode != ExecRules::Mode::kNone;
    receipt.layers.push_back({layer, in(profile.require) || of_tools, seen.in_force, seen.what, by});
  };
  for (const NamespaceLayer& one : kNamespaces) add(one.layer, SeeNamespace(proc, one.name, baseline), "parent");
  add(Layer::kCapabilities, SeeCapabilities(status), "parent");
  add(Layer::kNoNewPrivs, {Value(status, "NoNewPrivs") == "1", "NoNewPrivs " + Value(status, "NoNewPrivs")}, "parent");
  // A second filter that leaves reports to the first answers with TRACE, which is ENOSYS (filter_rules.h).
  const int expected = DenialErrno(profile), expected_of_second = plan.notify ? ENOSYS : expected;
  // In a program that is held the launcher's own code is the witness, just before exec.
  const char* witness = plan.hold ? "launcher" : "cell";
  add(Layer::kSeccomp, SeeFilter(status, baseline, 1, WitnessedError(witnessed, Layer::kSeccomp), expected), plan.hold ? "parent and launcher" : "parent and cell");
  // The second is a cell's own act. Profiles that list programs serve `paddock run` too, which has none: they don't name it.
  if (!plan.hold) add(Layer::kSeccompSecond, SeeFilter(status, baseline, 2, WitnessedError(witnessed, Layer::kSeccompSecond), expected_of_second), "parent and cell");
  const int landlock_error = WitnessedError(witnessed, Layer::kLandlock);
  add(Layer::kLandlock, {landlock_error == EACCES, landlock_error ? "witness got " + ErrnoName(landlock_error) : "witness was not denied"}, witness);
  add(Layer::kLimits, SeeLimits(TRY(proc.File("limits")), plan), "parent");
  add(Layer::kIdentity, SeeIdentity(status, proc, plan), "parent");
  add(Layer::kDescriptors, SeeDescriptors(proc, plan), "parent");
  add(Layer::kMounts, SeeMounts(proc, plan), "parent");
  add(Layer::kKeyring, {session_done && plan.new_keyring, plan.new_keyring ? "a new one was joined" : "not planned"}, "pid 1");
  if (auto mounts = proc.Mounts()) {
    SeeHidden(*mounts, built, &receipt);
    if (std::string inside = MountsInside(*mounts, plan); !inside.empty()) receipt.notes.push_back(std::move(inside));
  }
  if (const std::string groups = Value(status, "Groups"); !Words(groups).empty())
    receipt.notes.push_back("supplementary groups that an ordinary user can't drop: " + groups);
  if (!plan.copier.empty())
    receipt.notes.push_back("the copier, which alone sees the original of the private copy, was not read: it is confined by the same code as the program");
  // Alive after the reads: so they were of this process.
  if (EndedByPidfd(pidfd, Deadline::After({}))) return Fail(ErrorKind::kClosed, "the cell ended while its receipt was read");
  return receipt;
}

Status CheckReceipt(const Receipt& receipt) {
  std::string missing;
  for (const LayerReceipt& layer : receipt.layers)
    if (layer.required && !layer.in_force) missing += (missing.empty() ? "" : "; ") + std::string(NameOf(layer.layer)) + " (" + layer.seen + ")";
  if (missing.empty()) return {};
  return Fail(ErrorKind::kDenied, "required but not in force: " + missing,
              "the jail was not used: paddock doctor says what this machine, or this user, lacks, and what mends it. Only landlock may be named optional in a profile");
}

}  // namespace paddock::sandbox

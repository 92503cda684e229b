#include "sandbox/machine/mend.h"

#include <cerrno>

namespace paddock::sandbox::machine {
namespace {

constexpr char kContainer[] =
    "a system call filter is in force around paddock, as in a container: allow unshare, clone and mount there, for example "
    "docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined --cap-add SYS_ADMIN";
constexpr char kOldKernel[] = "the kernel is too old: 5.13 or newer is needed (or a filter around paddock hides its newer calls)";

constexpr char kMendIdMappedMount[] =
    "the repository belongs to root and its file system, or one that is mounted inside it (proc, sysfs), can't be id-mapped, so "
    "root's jail could not read it as somebody else. Give the repository to an ordinary user (chown -R), or run paddock as an ordinary user";

std::string Sysctl(const char* setting) { return std::string("as root: sysctl -w ") + setting; }

}  // namespace

std::string MendUserNamespace(int err, const Facts& facts) {
  if (err == ENOSPC || err == EUSERS) {
    if (facts.max_user_namespaces == 0) return Sysctl("user.max_user_namespaces=15000") + " (it is 0 here: user namespaces are switched off)";
    return "no further user namespace is allowed: whoever made the one around paddock limited them (bubblewrap's --disable-userns does), or "
           "user.max_user_namespaces is reached further out. Run paddock outside of it, or as root: sysctl -w user.max_user_namespaces=15000";
  }
  if (err == EAGAIN) return kMoreProcesses;
  if (err == ENOSYS) return facts.filtered ? kContainer : kOldKernel;
  if (err == EINVAL) return "the kernel was built without user namespaces (CONFIG_USER_NS): use one that has them";
  if (facts.unprivileged_userns_clone == 0 && facts.uid != 0) return Sysctl("kernel.unprivileged_userns_clone=1");
  if (facts.apparmor_restrict.value_or(0) != 0 && facts.uid != 0) return Sysctl("kernel.apparmor_restrict_unprivileged_userns=0");
  if (facts.filtered) return kContainer;
  if (facts.chrooted) return "a chroot forbids user namespaces: enter that tree with pivot_root or systemd-nspawn instead";
  if (!IsMapped(facts, facts.uid)) return "this user's id does not exist in the user namespace around paddock: run it as one that does";
  return "user namespaces are not allowed here. As root: sysctl -w user.max_user_namespaces=15000, on Debian kernels also "
         "kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0. A chroot forbids them too: enter it with "
         "pivot_root or systemd-nspawn";
}

std::string MendNamespace(int err, const Facts& facts) {
  if (err == ENOSPC) return "a limit on namespaces was reached: see sysctl user.max_mnt_namespaces, user.max_pid_namespaces, user.max_net_namespaces";
  if (err == EAGAIN || err == ENOMEM) return kMoreProcesses;
  if (err == ENOSYS) return facts.filtered ? kContainer : kOldKernel;
  if (err == EINVAL) return "the kernel was built without this kind of namespace: use one that has it";
  if (facts.uid == 0 && !facts.sys_admin)
    return "root has no CAP_SYS_ADMIN here: run paddock as an ordinary user, or give it that capability (docker run --cap-add SYS_ADMIN)";
  if (facts.filtered) return kContainer;
  if (facts.apparmor_restrict.value_or(0) != 0) return Sysctl("kernel.apparmor_restrict_unprivileged_userns=0");
  return "the caller lacks the right to make namespaces: root needs CAP_SYS_ADMIN, others user namespaces";
}

std::string MendMount(int err, const Facts& facts) {
  if (err == ENOSYS) return facts.filtered ? kContainer : kOldKernel;
  if (err == EINVAL) return "the root file system can't be pivoted away from: it is an initramfs or a chroot. Enter that tree with pivot_root or systemd-nspawn";
  if (err == ENODEV) return "the kernel has no such file system";
  if (facts.uid == 0 && !facts.sys_admin) return MendNamespace(err, facts);
  if (facts.filtered) return kContainer;
  if (facts.apparmor_restrict.value_or(0) != 0) return Sysctl("kernel.apparmor_restrict_unprivileged_userns=0");
  return "a security module forbids mounts: a process under Landlock can make none, so start paddock outside of such a sandbox; else see "
         "AppArmor's or SELinux' log";
}

std::string MendDevices(int err, const Facts& facts) { return err == EPERM || err == ENOSYS ? MendMount(err, facts) : kMendDevices; }

std::string MendIdMappedMount(int err, const Facts& facts) {
  if (err == EINVAL) return kMendIdMappedMount;
  if (err == ENOSYS || facts.filtered || !facts.sys_admin) return MendMount(err, facts);
  return "the repository belongs to root and can't be id-mapped here: give it to an ordinary user (chown -R)";
}

std::string MendIdMap(int err, const Facts& facts, uint64_t outer) {
  const uint64_t id = outer ? outer : facts.uid;
  if (facts.proc != ProcState::kOurs) return kMountProc;
  if (err == EACCES) return "paddock-jail must be readable for the caller (chmod 755)";
  if (facts.uid == 0 && !facts.set_uid) return "root needs CAP_SETUID: run paddock as an ordinary user, or give it that capability";
  if (!facts.uid_map.empty() && !IsMapped(facts, id)) {
    uint64_t highest = 0;
    for (const IdRange& range : facts.uid_map)
      if (range.count > 0 && range.inside + range.count - 1 > highest && range.inside + range.count - 1 < 0xfffffffe) highest = range.inside + range.count - 1;
    if (highest == 0) return "the user namespace around paddock has no id but 0 (as unshare -r makes it), which a jail never is: run paddock outside of it, as an "
           "ordinary user (unshare --map-current-user instead of -r)";
    return "id " + std::to_string(id) + " does not exist in the user namespace around paddock: set {\"schema\": \"paddock/config/1\", \"jail_uid\": " +
           std::to_string(highest) + "} in paddock/config.json, or take a repository of an owner that does";
  }
  if (facts.filtered) return kContainer;
  return MendUserNamespace(err, facts);
}

std::string MendGroups(int err, const Facts& facts) {
  // An `unshare -r` denies it (user_namespaces(7), setgroups).
  if (!IsMapped(facts, 1)) return MendIdMap(err, facts, 1);
  return facts.filtered ? kContainer : "root needs CAP_SETGID: run paddock as an ordinary user, or give it that capability";
}

std::string MendLandlock(int err, const Facts& facts) {
  if (err == EOPNOTSUPP) return "Landlock is switched off: add landlock to the kernel's lsm= boot parameter";
  if (err == E2BIG) return "sixteen sandboxes of Landlock lie around this process already: start paddock outside of some";
  if (facts.filtered) return "a filter around paddock forbids Landlock's system calls: allow landlock_create_ruleset, landlock_add_rule and landlock_restrict_self there";
  return "the kernel has no Landlock: 5.13 or newer, built with CONFIG_SECURITY_LANDLOCK";
}

std::string MendFilter(int err, const Facts& facts) {
  if (err == EBUSY) return "another filter of this process has a listener already: start paddock outside of that supervisor";
  if (facts.filtered) return "a filter around paddock forbids further ones: allow seccomp(2) there";
  return "the kernel has no seccomp filters (built with CONFIG_SECCOMP_FILTER), or whoever started paddock forbids new ones";
}

std::string MendGroup2(const Facts& facts) {
  if (!facts.systemd) return "as root: make a group that hands on memory and pids, give it to this user, and start paddock in a child of it";
  const std::string unit = facts.group.substr(facts.group.rfind('/') + 1);
  // A service of the machine's own systemd; what runs as one of a user's may as well ask that user's for a scope.
  if (unit.ends_with(".service") && facts.group.find("/user@") == std::string::npos)
    return "for a group of one's own: Delegate=yes in " + unit + ", and ExecStart= paddock itself: it must be alone in its group";
  if (facts.uid == 0) return "for a group of one's own: systemd-run --scope -p Delegate=yes paddock ...";
  const std::string runtime = "XDG_RUNTIME_DIR=/run/user/" + std::to_string(facts.uid) + " ";
  return "for a group of one's own: " + (facts.user_manager ? "" : "as root loginctl enable-linger " + std::to_string(facts.uid) + ", then ") +
         (facts.runtime_folder ? "" : runtime) + "systemd-run --user --scope -p Delegate=yes paddock ...";
}

std::string MendCall(int err, const Facts& facts) {
  if (err == EAGAIN) return kMoreProcesses;
  if (err == EMFILE) return "allow this process more open files: ulimit -n 256, or more";
  if (err == ENOSYS) return facts.filtered ? kContainer : kOldKernel;
  if (facts.filtered) return kContainer;
  return "a system call that every jail needs was refused: see whether a container, a security module or a resource limit around paddock forbids it";
}

}  // namespace paddock::sandbox::machine

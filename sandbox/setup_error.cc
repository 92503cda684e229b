// What a machine refuses when a jail is made, and how it is mended.
#include <cerrno>

#include "base/text.h"
#include "sandbox/jail.h"

namespace paddock::sandbox {
namespace {

struct Advice {
  Stage stage;
  int error;           // 0: any
  const char* detail;  // the message holds this; "": any
  const char* hint;
};

constexpr char kUserNamespaces[] =
    "user namespaces are not allowed here. As root: sysctl -w user.max_user_namespaces=15000, on Debian kernels also "
    "kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0. In a container: allow "
    "unshare and mount, for example docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined. "
    "In a chroot they are forbidden: enter it with pivot_root or systemd-nspawn instead";

constexpr Advice kAdvice[] = {
    {Stage::kLauncher, EACCES, "", "paddock-jail must be readable for the caller (chmod 755), and /proc must be that of this pid namespace"},
    {Stage::kLauncher, EPERM, "setgroups", "root needs CAP_SETGID; inside `unshare -r` only id 0 exists, which paddock never uses: run it as the ordinary user"},
    {Stage::kLauncher, 0, "user namespace", kUserNamespaces},
    {Stage::kLauncher, 0, "uid_map", kUserNamespaces},
    {Stage::kLauncher, 0, "setgroups", kUserNamespaces},
    {Stage::kLauncher, EPERM, "", "the caller lacks the right to make namespaces or mounts: root needs CAP_SYS_ADMIN, others user namespaces"},
    {Stage::kLauncher, EINVAL, "pivot_root", "the root file system can't be pivoted away from (an initramfs, or a chroot)"},
    {Stage::kLauncher, ENOSYS, "", "the kernel is too old: 5.12 is needed for mount_setattr"},
    {Stage::kRequest, 0, "too many descriptors", "allow this process more open files: ulimit -n 256, or more"},
    {Stage::kTrees, ESTALE, "", "the path names another file now than when the run began: run it again"},
    {Stage::kTrees, ELOOP, "", "a part of the path has become a symbolic link: run it again"},
    {Stage::kTrees, EACCES, "", "the caller may not enter that path: run paddock as its owner"},
    {Stage::kTrees, EINVAL, "id-mapped",
     "the repository belongs to root and its file system, or one that is mounted inside it (proc, sysfs), can't be id-mapped, so "
     "root's jail could not read it as somebody else. "
     "Give the repository to an ordinary user (chown -R), or run paddock as an ordinary user"},
    {Stage::kTrees, EPERM, "id-mapped", "the repository belongs to root and can't be id-mapped here: give it to an ordinary user (chown -R)"},
    {Stage::kNamespaces, ENOSPC, "", "a limit on namespaces was reached: see sysctl user.max_user_namespaces, user.max_mnt_namespaces, user.max_pid_namespaces"},
    {Stage::kNamespaces, EPERM, "", kUserNamespaces},
    {Stage::kNamespaces, EAGAIN, "", "a limit on processes was reached: see ulimit -u and the pids limit of this cgroup"},
    {Stage::kIds, EPERM, "uid_map", "the caller may not map that id: root needs CAP_SETUID; inside `unshare -r` only id 0 exists, which paddock never uses"},
    {Stage::kLandlock, ENOSYS, "", "the kernel has no Landlock: 5.13 or newer, built with CONFIG_SECURITY_LANDLOCK"},
    {Stage::kLandlock, EOPNOTSUPP, "", "Landlock is switched off: add landlock to the kernel's lsm= boot parameter"},
    {Stage::kFilter, 0, "", "the kernel has no seccomp filters (built with CONFIG_SECCOMP_FILTER), or whoever started paddock forbids new ones"},
    {Stage::kExec, EACCES, "", "the program must be readable and executable for everybody (chmod 755), on a file system mounted without noexec"},
    {Stage::kExec, ENOEXEC, "", "the program beside paddock is no program of this machine: install or build it again"},
    {Stage::kExec, ENOENT, "", "the program, or the loader that it names, is not in the jail: the cell must be static"},
};

}  // namespace

Error SetupError(Stage stage, int err, const std::string& detail) {
  std::string what = "jail set-up failed at stage ";
  what += kStageNames[static_cast<size_t>(stage)];
  if (!detail.empty()) what += ", " + VisibleText(detail, Newlines::kEscape);
  Error error = FailErrno(what, err).error();
  for (const Advice& advice : kAdvice) {
    if (advice.stage != stage || (advice.error && advice.error != err)) continue;
    if (detail.find(advice.detail) == std::string::npos) continue;
    error.hint = advice.hint;
    return error;
  }
  // A refusal always says what to do next.
  error.hint = "a system call that every jail needs was refused: see whether a container, a security module or a resource limit around paddock forbids it";
  return error;
}

}  // namespace paddock::sandbox

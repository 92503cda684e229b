#include "sandbox/child/template_root.h"

#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <string>

#include "sandbox/child/filesystems.h"
#include "sandbox/child/held_namespace.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {
namespace {

constexpr const char* kDevices[] = {"null", "zero", "urandom"};

[[noreturn]] void Refused(const char* what) { Die(Stage::kLauncher, errno, what); }

void WriteTo(int dir, const char* path, const std::string& text) {
  if (!WriteFile(dir, path, text)) Refused(path);
}

// An ordinary user gets the rights to make mounts from a user namespace of his own, in which he is himself.
void BecomeAble(int proc) {
  const uid_t uid = geteuid();
  const gid_t gid = getegid();
  if (uid == 0) {
    if (setgroups(0, nullptr) < 0) Refused("setgroups");
    return;
  }
  if (unshare(CLONE_NEWUSER) < 0) Refused("user namespace");
  WriteTo(proc, "self/setgroups", "deny");
  WriteTo(proc, "self/uid_map", std::to_string(uid) + " " + std::to_string(uid) + " 1");
  WriteTo(proc, "self/gid_map", std::to_string(gid) + " " + std::to_string(gid) + " 1");
}

UniqueFd OpenNamespace(int proc, const char* path) {
  UniqueFd fd(openat(proc, path, O_RDONLY | O_CLOEXEC));
  if (!fd) Refused(path);
  return fd;
}

void Touch(const char* path, mode_t mode) {
  UniqueFd fd(open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode));
  if (!fd) Refused(path);
}

// Enters a fresh tmpfs as the root, leaving nothing of the host's mounts (pivot_root(2), "pivot_root(".", ".")").
void EnterTemplate() {
  UniqueFd root = NewFilesystem("tmpfs", {{"mode", "0755"}, {"size", "64k"}, {"nr_inodes", "64"}}, 0);
  if (!root) Refused("tmpfs");
  UniqueFd devices[std::size(kDevices)];
  for (size_t i = 0; i < std::size(kDevices); ++i) {
    std::string path = std::string("/dev/") + kDevices[i];
    devices[i].reset(OpenTree(AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
    if (!devices[i]) Refused(path.c_str());
    struct stat info;
    if (fstat(devices[i].get(), &info) < 0 || !S_ISCHR(info.st_mode)) {
      errno = ENODEV;
      Refused(path.c_str());
    }
    mount_attr attr{};
    attr.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
    attr.propagation = MS_PRIVATE;
    if (MountSetattr(devices[i].get(), "", AT_EMPTY_PATH, &attr) < 0) Refused(path.c_str());
  }
  if (MoveMount(root.get(), "/") < 0) Refused("template root");
  if (fchdir(root.get()) < 0 || syscall(SYS_pivot_root, ".", ".") < 0) Refused("pivot_root");
  if (umount2(".", MNT_DETACH) < 0) Refused("leaving the host's mounts");
  if (chdir("/") < 0 || mkdir("/dev", 0755) < 0 || mkdir("/workspace", 0755) < 0 || mkdir(kBlankFolder, 0) < 0) Refused("template folders");
  Touch("/cell", 0444);
  Touch("/witness", 0444);
  Touch(kBlankFile, 0);
  for (size_t i = 0; i < std::size(kDevices); ++i) {
    std::string path = std::string("/dev/") + kDevices[i];
    Touch(path.c_str(), 0444);
    if (MoveMount(devices[i].get(), path.c_str()) < 0) Refused(path.c_str());
  }
  mount_attr attr{};
  attr.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
  attr.propagation = MS_PRIVATE;
  if (MountSetattr(AT_FDCWD, "/", 0, &attr) < 0) Refused("read-only template");
}

}  // namespace

LauncherWorld MakeWorld(bool shared) {
  umask(0);
  LauncherWorld world;
  world.proc.reset(open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!world.proc) Refused("/proc");
  BecomeAble(world.proc.get());
  if (unshare(CLONE_NEWNS) < 0) Refused("mount namespace");
  // Mounts that the host makes later still arrive; nothing made here goes back.
  if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) < 0) Refused("mount propagation");
  if (!shared) {
    umask(022);
    return world;
  }
  UniqueFd host_view = OpenNamespace(world.proc.get(), "self/ns/mnt");
  world.empty_network = MakeNamespace(world.proc.get(), CLONE_NEWNET, "net", {});
  if (!world.empty_network) Refused("network namespace");
  if (unshare(CLONE_NEWNS) < 0) Refused("mount namespace");
  EnterTemplate();
  world.template_root = OpenNamespace(world.proc.get(), "self/ns/mnt");
  if (setns(host_view.get(), CLONE_NEWNS) < 0) Refused("return to the host's mounts");
  umask(022);
  return world;
}

}  // namespace paddock::sandbox::child

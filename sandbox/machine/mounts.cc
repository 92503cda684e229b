// Mounts as the launcher makes them, each in a mount namespace that goes with its trial. Sources are folders that
// are there on every machine; targets are mount points inside a fresh tmpfs.
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "sandbox/machine/probes.h"
#include "sandbox/machine/surroundings.h"

namespace paddock::sandbox::machine {
namespace {

// A tmpfs over /, entered: what is made beneath is nobody else's.
void EnterTmpfs(Trial* t) {
  EnterMountNamespace(t);
  UniqueFd root = NewFileSystem("tmpfs", {{"mode", "0755"}, {"size", "64k"}});
  t->Try("fsopen(tmpfs)");
  if (!root) t->Untried("needs a tmpfs");
  t->Do("fchdir", [&] { return fchdir(root.get()); });
  t->Do("mkdir", [] { return mkdir("place", 0755); });
  t->Do("move_mount", [&] { return MoveMount(root.get(), "/"); });
}

long Restrict(int tree, uint64_t attributes) {
  mount_attr attr{};
  attr.attr_set = attributes;
  attr.propagation = MS_PRIVATE;
  return syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof attr);
}

}  // namespace

void TryTmpfs(const Asked&, Trial* t) {
  EnterMountNamespace(t);
  t->Do("fsopen(tmpfs), fsmount", [] { return NewFileSystem("tmpfs", {{"mode", "0755"}, {"size", "64k"}, {"nr_inodes", "64"}}).release(); });
}

void TryBind(const Asked&, Trial* t) {
  EnterTmpfs(t);
  t->Do("mount(MS_BIND | MS_REC)", [] { return mount("/dev", "place", nullptr, MS_BIND | MS_REC, nullptr); });
}

void TryTrees(const Asked& asked, Trial* t) {
  EnterMountNamespace(t);
  const int tree = static_cast<int>(t->Do("open_tree(OPEN_TREE_CLONE)", [&] {
    return syscall(SYS_open_tree, AT_FDCWD, asked.repository.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  }));
  t->Do("mount_setattr", [&] { return Restrict(tree, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC); });
  UniqueFd root = NewFileSystem("tmpfs", {{"mode", "0755"}, {"size", "64k"}});
  t->Try("fsopen(tmpfs)");
  if (!root) t->Untried("needs a tmpfs");
  t->Do("fchdir", [&] { return fchdir(root.get()); });
  t->Do("mkdir", [] { return mkdir("place", 0755); });
  t->Do("move_mount", [&] { return MoveMount(root.get(), "/"); });
  t->Do("move_mount", [&] { return MoveMount(tree, "place"); });
  t->Ok("open_tree, mount_setattr, move_mount");
}

void TryDevices(const Asked&, Trial* t) {
  EnterMountNamespace(t);
  for (const char* path : {"/dev/null", "/dev/zero", "/dev/urandom"}) {
    const std::string what = std::string("open_tree(") + path + ")";
    const int tree = static_cast<int>(t->Do(what.c_str(), [&] { return syscall(SYS_open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC); }));
    struct stat info;
    if (fstat(tree, &info) < 0 || !S_ISCHR(info.st_mode)) t->Missing(ENODEV, std::string(path) + " is no device");
    t->Do("mount_setattr", [&] { return Restrict(tree, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC); });
    // A device on a nodev mount looks like one, and can't be opened.
    const std::string use = std::string("open(") + path + ")";
    t->Do(use.c_str(), [&] { return open(path, O_RDWR | O_CLOEXEC); });
  }
  t->Ok("null, zero, urandom");
}

void TryPivotRoot(const Asked&, Trial* t) {
  EnterTmpfs(t);
  t->Do("pivot_root", [] { return syscall(SYS_pivot_root, ".", "."); });
  t->Do("umount2(MNT_DETACH)", [] { return umount2(".", MNT_DETACH); });
  struct stat info;
  t->Do("stat(/place)", [&] { return stat("/place", &info); });
  t->Ok("into a tmpfs, the old root left");
}

}  // namespace paddock::sandbox::machine

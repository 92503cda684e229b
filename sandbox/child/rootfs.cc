#include "sandbox/child/rootfs.h"

#include <sys/mount.h>
#include <sys/stat.h>

#include <cerrno>

#include "sandbox/child/filesystems.h"
#include "sandbox/child/own_root.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {
namespace {

constexpr unsigned kHarmless = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;

// The kernel gives a new /proc only where it sees a whole one, so before the host's mounts are left
// (user_namespaces(7)).
UniqueFd NewProc(bool only_processes) {
  if (only_processes) return NewFilesystem("proc", {{"subset", "pid"}, {"hidepid", "invisible"}}, kHarmless | MOUNT_ATTR_RDONLY);
  return NewFilesystem("proc", {}, kHarmless | MOUNT_ATTR_RDONLY);
}

// Links in the way could lead to another place than the plan means.
UniqueFd OpenTarget(const MountOp& op) {
  UniqueFd target(OpenAt2(AT_FDCWD, op.target.c_str(), O_PATH | O_CLOEXEC, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS));
  // Nothing is left to cover, or lies where the jail's ids can't go, with fewer rights still.
  if (!target && op.kind == MountKind::kMask && (errno == ENOENT || errno == EACCES)) return target;
  if (!target) Die(Stage::kRootfs, errno, op.target);
  return target;
}

UniqueFd Blank(const MountOp& op, int target) {
  struct stat info;
  if (fstat(target, &info) < 0) Die(Stage::kRootfs, errno, op.target);
  UniqueFd blank(OpenTree(AT_FDCWD, S_ISDIR(info.st_mode) ? kBlankFolder : kBlankFile, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
  mount_attr attr{};
  attr.attr_set = kHarmless | MOUNT_ATTR_RDONLY;
  if (!blank || MountSetattr(blank.get(), "", AT_EMPTY_PATH, &attr) < 0) Die(Stage::kRootfs, errno, "nothing over " + op.target);
  return blank;
}

void PlaceOne(const MountOp& op, UniqueFd* tree) {
  const UniqueFd target = OpenTarget(op);
  if (!target) return;
  if (op.kind == MountKind::kMask) *tree = Blank(op, target.get());
  if (syscall(SYS_move_mount, tree->get(), "", target.get(), "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) < 0) Die(Stage::kRootfs, errno, op.target);
  tree->reset();  // there may be more than descriptors
}

}  // namespace

UniqueFd PlaceMounts(const Plan& plan, Trees* trees) {
  UniqueFd names;
  for (size_t i = 0; i < plan.mounts.size(); ++i) {
    const MountOp& op = plan.mounts[i];
    if (op.kind == MountKind::kProc) trees->mounts[i] = NewProc(op.only_processes);
    if (op.kind == MountKind::kTerminals) trees->mounts[i] = NewFilesystem("devpts", {{"mode", "0620"}, {"ptmxmode", "0666"}}, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
    if (op.kind != MountKind::kMask && !trees->mounts[i]) Die(Stage::kRootfs, errno, op.target);
  }
  if (plan.own_root) {
    if (plan.notify) names = NewProc(true);
    EnterRoot(std::move(trees->root));
  }
  for (size_t i = 0; i < plan.mounts.size(); ++i)
    if (!plan.mounts[i].for_copier) PlaceOne(plan.mounts[i], &trees->mounts[i]);
  if (plan.own_root) {
    mount_attr attr{};
    attr.attr_set = kHarmless | MOUNT_ATTR_RDONLY;
    attr.propagation = MS_PRIVATE;
    if (MountSetattr(AT_FDCWD, "/", 0, &attr) < 0) Die(Stage::kRootfs, errno, "read-only root");
  }
  StageDone(Stage::kRootfs);
  return names;
}

void PlaceCopierMounts(const Plan& plan, Trees* trees) {
  for (size_t i = 0; i < plan.mounts.size(); ++i)
    if (plan.mounts[i].for_copier) PlaceOne(plan.mounts[i], &trees->mounts[i]);
}

}  // namespace paddock::sandbox::child

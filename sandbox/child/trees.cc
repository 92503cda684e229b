#include "sandbox/child/trees.h"

#include <sys/mount.h>
#include <sys/stat.h>

#include "sandbox/child/filesystems.h"
#include "sandbox/child/own_root.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {
namespace {

unsigned Attributes(const MountOp& op) {
  return MOUNT_ATTR_NOSUID | (op.device ? 0u : MOUNT_ATTR_NODEV) | (op.read_only ? MOUNT_ATTR_RDONLY : 0u) | (op.no_exec ? MOUNT_ATTR_NOEXEC : 0u);
}

UniqueFd OpenBind(const MountOp& op, int id_map) {
  // Descriptor first, then the check of what it is, then the mount of that very thing: a path that is
  // exchanged in between can't lead elsewhere (openat2(2)).
  UniqueFd place(OpenAt2(AT_FDCWD, op.source.c_str(), O_PATH | O_CLOEXEC, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS));
  if (!place) Die(Stage::kTrees, errno, op.source);
  struct stat info;
  if (fstat(place.get(), &info) < 0) Die(Stage::kTrees, errno, op.source);
  if (info.st_dev != op.source_device || info.st_ino != op.source_inode) Die(Stage::kTrees, ESTALE, op.source);
  if (op.device && !S_ISCHR(info.st_mode)) Die(Stage::kTrees, ENODEV, op.source);
  UniqueFd tree(OpenTree(place.get(), "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | (op.recursive ? AT_RECURSIVE : 0)));
  if (!tree) Die(Stage::kTrees, errno, op.source);
  mount_attr attr{};
  attr.attr_set = Attributes(op);
  attr.propagation = MS_PRIVATE;
  if (MountSetattr(tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &attr) < 0) Die(Stage::kTrees, errno, op.source);
  if (op.id_mapped) {
    mount_attr map{};
    map.attr_set = MOUNT_ATTR_IDMAP;
    map.userns_fd = static_cast<uint64_t>(id_map);
    if (MountSetattr(tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &map) < 0)
      Die(Stage::kTrees, errno, "id-mapped mount of " + op.source);
  }
  return tree;
}

UniqueFd NewTmpfs(const MountOp& op, const Plan& plan) {
  char mode[8];
  snprintf(mode, sizeof mode, "%04o", op.mode & 07777);
  UniqueFd tree = NewFilesystem("tmpfs", {{"mode", mode}, {"size", std::to_string(op.size)}, {"uid", std::to_string(plan.outer_uid)}, {"gid", std::to_string(plan.outer_gid)}}, Attributes(op));
  if (!tree) Die(Stage::kTrees, errno, "tmpfs for " + op.target);
  return tree;
}

}  // namespace

Trees OpenTrees(const Plan& plan, int id_map) {
  Trees trees;
  if (plan.own_root) trees.root = MakeRoot(plan);
  for (const MountOp& op : plan.mounts)
    trees.mounts.push_back(op.kind == MountKind::kBind ? OpenBind(op, id_map) : op.kind == MountKind::kTmpfs ? NewTmpfs(op, plan) : UniqueFd());
  StageDone(Stage::kTrees);
  return trees;
}

}  // namespace paddock::sandbox::child

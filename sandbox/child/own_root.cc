#include "sandbox/child/own_root.h"

#include <sys/mount.h>
#include <sys/stat.h>

#include <cerrno>

#include "sandbox/child/filesystems.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {
namespace {

void MakeNode(int root, const NodeOp& node) {
  const char* path = node.path.c_str() + 1;  // relative to the root
  const mode_t mode = node.mode & 0777;
  if (node.kind == NodeKind::kFolder && mkdirat(root, path, mode) < 0) Die(Stage::kTrees, errno, node.path);
  if (node.kind == NodeKind::kLink && symlinkat(node.text.c_str(), root, path) < 0) Die(Stage::kTrees, errno, node.path);
  if (node.kind != NodeKind::kFile) return;
  UniqueFd file(openat(root, path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, mode));
  if (!file || write(file.get(), node.text.data(), node.text.size()) != static_cast<ssize_t>(node.text.size()))
    Die(Stage::kTrees, errno, node.path);
}

}  // namespace

UniqueFd MakeRoot(const Plan& plan) {
  UniqueFd root = NewFilesystem("tmpfs", {{"mode", "0755"}, {"size", "4m"}, {"nr_inodes", std::to_string(plan.nodes.size() + 64)}}, 0);
  if (!root) Die(Stage::kTrees, errno, "tmpfs for the root");
  umask(0);
  for (const NodeOp& node : plan.nodes) {
    if (node.path.size() < 2 || node.path[0] != '/') Die(Stage::kTrees, EINVAL, node.path);
    MakeNode(root.get(), node);
  }
  umask(022);
  return root;
}

void EnterRoot(UniqueFd root) {
  if (MoveMount(root.get(), "/") < 0) Die(Stage::kRootfs, errno, "root");
  if (fchdir(root.get()) < 0 || syscall(SYS_pivot_root, ".", ".") < 0) Die(Stage::kRootfs, errno, "pivot_root");
  if (umount2(".", MNT_DETACH) < 0) Die(Stage::kRootfs, errno, "leaving the host's mounts");
  if (chdir("/") < 0) Die(Stage::kRootfs, errno, "/");
}

}  // namespace paddock::sandbox::child

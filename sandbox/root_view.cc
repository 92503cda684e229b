#include "sandbox/root_view.h"

#include <linux/landlock.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "base/text.h"
#include "sandbox/beneath.h"
#include "sandbox/plan_parts.h"

namespace paddock::sandbox {

const uint64_t kLandlockRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
const uint64_t kLandlockRun = kLandlockRead | LANDLOCK_ACCESS_FS_EXECUTE;
// All bits of ABI 5 (16) but those that make devices; bits that a kernel does not know are left out by the launcher.
const uint64_t kLandlockWrite = 0xffff & ~uint64_t{LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK};

RootView::RootView() {
  Folder(kBlankFolder, 0);
  File(kBlankFile, "", 0);
  // Readable for everybody and in no rule of Landlock's, so that its denial can be seen.
  File("/witness", "", 0444);
  Allow("/", LANDLOCK_ACCESS_FS_READ_DIR);
}

bool RootView::Has(const std::string& path) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const NodeOp& node) { return node.path == path; }) ||
         std::any_of(mounts_.begin(), mounts_.end(), [&](const MountOp& op) { return op.kind == MountKind::kBind && op.recursive && Beneath(path, op.target); });
}

bool RootView::Covers(const std::string& path) const {
  return std::any_of(mounts_.begin(), mounts_.end(), [&](const MountOp& op) { return op.kind == MountKind::kMask && Beneath(path, op.target); });
}

void RootView::Parents(const std::string& path) {
  if (size_t slash = path.rfind('/'); slash > 0) Folder(path.substr(0, slash));
}

void RootView::Folder(const std::string& path, uint32_t mode) {
  if (Has(path)) return;
  Parents(path);
  nodes_.push_back({NodeKind::kFolder, path, "", mode});
}

void RootView::File(const std::string& path, std::string text, uint32_t mode) {
  if (Has(path)) return;
  Parents(path);
  nodes_.push_back({NodeKind::kFile, path, std::move(text), mode});
}

void RootView::Link(const std::string& path, std::string target) {
  if (Has(path)) return;
  Parents(path);
  nodes_.push_back({NodeKind::kLink, path, std::move(target), 0777});
}

Status RootView::Bind(const std::string& source, const std::string& target, BindOptions options) {
  char resolved[PATH_MAX];
  struct stat info;
  if (!realpath(source.c_str(), resolved) || stat(resolved, &info) < 0) {
    auto failed = FailErrno(VisibleText(source, Newlines::kEscape), errno, "name one that is there");
    failed.error().kind = ErrorKind::kNotFound;
    return failed;
  }
  const bool folder = S_ISDIR(info.st_mode);
  if (!options.place_is_there && folder) Folder(target);
  if (!options.place_is_there && !folder) File(target, "");
  MountOp op;
  op.source = resolved;
  op.source_device = info.st_dev;
  op.source_inode = info.st_ino;
  op.target = target;
  op.recursive = folder;
  op.no_exec = options.no_exec;
  op.id_mapped = options.id_mapped;
  op.device = options.device;
  op.for_copier = options.for_copier;
  mounts_.push_back(std::move(op));
  return {};
}

void RootView::Tmpfs(const std::string& target, uint64_t size, uint32_t mode, bool no_exec) {
  Folder(target);
  MountOp op;
  op.kind = MountKind::kTmpfs;
  op.target = target;
  op.read_only = false;
  op.no_exec = no_exec;
  op.size = size;
  op.mode = mode;
  mounts_.push_back(std::move(op));
  Allow(target, no_exec ? kLandlockWrite & ~uint64_t{LANDLOCK_ACCESS_FS_EXECUTE} : kLandlockWrite);
}

void RootView::Mask(const std::string& target, bool for_copier) {
  MountOp op = MaskMount(target);
  op.for_copier = for_copier;
  mounts_.push_back(std::move(op));
}

void RootView::Mount(MountOp op) {
  Folder(op.target);
  mounts_.push_back(std::move(op));
}

void RootView::MoveTo(Plan* plan) {
  plan->own_root = true;
  plan->nodes = std::move(nodes_);
  plan->mounts = std::move(mounts_);
  plan->landlock_rules = std::move(rules_);
}

}  // namespace paddock::sandbox

#include "sandbox/program_root.h"

#include <linux/landlock.h>
#include <sys/stat.h>

#include <algorithm>

#include "sandbox/beneath.h"
#include "sandbox/host_sockets.h"
#include "sandbox/listed_programs.h"
#include "sandbox/root_view.h"

namespace paddock::sandbox {
namespace {

constexpr uint64_t kLeastShm = 1u << 20;

Status AddRoot(RootView* view, const ProgramRoot& root, bool no_exec) {
  const FilesystemRules& files = root.profile->filesystem;
  switch (files.root) {
    case RootKind::kCellOnly:
      AddTopLinks(view);
      if (Status cache = view->Bind("/etc/ld.so.cache", "/etc/ld.so.cache", {}); cache) view->Allow("/etc/ld.so.cache", LANDLOCK_ACCESS_FS_READ_FILE);
      return {};
    case RootKind::kMinimal: return AddMinimalRoot(view, no_exec);
    case RootKind::kImage: return AddImageRoot(view, files.image, no_exec);
    case RootKind::kHost: return AddHostRoot(view, root.homes, no_exec);
  }
  return {};
}

Status AddCell(RootView* view, const std::string& file, bool for_copier) {
  TRY(view->Bind(file, "/cell", {.for_copier = for_copier}));
  view->Allow("/cell", LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE);
  return {};
}

// The workspace, and with a private copy of it the program that makes it.
Status AddWorkspace(RootView* view, const ProgramRoot& root, bool no_exec) {
  const FilesystemRules& files = root.profile->filesystem;
  if (files.workspace == WorkspaceAccess::kNone) return {};
  MountOp original = WorkspaceMount(*root.workspace, root.ids.id_mapped);
  if (files.workspace == WorkspaceAccess::kRead) {
    original.no_exec = no_exec;
    view->Mount(std::move(original));
    view->Allow("/workspace", no_exec ? kLandlockRead : kLandlockRun);
    return {};
  }
  original.target = kOriginal;
  original.for_copier = true;
  view->Mount(std::move(original));
  view->Allow(kOriginal, kLandlockRead);
  view->Tmpfs("/workspace", static_cast<uint64_t>(TRY(ParseSize(files.workspace_size))), 0755, no_exec);
  return AddCell(view, root.cell, true);
}

// The host's sockets that lie in what the jail sees.
void CoverSockets(RootView* view, const ProgramRoot& root) {
  const FilesystemRules& files = root.profile->filesystem;
  for (const std::string& name : HostSocketNames()) {
    if (files.workspace == WorkspaceAccess::kRead && Beneath(name, root.workspace->path)) view->Mask("/workspace" + name.substr(root.workspace->path.size()));
    if (files.root == RootKind::kImage && Beneath(name, files.image) && view->Has(name.substr(files.image.size()))) view->Mask(name.substr(files.image.size()));
    if (files.root != RootKind::kImage && view->Has(name)) view->Mask(name);
  }
}

// What the profile hides, wherever the jail sees it: in the workspace, and where the root or a further path shows the
// workspace too. The last of all, so that nothing is mounted in what is covered.
Status CoverHidden(RootView* view, const ProgramRoot& root, BuiltPlan* built) {
  const FilesystemRules& files = root.profile->filesystem;
  if (files.workspace == WorkspaceAccess::kNone) return {};
  built->hidden = TRY(HiddenTargets(*root.profile, *root.hidden, files.workspace == WorkspaceAccess::kRead ? "/workspace" : kOriginal));
  for (const std::string& path : TRY(HiddenTargets(*root.profile, *root.hidden, root.workspace->path))) {
    if (files.root == RootKind::kImage && Beneath(path, files.image)) built->hidden.push_back(path.substr(files.image.size()));
    const bool shown = files.root == RootKind::kHost || std::any_of(files.read.begin(), files.read.end(), [&](const std::string& one) { return Beneath(path, one) || Beneath(one, path); });
    if (shown && view->Has(path) && !view->Covers(path)) built->hidden.push_back(path);
  }
  for (const std::string& target : built->hidden) view->Mask(target, Beneath(target, kOriginal));
  return {};
}

}  // namespace

Status AddProgramRoot(const ProgramRoot& root, BuiltPlan* built) {
  Plan* plan = &built->plan;
  const Profile& profile = *root.profile;
  const FilesystemRules& files = profile.filesystem;
  RootView view;
  const bool any = profile.exec.mode == ExecRules::Mode::kAny;
  TRY(AddRoot(&view, root, !any));
  const auto tmp = static_cast<uint64_t>(TRY(ParseSize(files.tmp)));
  TRY(AddDevices(&view, root.terminals, tmp ? std::max(tmp / 2, kLeastShm) : 0, !any));
  if (files.proc != ProcAccess::kNone) AddProc(&view, files.proc == ProcAccess::kPid);
  else view.Folder("/proc");
  view.Folder("/workspace");
  if (tmp) view.Tmpfs("/tmp", tmp, 01777, !any);
  else view.Folder("/tmp");
  for (const std::string& path : files.read) {
    const std::string place = WithoutTopLink(path);
    if (view.Has(place)) continue;
    TRY(view.Bind(path, place, {.no_exec = !any}));
    // A file has no right of folders (landlock_add_rule(2): EINVAL).
    struct stat info;
    const uint64_t rights = any ? kLandlockRun : kLandlockRead;
    view.Allow(place, stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) ? rights : rights & ~uint64_t{LANDLOCK_ACCESS_FS_READ_DIR});
  }
  TRY(AddWorkspace(&view, root, !any));
  if (!any) TRY(AddListedPrograms(&view, profile.exec, root.command));
  if (root.is_cell) TRY(AddCell(&view, root.cell, false));
  if (plan->network == Network::kOwnEmpty) CoverSockets(&view, root);
  TRY(CoverHidden(&view, root, built));
  view.MoveTo(plan);
  return {};
}

}  // namespace paddock::sandbox

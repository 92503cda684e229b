// Other views of files: id-mapped mounts, overlays, and new /proc file systems.
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "sandbox/machine/probes.h"
#include "sandbox/machine/surroundings.h"

namespace paddock::sandbox::machine {
namespace {

void TryIdMap(const std::string& folder, const Asked& asked, Trial* t) {
  if (geteuid() != 0) t->Untried("only root's jails need it");
  EnterMountNamespace(t);
  NeedProc(t);
  t->Try("clone3(CLONE_NEWUSER), uid_map");
  UniqueFd ids = UserNamespaceWith(0, asked.jail_uid);
  if (!ids) t->Untried("needs a user namespace with a foreign id");
  const int tree = static_cast<int>(t->Do("open_tree(OPEN_TREE_CLONE)", [&] {
    return syscall(SYS_open_tree, AT_FDCWD, folder.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  }));
  mount_attr attr{};
  attr.attr_set = MOUNT_ATTR_IDMAP;
  attr.userns_fd = static_cast<uint64_t>(ids.get());
  t->Do("mount_setattr(MOUNT_ATTR_IDMAP)", [&] { return syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof attr); });
}

// In a pid namespace that the caller has rights over; its first process mounts.
void TryProcIn(Trial* t, const char* what, std::initializer_list<Option> options) {
  BecomeAble(t);
  t->Try("clone3(CLONE_NEWNS | CLONE_NEWPID)");
  const pid_t pid = Clone(CLONE_NEWNS | CLONE_NEWPID);
  if (pid < 0) t->Untried("needs mount and pid namespaces");
  if (pid == 0) {
    UniqueFd proc = NewFileSystem("proc", options);
    _exit(proc ? 0 : errno);
  }
  t->Try(what);
  const int err = ExitStatusOf(pid);
  // The kernel gives a new proc only to who can see a whole one already (mount_too_revealing in fs/namespace.c).
  if (err == EPERM) t->Missing(err, "the /proc here is masked or not mounted, and so a new one is refused");
  if (err != 0) t->Missing(err < 0 ? 0 : err);
}

}  // namespace

void TryIdMapRepository(const Asked& asked, Trial* t) { TryIdMap(asked.repository, asked, t); }
void TryIdMapPrograms(const Asked& asked, Trial* t) { TryIdMap(asked.programs, asked, t); }

void TryOverlay(const Asked&, Trial* t) {
  EnterMountNamespace(t);
  t->Try("fsopen(tmpfs)");
  UniqueFd layers = NewFileSystem("tmpfs", {{"mode", "0755"}, {"size", "256k"}});
  if (!layers) t->Untried("needs a tmpfs");
  t->Do("move_mount", [&] { return MoveMount(layers.get(), "/"); });
  t->Do("fchdir", [&] { return fchdir(layers.get()); });
  for (const char* name : {"lower", "upper", "work", "whole"}) t->Do("mkdir", [&] { return mkdir(name, 0755); });
  const char* options = geteuid() == 0 ? "lowerdir=lower,upperdir=upper,workdir=work" : "lowerdir=lower,upperdir=upper,workdir=work,userxattr";
  t->Do("mount(overlay)", [&] { return mount("overlay", "whole", "overlay", 0, options); });
  t->Do("mkdir in the overlay", [] { return mkdir("whole/new", 0755); });
  t->Ok("mounted, and written to");
}

void TryNewProc(const Asked&, Trial* t) { TryProcIn(t, "fsopen(proc), fsmount", {}); }
void TrySubsetProc(const Asked&, Trial* t) { TryProcIn(t, "fsopen(proc, subset=pid), fsmount", {{"subset", "pid"}, {"hidepid", "invisible"}}); }

}  // namespace paddock::sandbox::machine

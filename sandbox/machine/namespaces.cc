// Each kind of namespace alone, and the ids that a jail has on the host.
#include <fcntl.h>
#include <grp.h>
#include <sys/mount.h>
#include <sys/syscall.h>

#include "base/frame_pipe.h"
#include "sandbox/machine/probes.h"
#include "sandbox/machine/surroundings.h"

namespace paddock::sandbox::machine {
namespace {

// A process in a new one, which ends at once.
void TryNamespace(Trial* t, const char* call, uint64_t flag) {
  if (flag != CLONE_NEWUSER) BecomeAble(t);
  const auto pid = static_cast<pid_t>(t->Do(call, [&] { return Clone(flag); }));
  if (pid == 0) _exit(0);
  if (ExitStatusOf(pid) != 0) t->Missing(ECHILD);
}

// A jail's pid 1 gets its ids from outside, takes them, and is nobody else.
void TryIds(Trial* t, uint32_t uid, uint32_t gid) {
  constexpr uint32_t kInner = 1000;
  NeedProc(t);
  auto sync = MakePipe();
  t->Try("pipe2");
  if (!sync) t->Missing(sync.error().sys_errno);
  t->Try("clone3(CLONE_NEWUSER)");
  const pid_t pid = Clone(CLONE_NEWUSER);
  if (pid < 0) t->Untried("needs a user namespace");
  if (pid == 0) {
    sync->write.reset();
    char byte;
    if (read(sync->read.get(), &byte, 1) != 1) _exit(1);
    _exit(syscall(SYS_setresgid, kInner, kInner, kInner) == 0 && syscall(SYS_setresuid, kInner, kInner, kInner) == 0 ? 0 : errno);
  }
  const std::string folder = "/proc/" + std::to_string(pid);
  auto line = [&](uint32_t outer) { return std::to_string(kInner) + " " + std::to_string(outer) + " 1"; };
  (void)WriteText(folder + "/setgroups", "deny");
  const std::string shown = "writing \"" + line(uid) + "\" to uid_map";
  t->Do(shown.c_str(), [&] { return WriteText(folder + "/uid_map", line(uid)) ? 0 : -1; });
  t->Do("writing gid_map", [&] { return WriteText(folder + "/gid_map", line(gid)) ? 0 : -1; });
  t->Try("setresuid");
  (void)!write(sync->write.get(), "g", 1);
  if (const int err = ExitStatusOf(pid); err != 0) t->Missing(err);
  t->Ok("uid " + std::to_string(uid) + ", gid " + std::to_string(gid));
}

}  // namespace

// A jail's, and for an ordinary user the launcher's own.
void TryUser(const Asked&, Trial* t) {
  TryNamespace(t, "clone3(CLONE_NEWUSER)", CLONE_NEWUSER);
  if (geteuid() == 0) return;
  t->Do("unshare(CLONE_NEWUSER)", [] { return unshare(CLONE_NEWUSER); });
  t->Ok("clone3 and unshare");
}

// A jail's, and the launcher's own, from which nothing goes back and into which it returns.
void TryMount(const Asked&, Trial* t) {
  TryNamespace(t, "clone3(CLONE_NEWNS)", CLONE_NEWNS);
  t->Do("unshare(CLONE_NEWNS)", [] { return unshare(CLONE_NEWNS); });
  t->Do("mount(MS_REC | MS_SLAVE)", [] { return mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr); });
  // Into another one of its own: not every caller may enter the one that it came from.
  UniqueFd own(open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC));
  t->Do("unshare(CLONE_NEWNS)", [] { return unshare(CLONE_NEWNS); });
  if (own) t->Do("setns(CLONE_NEWNS)", [&] { return setns(own.get(), CLONE_NEWNS); });
  t->Ok("clone3, unshare, setns");
}
void TryPid(const Asked&, Trial* t) { TryNamespace(t, "clone3(CLONE_NEWPID)", CLONE_NEWPID); }
void TryNet(const Asked&, Trial* t) { TryNamespace(t, "clone3(CLONE_NEWNET)", CLONE_NEWNET); }
void TryIpc(const Asked&, Trial* t) { TryNamespace(t, "clone3(CLONE_NEWIPC)", CLONE_NEWIPC); }
void TryUts(const Asked&, Trial* t) { TryNamespace(t, "clone3(CLONE_NEWUTS)", CLONE_NEWUTS); }
void TryCgroupNamespace(const Asked&, Trial* t) { TryNamespace(t, "clone3(CLONE_NEWCGROUP)", CLONE_NEWCGROUP); }

void TryOwnId(const Asked&, Trial* t) {
  if (geteuid() == 0) t->Untried("root's jails never have root's id");
  BecomeAble(t);
  TryIds(t, geteuid(), getegid());
}

void TryForeignId(const Asked& asked, Trial* t) {
  if (geteuid() != 0) t->Untried("only root's jails have another's id");
  t->Do("setgroups", [] { return setgroups(0, nullptr); });
  TryIds(t, asked.jail_uid, asked.jail_gid);
}

}  // namespace paddock::sandbox::machine

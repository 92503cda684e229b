#include "sandbox/machine/surroundings.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>

#include "base/frame_pipe.h"
#include "sandbox/machine/facts.h"

namespace paddock::sandbox::machine {

pid_t Clone(uint64_t flags) {
  clone_args args{};
  args.flags = flags;
  args.exit_signal = SIGCHLD;
  const pid_t parent = getpid();
  const auto pid = static_cast<pid_t>(syscall(SYS_clone3, &args, sizeof args));
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may be gone already, and then no signal comes. In a pid namespace of its own it has no parent.
  if (!(flags & CLONE_NEWPID) && getppid() != parent) _exit(1);
  return 0;
}

int ExitStatusOf(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool WriteText(const std::string& path, const std::string& text) {
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return fd && write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

void NeedProc(Trial* t) {
  if (LookAtProc() != ProcState::kOurs) t->Untried("needs the /proc of this pid namespace");
}

void BecomeAble(Trial* t) {
  const uid_t uid = geteuid();
  const gid_t gid = getegid();
  if (uid == 0) return;
  t->Try("unshare(CLONE_NEWUSER)");
  if (unshare(CLONE_NEWUSER) < 0) t->Untried("needs a user namespace");
  t->Try("writing /proc/self/uid_map");
  if (!WriteText("/proc/self/setgroups", "deny") || !WriteText("/proc/self/uid_map", std::to_string(uid) + " " + std::to_string(uid) + " 1") ||
      !WriteText("/proc/self/gid_map", std::to_string(gid) + " " + std::to_string(gid) + " 1"))
    t->Untried("needs a user namespace with one's own id");
}

void EnterMountNamespace(Trial* t) {
  BecomeAble(t);
  t->Try("unshare(CLONE_NEWNS)");
  if (unshare(CLONE_NEWNS) < 0) t->Untried("needs a mount namespace");
  t->Try("mount(MS_REC | MS_SLAVE)");
  if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) < 0) t->Untried("needs the right to make mounts");
}

UniqueFd NewFileSystem(const char* type, std::initializer_list<Option> options) {
  UniqueFd context(static_cast<int>(syscall(SYS_fsopen, type, FSOPEN_CLOEXEC)));
  if (!context) return {};
  for (const Option& option : options)
    if (syscall(SYS_fsconfig, context.get(), option.value ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG, option.key, option.value, 0) < 0) return {};
  if (syscall(SYS_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) < 0) return {};
  return UniqueFd(static_cast<int>(syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, 0)));
}

long MoveMount(int from, const char* target) { return syscall(SYS_move_mount, from, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH); }

UniqueFd UserNamespaceWith(uint32_t from, uint32_t to) {
  auto hold = MakePipe();
  if (!hold) return {};
  const pid_t pid = Clone(CLONE_NEWUSER);
  if (pid < 0) return {};
  if (pid == 0) {
    hold->write.reset();
    char byte;
    (void)!read(hold->read.get(), &byte, 1);
    _exit(0);
  }
  const std::string folder = "/proc/" + std::to_string(pid), line = std::to_string(from) + " " + std::to_string(to) + " 1";
  UniqueFd held(open((folder + "/ns/user").c_str(), O_RDONLY | O_CLOEXEC));
  int err = errno;
  if (held && !(WriteText(folder + "/uid_map", line) && WriteText(folder + "/gid_map", line))) {
    err = errno;
    held.reset();
  }
  hold->write.reset();
  ExitStatusOf(pid);
  errno = err;
  return held;
}

}  // namespace paddock::sandbox::machine

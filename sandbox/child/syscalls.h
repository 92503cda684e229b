// System calls that this libc has no function for, and constants newer than its headers.
#pragma once

#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace paddock::sandbox::child {

inline int OpenAt2(int dir, const char* path, uint64_t flags, uint64_t resolve) {
  open_how how{};
  how.flags = flags;
  how.resolve = resolve;
  return static_cast<int>(syscall(SYS_openat2, dir, path, &how, sizeof how));
}
inline int OpenTree(int dir, const char* path, unsigned flags) {
  return static_cast<int>(syscall(SYS_open_tree, dir, path, flags));
}
inline int MoveMount(int from, const char* target) {
  return static_cast<int>(syscall(SYS_move_mount, from, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH));
}
inline int MountSetattr(int dir, const char* path, unsigned flags, mount_attr* attr) {
  return static_cast<int>(syscall(SYS_mount_setattr, dir, path, flags, attr, sizeof *attr));
}
inline int Clone3(clone_args* args) { return static_cast<int>(syscall(SYS_clone3, args, sizeof *args)); }

}  // namespace paddock::sandbox::child

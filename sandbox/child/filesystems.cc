#include "sandbox/child/filesystems.h"

#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {

UniqueFd NewFilesystem(const char* type, std::initializer_list<MountOption> options, unsigned attributes) {
  UniqueFd context(static_cast<int>(syscall(SYS_fsopen, type, FSOPEN_CLOEXEC)));
  if (!context) return {};
  for (const MountOption& option : options) {
    const bool flag = option.value.empty();
    if (syscall(SYS_fsconfig, context.get(), flag ? FSCONFIG_SET_FLAG : FSCONFIG_SET_STRING, option.key, flag ? nullptr : option.value.c_str(), 0) < 0) return {};
  }
  if (syscall(SYS_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) < 0) return {};
  return UniqueFd(static_cast<int>(syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, attributes)));
}

}  // namespace paddock::sandbox::child

// New file systems that belong to a jail, as detached mounts (fsopen(2), fsmount(2)).
#pragma once

#include <initializer_list>
#include <string>

#include "base/unique_fd.h"

namespace paddock::sandbox::child {

struct MountOption {
  const char* key;
  std::string value;  // empty: a flag
};

// `attributes` are MOUNT_ATTR_* bits. Empty with errno set when the kernel refuses.
UniqueFd NewFilesystem(const char* type, std::initializer_list<MountOption> options, unsigned attributes);

}  // namespace paddock::sandbox::child

// The folder that a jail is to see, as the user named it, resolved and looked at from outside only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace paddock::sandbox {

struct Workspace {
  std::string path;  // absolute, without symlinks, bytes
  uint64_t device = 0, inode = 0;
  uint32_t owner_uid = 0, owner_gid = 0;
};

struct WorkspaceRules {
  std::vector<std::string> homes;  // folders that are somebody's home
  std::string insist;              // a path that is allowed though it is one, or holds one, or is the system's
};

// Homes of this machine: $HOME, and those of root and of accounts from uid 1000 on in /etc/passwd.
std::vector<std::string> HomeFolders();

// kInvalid: no such folder, a file, unreadable, `/`, a folder of the system's (/etc and what is in it, /run, /usr, /var, ...), a home or
// a folder that holds one.
Result<Workspace> ResolveWorkspace(const std::string& path, const WorkspaceRules& rules);

}  // namespace paddock::sandbox

// Where a repository of the workspace keeps its history, and that git can open all of it.
//
// Wherever git expects a file it opens what is there: it waits for a FIFO and reads a device, or a file of any size, until its
// time is up. So all that it would open is looked at first (lstat(2), openat2(2) with O_PATH), and no more than folders and a few
// small regular files are opened for that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agentcore/tools/tool_error.h"
#include "base/deadline.h"

namespace paddock::agentcore {

struct GitStore {
  std::string work;    // the folder that the repository is of, relative to the workspace
  std::string folder;  // its git folder: `work`/.git, or where a file of that name leads inside the workspace
};

// Of the innermost repository in which `path` lies, which may be a submodule. kUnsupported: there is none, or its git folder lies
// outside of the workspace, as those of linked worktrees do.
ToolOutcome<GitStore> FindGitStore(int root_fd, const std::string& path);

// The names of the folders in `folder`/objects that hold objects. kUnsupported names what is no git folder, or what in it git
// could not read to its end. Costs a look at each folder of objects and at each reference.
ToolOutcome<std::vector<std::string>> CheckGitStore(int root_fd, const std::string& folder, const Deadline& deadline);

// kUnsupported where `path` (as WorkspacePath gives it) is neither missing nor a regular file of at most `most` bytes. A link to
// such a file in the workspace is one.
ToolOutcome<void> CheckPlainFile(int root_fd, const std::string& path, uint64_t most);

// The beginning of a regular file, or "".
std::string BeginningOf(int root_fd, const std::string& path, size_t most);

}  // namespace paddock::agentcore

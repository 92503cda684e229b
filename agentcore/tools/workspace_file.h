// Opening things of the workspace: openat2 beneath its descriptor, and nothing but regular files and folders.
//
// A FIFO, socket or device is found out by an O_PATH descriptor, which never touches what it names, so that
// none of them is ever opened for reading. Symbolic links are followed where they stay inside. Works with a
// single thread, without /proc, under the cell's system call filter.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/tool_error.h"
#include "base/unique_fd.h"

namespace paddock::agentcore {

struct OpenedFile {
  UniqueFd fd;  // O_RDONLY | O_NONBLOCK, a regular file
  uint64_t size = 0;
  int64_t changed_ns = 0;  // the later of mtime and ctime, nanoseconds since the epoch
};

enum class Links { kFollowInside, kNever };

// `path` as WorkspacePath gives it. kNotFound (naming the nearest existing name), kDenied (no permission, or a
// link that leads out), kUnsupported (a folder, FIFO, socket, device, or a loop of links), kFailed.
ToolOutcome<OpenedFile> OpenRegularFile(int root_fd, const std::string& path, Links links = Links::kFollowInside);

// A folder, opened for reading its names. Errors as above; kUnsupported when it is no folder.
ToolOutcome<UniqueFd> OpenFolder(int root_fd, const std::string& path, Links links = Links::kFollowInside);

// What `path` names, links followed inside the workspace: an O_PATH descriptor's fstat.
ToolOutcome<struct stat> StatInside(int root_fd, const std::string& path);

// 0 when the regular file `path` (bytes) can be opened for reading, no link followed; else the errno. It is closed again.
int TryToRead(int root_fd, std::string_view path);

// At most `max_names` names of a folder (never "." or ".."), in no order. Fewer on a read error.
std::vector<std::string> NamesOf(int folder_fd, size_t max_names);

// openat2(2) with O_CLOEXEC, retried on EAGAIN and EINTR: a descriptor or -errno. Paths beyond PATH_MAX are
// opened in pieces.
int OpenBeneath(int root_fd, std::string_view path, uint64_t flags, Links links);

// The later of mtime and ctime of an open file, nanoseconds since the epoch; 0 when that can't be had.
int64_t ChangedNs(int fd);

// What an open that failed with `err` is to a tool.
ToolError OpenError(int root_fd, const std::string& path, int err);

// EMFILE or ENFILE; and the failure that it is. `what`: what could not be done.
bool IsOutOfDescriptors(int err);
ToolError OutOfDescriptors(std::string what, int err);

const char* KindName(mode_t mode);  // "folder", "FIFO", "socket", "character device", ...

}  // namespace paddock::agentcore

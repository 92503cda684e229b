// A namespace made by a short-lived child and then held by a descriptor only.
#pragma once

#include <cstdint>
#include <string>

#include "base/unique_fd.h"

namespace paddock::sandbox::child {

// `flag` is one CLONE_NEW* bit, `name` its entry in /proc/PID/ns. A non-empty `id_map` is written to the
// child's uid_map and gid_map (a user namespace). An empty descriptor with errno set when it is refused.
// `proc` is the host's /proc (borrowed). The process must have SIGCHLD ignored, so that the child is reaped.
UniqueFd MakeNamespace(int proc, uint64_t flag, const char* name, const std::string& id_map);

// Writes `text` in one piece to `path` beneath `dir`; false with errno set on failure.
bool WriteFile(int dir, const std::string& path, const std::string& text);

}  // namespace paddock::sandbox::child

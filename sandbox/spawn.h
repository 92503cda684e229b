// Starting the launcher. The only file that sees Boost.Process.
#pragma once

#include <string>

#include "base/child_process.h"

namespace paddock::sandbox {

struct LauncherProcess {
  ChildProcess process;
  UniqueFd socket;  // SOCK_SEQPACKET, non-blocking
};

// Starts `program` (absolute path of paddock-jail) with an empty environment and the other end of the
// socket as its standard input. Call it while this process is small: it forks.
Result<LauncherProcess> SpawnLauncher(const std::string& program);

}  // namespace paddock::sandbox

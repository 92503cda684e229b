// Starting paddock's own helper programs: the launcher above all. The only file that sees Boost.Process.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/child_process.h"

namespace paddock::sandbox {

struct SpawnedProgram {
  ChildProcess process;
  UniqueFd socket;  // non-blocking; the other end is the program's standard input
};
using LauncherProcess = SpawnedProgram;

// Starts `program` (an absolute path) with exactly this environment; its standard output and error are the null
// device. `socket_type` is SOCK_STREAM or SOCK_SEQPACKET. It forks: cheap while this process is small.
Result<SpawnedProgram> SpawnProgram(const std::string& program, int socket_type, const std::map<std::string, std::string>& environment,
                                    const std::vector<std::string>& arguments = {});

// paddock-jail, with an empty environment and a SOCK_SEQPACKET. Call it while this process is small.
// `argument`: its only one; nullptr: none.
Result<LauncherProcess> SpawnLauncher(const std::string& program, const char* argument = nullptr);

}  // namespace paddock::sandbox

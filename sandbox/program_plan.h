// Profile + workspace + command → Plan, for any program that is no cell (`paddock run`).
//
// It has one filter, is held before exec until its receipt was read, and sees the root that the profile names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/plan_builder.h"

namespace paddock::sandbox {

struct ProgramRequest {
  const Profile* profile = nullptr;
  const Workspace* workspace = nullptr;  // needed where the profile has one
  std::vector<std::string> argv;         // the command; bytes
  std::string working_folder;            // of the caller; kept where it lies in the workspace
  // Which of descriptors 0 to 2 get a terminal of the jail's own; the others are passed, in order.
  bool stdin_terminal = false, stdout_terminal = false, stderr_terminal = false;
  std::optional<int64_t> wall_ms;        // narrows the profile's
  std::string programs_folder;           // of paddock-cell
  bool own_network = false;              // never the one that jails without sockets share: the launcher has none
  bool memory_group = false;             // memory is limited by a control group, so not by each process's data
  std::optional<std::vector<std::string>> hidden;  // paths relative to the workspace that are to show nothing; needed where the profile hides
  std::vector<std::string> homes;        // folders that root "host" does not show (HomeFolders())
};

// May the program start others? Where not, the limits of each process are those of the whole jail, and no control group
// is needed.
Result<bool> MayStartProcesses(const Profile& profile);

// The plan's descriptors are those of 0 to 2 that are no terminal. Errors with sys_errno ENOENT (no such program) and EACCES
// (can't be run) concern the command; all others the profile, the workspace or this machine.
Result<BuiltPlan> BuildProgramPlan(const ProgramRequest& request, const Caller& caller);

}  // namespace paddock::sandbox

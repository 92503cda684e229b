// What a jail sees that runs programs of the machine: the root that its profile names, the workspace, the programs that it
// may start. For `paddock run`, and for cells whose tools start listed programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/plan_builder.h"
#include "sandbox/plan_parts.h"

namespace paddock::sandbox {

struct ProgramRoot {
  const Profile* profile = nullptr;
  const Workspace* workspace = nullptr;  // nullptr: the profile shows none
  const std::optional<std::vector<std::string>>* hidden = nullptr;  // paths relative to the workspace that are to show nothing
  HostIds ids;
  std::string command;          // runs alone where the profile lists no programs
  std::string cell;             // the host's paddock-cell: /cell for the copier of a private copy
  bool is_cell = false;         // or for the payload itself
  bool terminals = false;       // it may make terminals
  std::vector<std::string> homes = {};  // folders that root "host" does not show
};

// Into the plan, whose network is decided already: nodes, mounts and Landlock's rules; and the masks' targets.
Status AddProgramRoot(const ProgramRoot& root, BuiltPlan* built);

}  // namespace paddock::sandbox

// Mount sources: each is opened once, checked, cloned, and made harmless before a jail sees it.
#pragma once

#include <vector>

#include "base/unique_fd.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// Detached mounts. What only pid 1 can make is still empty: proc, terminals, masks.
struct Trees {
  UniqueFd root;                  // of a plan with a root of its own
  std::vector<UniqueFd> mounts;   // one for each of plan.mounts
};

// In the builder. `id_map` is a user namespace for those that are id-mapped (borrowed, -1 when none is). Dies when
// a source is not what the plan says.
Trees OpenTrees(const Plan& plan, int id_map);

}  // namespace paddock::sandbox::child

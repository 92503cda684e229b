// A root of the jail's own, made of the plan's nodes, and entering it.
#pragma once

#include "base/unique_fd.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// In the builder: a detached tmpfs with plan.nodes in it. Dies when a node can't be made.
UniqueFd MakeRoot(const Plan& plan);

// In pid 1: makes `root` the root and leaves nothing of the host's mounts (pivot_root(2), "pivot_root(".", ".")").
void EnterRoot(UniqueFd root);

}  // namespace paddock::sandbox::child

// Placing the prepared mounts in the jail's root: its copy of the template, or one of its own.
#pragma once

#include <vector>

#include "base/unique_fd.h"
#include "sandbox/child/trees.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// Takes what OpenTrees prepared, one tree for each of plan.mounts. Afterwards nothing of the host's mounts but these
// is in the mount namespace. Returns the jail's own /proc, placed nowhere, for pid 1 to name processes by; empty
// where the plan has no use for it or the machine has none to give.
// What is for the copier alone stays in `trees`.
UniqueFd PlaceMounts(const Plan& plan, Trees* trees);

// In the copier's own mount namespace: the rest.
void PlaceCopierMounts(const Plan& plan, Trees* trees);

}  // namespace paddock::sandbox::child

// Placing the prepared mounts in the jail's copy of the template root.
#pragma once

#include <vector>

#include "base/unique_fd.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// Takes the detached mounts of OpenTrees, one for each of plan.mounts, in order.
void PlaceMounts(const Plan& plan, std::vector<UniqueFd> trees);

}  // namespace paddock::sandbox::child

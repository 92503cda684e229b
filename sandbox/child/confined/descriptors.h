// The payload's descriptors: exactly those of the plan.
#pragma once

#include <vector>

#include "base/unique_fd.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// Gives each passed descriptor its number; everything else closes at exec.
void PlaceDescriptors(const Plan& plan, const std::vector<UniqueFd>& passed);

}  // namespace paddock::sandbox::child

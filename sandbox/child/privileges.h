// Giving up capabilities, in every set, and the way to get them back.
#pragma once

#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// In pid 1, after its last mount and before the payload exists, so that both have none.
void DropPrivileges(const Plan& plan);

}  // namespace paddock::sandbox::child

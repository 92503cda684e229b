// Landlock: everything that this kernel's version can deny is denied, but for the plan's rules (landlock(7)).
#pragma once

#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// Needs no_new_privs. Dies when the kernel has no Landlock.
void RestrictPaths(const Plan& plan);

}  // namespace paddock::sandbox::child

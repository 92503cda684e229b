// The first seccomp filter: the parent compiled it, this installs it (seccomp(2)).
#pragma once

#include "sandbox/plan.h"

namespace paddock::sandbox::child {

void InstallFilter(const Plan& plan);

}  // namespace paddock::sandbox::child

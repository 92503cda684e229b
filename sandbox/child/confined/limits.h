// Resource limits of the payload (setrlimit(2)).
#pragma once

#include "sandbox/plan.h"

namespace paddock::sandbox::child {

void SetLimits(const Plan& plan);

}  // namespace paddock::sandbox::child

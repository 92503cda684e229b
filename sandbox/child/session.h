// Pid 1 leaves what it inherited: session and terminal, keyring, host name.
#pragma once

#include "sandbox/plan.h"

namespace paddock::sandbox::child {

void LeaveSession(const Plan& plan);

}  // namespace paddock::sandbox::child

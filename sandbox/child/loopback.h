// 127.0.0.1 in the jail's own network.
#pragma once

#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// In pid 1, while it has the right to: interfaces of a new network namespace are down (netdevice(7)).
void RaiseLoopback(const Plan& plan);

}  // namespace paddock::sandbox::child

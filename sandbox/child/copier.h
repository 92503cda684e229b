// A process of the jail that makes a private copy of the workspace: it alone sees the original.
//
// A read-only mount doesn't stop connect(2) to a socket in it, and no privilege is left to take the mount away once the
// copy is made: so it is placed in a mount namespace of the copier's, which is gone before the payload begins.
#pragma once

#include "sandbox/child/request.h"
#include "sandbox/child/trees.h"

namespace paddock::sandbox::child {

// In pid 1, while it may still mount: starts the copier, which takes the plan's mounts that are for it, loses its
// privileges, confines itself as the payload does, and waits for go. Its pid; -1 where the plan has none.
int StartCopier(const Plan& plan, Trees* trees, const Request& request);

}  // namespace paddock::sandbox::child

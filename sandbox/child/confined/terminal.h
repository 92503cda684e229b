// A terminal of the jail's own: one end for the payload, the other for the parent.
#pragma once

#include "base/unique_fd.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// In pid 1, which becomes the session's leader on it, so that the payload's process group has a parent in its session
// and can be stopped from the keyboard (an orphaned group can't: setpgid(2), POSIX 11.1.4). The other end is
// sent to the parent. Empty where the plan wants none.
UniqueFd OpenTerminal(const Plan& plan);

// In the payload: its descriptors, and its process group in the foreground (tcsetpgrp(3)).
void TakeTerminal(const Plan& plan, int terminal);

}  // namespace paddock::sandbox::child

// The cell's first act: to install the second, stricter seccomp program that the parent compiled for it.
//
// The filter that the launcher installed had to allow an exec; this one doesn't. Nothing but a fixed
// descriptor is read before it is in force. A library of its own, for the test inmates.
#pragma once

#include "base/result.h"

namespace paddock::subagents {

// Reads BPF instructions (struct sock_filter) from the start of the file `fd`, at most 4096, closes it and
// installs them. no_new_privs must be set. Takes `fd`. kInvalid when the size is none of a program,
// kSystem when the descriptor is not there or the kernel refuses.
Status InstallSecondFilter(int fd);

}  // namespace paddock::subagents

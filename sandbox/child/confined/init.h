// Pid 1: starts the payload, reaps, reports how it ended, and ends the jail.
//
// The jail lives exactly as long as this process: it goes when the payload is done, when the parent or the
// launcher is gone (both life lines), or when its own clock passes the plan's wall time. The payload can't
// signal it (pid_namespaces(7)), trace it, or read its memory (it is not dumpable).
#pragma once

#include "sandbox/child/request.h"

namespace paddock::sandbox::child {

// `launcher_life` is a pipe's read end whose other end only the launcher holds; `names` a /proc of the jail, or empty.
// `copier` is a process that must end well before the payload is let go; -1: none.
// A byte on the parent's life line is a signal for the payload's process group.
[[noreturn]] void RunInit(const Plan& plan, Request request, UniqueFd launcher_life, UniqueFd names, int copier);

}  // namespace paddock::sandbox::child

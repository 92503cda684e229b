// The payload before it is itself: the last layers, each a stage, then exec.
#pragma once

#include "sandbox/child/request.h"

namespace paddock::sandbox::child {

// `terminal` is the jail's own, or -1; `to_init` the socket on which pid 1 expects the filter's listener, or -1 (both
// borrowed, and closed at exec).
[[noreturn]] void RunPayload(const Plan& plan, const Request& request, int terminal, int to_init);

}  // namespace paddock::sandbox::child

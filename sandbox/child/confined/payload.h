// The payload before it is itself: the last layers, each a stage, then exec.
#pragma once

#include "sandbox/child/request.h"

namespace paddock::sandbox::child {

// `terminal` is the jail's own, or -1; `to_init` the socket on which pid 1 expects the filter's listener, or -1 (both
// borrowed, and closed at exec).
// `go` (borrowed): a byte on it lets it go, where it is held.
[[noreturn]] void RunPayload(const Plan& plan, const Request& request, int go, int terminal, int to_init);

// The copier, confined as the payload is; becomes plan.copier after go.
[[noreturn]] void RunCopier(const Plan& plan, const Request& request);

}  // namespace paddock::sandbox::child

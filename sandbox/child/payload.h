// The payload before it is itself: the last layers, each a stage, then exec.
#pragma once

#include "sandbox/child/request.h"

namespace paddock::sandbox::child {

[[noreturn]] void RunPayload(const Plan& plan, const Request& request);

}  // namespace paddock::sandbox::child

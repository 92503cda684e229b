// SIGINT, SIGTERM and SIGHUP as a descriptor that becomes readable and stays so.
#pragma once

#include "base/result.h"

namespace paddock::orchestrator {

// Installs the handlers, once a process; the descriptor stays open. A second signal, from a second later on, ends the process at once
// (its jails end with it). SIGPIPE is ignored.
Result<int> StopDescriptor();
// The signal that came first, 0 when none did.
int StopSignal();

}  // namespace paddock::orchestrator

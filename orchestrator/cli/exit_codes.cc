#include "orchestrator/cli/exit_codes.h"

#include "orchestrator/cli/stop_signals.h"

namespace paddock::orchestrator {

int ExitStatusOf(subagents::TicketStatus status) {
  using subagents::TicketStatus;
  if (status == TicketStatus::kCompleted) return kExitCompleted;
  if (status == TicketStatus::kFailedToStart) return kExitFailedToStart;
  if (status == TicketStatus::kCancelled && StopSignal()) return kExitSignalBase + StopSignal();
  return kExitNotCompleted;
}

int UnlessStopped(int status) { return StopSignal() ? kExitSignalBase + StopSignal() : status; }

}  // namespace paddock::orchestrator

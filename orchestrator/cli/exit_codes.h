// Exit statuses of paddock, for scripts. Documented in the README.
#pragma once

#include "subagents/ticket.h"

namespace paddock::orchestrator {

inline constexpr int kExitCompleted = 0;
inline constexpr int kExitNotCompleted = 1;   // a result ticket with another status than completed
inline constexpr int kExitUsage = 2;          // bad input: nothing was started
inline constexpr int kExitFailedToStart = 3;  // no jail, or not the jail that the profile requires
inline constexpr int kExitInternal = 4;       // paddock itself failed (its output could not be written)
inline constexpr int kExitSignalBase = 128;   // cancelled by SIGINT: 130, by SIGTERM: 143

// What a ticket or a run of that status ends with.
int ExitStatusOf(subagents::TicketStatus status);

// Of a command that shows what it has when it is told to stop: half of a list is no success.
int UnlessStopped(int status);

}  // namespace paddock::orchestrator

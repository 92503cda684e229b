// What the jail of a cell denied, as a ticket tells it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/delegation/started_cell.h"
#include "sandbox/violation.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

// In the order of the first of each, at most kMaxBlockedCalls. What a cell named is cleaned: path text.
std::vector<subagents::BlockedCall> BlockedCalls(const std::vector<sandbox::Violation>& violations);

// Adds those of a further cell of the same ticket.
void AddBlockedCalls(const std::vector<subagents::BlockedCall>& more, std::vector<subagents::BlockedCall>* list);

// What its jail has reported since, into the cell's own list.
void TakeDenied(StartedCell* cell);

// A sentence for people and models, with no text of the cell's in it; empty where nothing was denied. `count` is of all, also those
// that are not listed; without `whole` there may have been more.
std::string BlockedCallsNote(const std::vector<subagents::BlockedCall>& calls, uint64_t count, bool whole);

}  // namespace paddock::orchestrator

// The end of a cell that was served: its jail is ended and reaped, and what the jail says outranks what the
// broker thinks.
#pragma once

#include "orchestrator/broker/broker.h"
#include "orchestrator/delegation/cell_starter.h"

namespace paddock::orchestrator {

// Its pipes, its end, and what its jail says meanwhile, which is taken in. Borrowed from the cell.
CellLink LinkTo(StartedCell* cell);

// A cell that handed in its result gets a moment to exit by itself. Puts `served` right: status, ending, what was denied, and
// the processor time and memory of the jail.
void EndCell(StartedCell* cell, ServeOutcome* served);

// The ending of a cell that was never served.
subagents::Ending EndingOf(const StartFailure& failure);

}  // namespace paddock::orchestrator

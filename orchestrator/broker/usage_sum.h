// The usage of several agents as one.
#pragma once

#include "subagents/ticket.h"

namespace paddock::orchestrator {

// Adds `used` to `total`, which is that of at least one other or empty. wall_ms is left alone, since they may have worked side by
// side; peak_rss_kb is the largest. A cost that is not known of one is not known of all.
void AddUsage(const subagents::Usage& used, subagents::Usage* total);

}  // namespace paddock::orchestrator

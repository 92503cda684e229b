// From what was seen to the report: each finding with its citations, nothing without.
#pragma once

#include "subagents/playbook/paced.h"
#include "subagents/report.h"

namespace paddock::subagents {

Report WriteExplorerReport(const RepoView& view, const PlaybookRun& run);

}  // namespace paddock::subagents

// From what was seen to the report: each finding with its citations, nothing without.
#pragma once

#include <string_view>
#include <vector>

#include "subagents/playbook/facts.h"
#include "subagents/playbook/paced.h"
#include "subagents/report.h"

namespace paddock::subagents {

// `empty_submodules`: EmptySubmodules::In. Where the goal asks for more than an overview, the summary begins with that, and the report is not complete.
Report WriteExplorerReport(const RepoView& view, std::string_view goal, const PlaybookRun& run, std::vector<Fact> empty_submodules);

}  // namespace paddock::subagents

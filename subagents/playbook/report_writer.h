// From what was seen to the report: each finding with its citations, nothing without.
#pragma once

#include "subagents/playbook/repo_view.h"
#include "subagents/report.h"

namespace paddock::subagents {

struct ExplorerRun {
  int turns = 0;
  int tool_calls = 0;
  bool cut_short = false;  // there was more to look at
};

Report WriteExplorerReport(const RepoView& view, const ExplorerRun& run);

}  // namespace paddock::subagents

// The verdict of one screen, and what it stands on.
#pragma once

#include "subagents/playbook/paced.h"
#include "subagents/playbook/triage_findings.h"

namespace paddock::subagents {

struct TriageGaps {
  bool cut_searches = false;    // a search gave its limit
  bool failed_searches = false; // or did not end
  size_t unprobed = 0;          // files that may be programs by their names, and were not read
};

Report WriteTriageReport(const RepoView& view, const TriageSeen& seen, const TriageGaps& gaps, const PlaybookRun& run);

}  // namespace paddock::subagents

// The verdict of one screen, and what it stands on.
#pragma once

#include "subagents/playbook/paced.h"
#include "subagents/playbook/triage_findings.h"

namespace paddock::subagents {

struct TriageGaps {
  bool cut_searches = false;    // a search gave its limit
  bool cut_names = false;       // so did a list of names that are heeded
  bool cut_settings = false;    // or of what looks like settings
  bool failed_searches = false; // or did not end
  size_t unprobed = 0;          // files that may be programs by their names, and were not read
  bool cut_lines = false;       // of a line, or a large file, of what runs by itself only the beginning was looked at
  bool cut_source = false;      // or elsewhere
  bool unfollowed = false;      // what runs by itself names more scripts than are looked up
  std::vector<std::string> unread;  // scripts that are started, and were not read to their end
};

Report WriteTriageReport(const RepoView& view, const TriageSeen& seen, const TriageGaps& gaps, const PlaybookRun& run);

}  // namespace paddock::subagents

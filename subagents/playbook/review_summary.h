// What a review says of a change as a whole: how much it is, what was found, and what was not judged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "subagents/playbook/review_change_set.h"
#include "subagents/playbook/review_range.h"
#include "subagents/report.h"

namespace paddock::subagents {

struct ReviewOutcome {
  const ReviewRange& range;
  const ChangeSet& changes;
  const std::vector<std::string>& without_tests;  // sources that changed and whose tests did not
  int64_t uncited = 0;        // findings whose lines do not stand in the tree
  int64_t not_looked_up = 0;  // findings whose lines were not read
  int64_t not_told = 0;       // findings beyond the report's bound
  int64_t foreign = 0;        // files of other projects
  bool has_tests = true;      // among the files that were listed
};

// `findings`: those of the report, the most severe first.
std::string ReviewSummary(const ReviewOutcome& outcome, const std::vector<ClaimedFinding>& findings);

}  // namespace paddock::subagents

// Findings that are alike as one: lines of one file, or of one kind where it matters little.
#pragma once

#include <vector>

#include "subagents/playbook/triage_findings.h"

namespace paddock::subagents {

std::vector<TriageFinding> MergeAlike(std::vector<TriageFinding> all);

}  // namespace paddock::subagents

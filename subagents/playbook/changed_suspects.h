// Suspects for what was changed lately: the more so the nearer the change is to the failing tests and the more it can do.
//
// What a failing test reaches, by its calls or by imports, comes before the test's own line, and that before what it does not reach.
#pragma once

#include "subagents/playbook/failure_leads.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/suspects.h"

namespace paddock::subagents {

// By its words: "since the last commit", "it passed before".
bool SaysItPassedBefore(std::string_view goal);
// `suspects` holds those that there are for other reasons.
void AddChanged(const FailureLeads& leads, const RepoView& view, Suspects* suspects);

}  // namespace paddock::subagents

// The debugger's report: the suspects in their order, what failed, and, where there is no log, the run that would give one.
#pragma once

#include <map>
#include <string>

#include "subagents/playbook/failure_leads.h"
#include "subagents/playbook/paced.h"

namespace paddock::subagents {

// From git_log with changes: how many commits ago each file was changed last.
void TakeHistory(const agentcore::CallOutcome& outcome, std::map<std::string, int>* changed);

// `ask`: there is no log, and a run may be asked for.
Report WriteDebuggerReport(const FailureLeads& leads, const RepoView& view, const PlaybookRun& run, bool ask);

}  // namespace paddock::subagents

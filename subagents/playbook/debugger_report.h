// The debugger's report: the suspects in their order, what failed, and, where there is no log, the run that would give one.
#pragma once

#include <map>
#include <string>

#include "subagents/playbook/failure_leads.h"
#include "subagents/playbook/paced.h"

namespace paddock::subagents {

// `ask`: a command whose output is wanted, or "".
Report WriteDebuggerReport(const FailureLeads& leads, const RepoView& view, const PlaybookRun& run, const std::string& ask);

}  // namespace paddock::subagents

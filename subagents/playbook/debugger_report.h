// The debugger's report: the suspects in their order, what failed, and, where there is no log, the run that would give one.
#pragma once

#include <map>
#include <string>

#include "subagents/playbook/failure_leads.h"
#include "subagents/playbook/paced.h"

namespace paddock::subagents {

// What would run the tests from a fresh copy; "" where nothing says so.
std::string TestCommand(const RepoView& view);

// `ask`: there is no log, and a run may be asked for.
Report WriteDebuggerReport(const FailureLeads& leads, const RepoView& view, const PlaybookRun& run, bool ask);

}  // namespace paddock::subagents

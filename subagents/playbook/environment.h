// Failures of the place where a command ran, not of what it ran: told apart once the repository's files are known.
#pragma once

#include <string>

#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {

// Of the lacks those stay that the repository itself can't be at fault for; the traces that only tell of these go.
void SetLacksAside(const RepoView& view, LogFacts* log);

// Nothing else is known to have failed.
bool OnlyLacks(const LogFacts& log);

// Why the command ran no test, by what it says or by an option of its own (`named`: as the goal names it), as the end of a sentence; ""
// where that isn't known, or something failed.
std::string UntestedBecause(const LogFacts& log, const std::string& named);

// "it needs a network (`dial tcp ...`, line 12 of the log)".
std::string NeedOf(const LogFacts& log);
// What to do about it.
std::string RemedyOf(const LogFacts& log);

}  // namespace paddock::subagents

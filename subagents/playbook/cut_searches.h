// Of which names not all places were seen: searches with more matches than were given, and lines that were shown in part.
#pragma once

#include <set>
#include <string>

#include "subagents/playbook/investigator_report.h"

namespace paddock::subagents {

// "src/a.c:3": lines that hold the name, it may be, and of which the beginning alone was seen.
std::set<std::string> ShownCut(const InvestigatorSeen& seen, const NamePlaces& name);
// "at least " where a number is only what was seen of the name, else "".
std::string AtLeast(const InvestigatorSeen& seen, const NamePlaces& name);

}  // namespace paddock::subagents

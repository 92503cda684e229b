// What of a change a review has not judged, in words.
#pragma once

#include <cstdint>
#include <string>

#include "subagents/playbook/review_change_set.h"

namespace paddock::subagents {

// The project's own files of which not all was read: "a.c, b.c and 3 more".
std::string NamesOfUnread(const ChangeSet& changes);
// Sentences on what was hidden, unreadable, of other projects (`foreign`: how many files), or judged by few rules. Each begins with a blank.
std::string LeftOut(const ChangeSet& changes, int64_t foreign);

}  // namespace paddock::subagents

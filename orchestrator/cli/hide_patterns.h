// More files to hide than a profile does: for a person's --hide, and for whoever works for an agent that may not see them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace paddock::orchestrator {

// What `hide` hides, `also` hides too. None twice.
void HideAsWell(const std::vector<std::string>& hide, std::vector<std::string>* also);

// The patterns of --hide. kInvalid: which one, and what a pattern is (docs/profiles.md, filesystem.hide).
Status HideAsAsked(const std::vector<std::string>& patterns, std::vector<std::string>* hide);
// What a person should know who hides files by them and leaves the history readable; "" where there is nothing to say.
std::string HistoryNote(const std::vector<std::string>& patterns);

}  // namespace paddock::orchestrator

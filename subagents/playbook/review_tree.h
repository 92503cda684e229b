// What a change says together with the lines of the tree that were seen.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/review_claims.h"

namespace paddock::subagents {

// What is gone and still called, and what is otherwise than documents outside of the change say. `searched`: the names whose definitions
// were searched for in the whole tree; of others it isn't known that they are gone.
std::vector<ReviewClaim> ClaimsOfInterfaces(const RepoView& view, const std::vector<FileDiff>& files, const std::vector<ChangedName>& changed, const std::set<std::string>& searched);
// Files whose first lines say that a program makes them.
// `paths`: all that the change touches, read or not.
std::vector<ReviewClaim> ClaimsOfMadeFiles(const RepoView& view, const std::vector<FileDiff>& files, const std::set<std::string>& paths);

// How a language prints, and what is to be searched for to know whether a project does so anywhere.
struct PrintCall {
  const char *language, *glob, *pattern, *shown;
};
// Those with which the change adds output to what is no program for a terminal.
std::vector<PrintCall> PrintsToLookFor(const std::vector<FileDiff>& files);
// After those searches. `said`: files of whose debug output something is said already.
std::vector<ReviewClaim> ClaimsOfPrints(const RepoView& view, const std::vector<FileDiff>& files, const std::set<std::string>& said);

}  // namespace paddock::subagents

// What the investigator has found out, and its report.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/name_places.h"
#include "subagents/playbook/paced.h"

namespace paddock::subagents {

struct InvestigatorSeen {
  GoalWords goal;
  std::vector<std::string> chosen;     // names that were found by the goal's words
  std::vector<std::string> files;      // files whose names hold the goal's words, where it names none
  std::vector<NamePlaces> names;
  Symbols symbols;
  std::vector<std::string> searches;   // words that were searched for
  std::vector<std::string> stems;      // words that names of definitions were searched for to hold
  std::set<std::string> cut_searches;  // those that gave no more than their limit
  std::map<std::string, std::set<std::string>> shown_cut;  // of a search the lines with a match of which the beginning alone was shown: "src/a.c:3"
};

// Names of the goal beyond those that were looked at, and where it has names, its plain words of which the code has a definition, too.
std::vector<std::string> NotLookedAt(const RepoView& view, const InvestigatorSeen& seen);

Report WriteInvestigatorReport(const RepoView& view, InvestigatorSeen* seen, const PlaybookRun& run);

}  // namespace paddock::subagents

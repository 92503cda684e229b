// What was changed last in the places that are suspected: from git_log, git_blame and the working tree's own git_diff.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agentcore/model/model.h"

namespace paddock::subagents {

// The newest change among lines that were blamed.
struct LastChange {
  int64_t line = 0;
  std::string text;  // "id, date, author: subject", or "nobody yet: not committed"
};

struct RecentChanges {
  std::map<std::string, int> ago;                             // path → how many commits ago it was last changed, from 0
  std::map<std::string, LastChange> last;                     // by path, of the lines that were asked for
  std::map<std::string, std::vector<int64_t>> uncommitted;    // path → first lines of what differs from the last commit

  void Take(const agentcore::CallOutcome& outcome);
};

}  // namespace paddock::subagents

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
  int64_t first = 0, last = 0;  // which these were
  std::string text;  // "id, date, author: subject", or "nobody yet: not committed"
};

// What one of the last commits did to the code of a file; comments and blank lines are no code.
struct CodeChange {
  std::string commit;          // twelve digits of its id
  std::string subject;
  int order = 0;               // among the commits that were shown, newest first
  std::vector<int64_t> lines;  // as they were numbered behind it
  bool only_adds = true;       // what was there before is still there
};

struct RecentChanges {
  std::vector<std::string> commits;                           // ids, newest first
  std::map<std::string, std::vector<CodeChange>> code;        // by path, of the commits that were shown
  std::map<std::string, int> ago;                             // path → how many commits ago it was last changed, from 0
  std::map<std::string, LastChange> last;                     // by path, of the lines that were asked for
  std::map<std::string, std::vector<int64_t>> uncommitted;    // path → first lines of the code that differs from the last commit

  void Take(const agentcore::CallOutcome& outcome);

 private:
  void TakeCommit(const agentcore::CallOutcome& outcome);
};

}  // namespace paddock::subagents

// `paddock recheck TICKET`: do the citations of a ticket still hold?
#pragma once

#include <string>

namespace paddock::orchestrator {

struct RecheckOptions {
  std::string ticket;   // id of a run, folder of a record, or a file with a ticket as JSON
  std::string repo;     // empty: that of the record
  std::string profile;  // empty: the subagent's, else read-only
  std::string insist;
  bool json = false;
};

// 0: all are verified; 1: one is not, or could not be looked at; 2: bad input, nothing was started; the others as everywhere.
int RunRecheck(const RecheckOptions& options);

}  // namespace paddock::orchestrator

// "from package import (" and the names on the lines below it: each may be a module of the package, and then it counts by itself.
//
// A search for lines that import finds the first line only. Here is one more search, and reading on where a bracket is long.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/import_index.h"

namespace paddock::subagents {

class PythonBrackets {
 public:
  // Once, where there is a package.
  void Ask(const ImportIndex& index, CallQueue* queue);
  // The lines of an answer to it; none where it is the answer to something else.
  std::vector<agentcore::Artifact> Take(const agentcore::CallOutcome& outcome, CallQueue* queue);
  // Places where names may be missing.
  const std::set<std::string>& not_searched() const { return not_searched_; }

 private:
  bool asked_ = false;
  std::set<std::string> read_on_, not_searched_;  // paths
};

}  // namespace paddock::subagents

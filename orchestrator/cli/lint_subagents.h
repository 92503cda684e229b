// `paddock subagents lint`: every definition that is found, whether it can be used, and what of it is not carried over.
#pragma once

#include <string>
#include <vector>

namespace paddock::orchestrator {

struct LintOptions {
  std::vector<std::string> paths;  // a repository or a folder of agents, or files; none: all that is the user's, and the current folder
  bool json = false;
};

// The exit status: 0 all can be used, 1 there are warnings only, 2 one can't be used, or bad usage.
int RunSubagentsLint(const LintOptions& options);

}  // namespace paddock::orchestrator

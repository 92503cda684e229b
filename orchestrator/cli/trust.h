// `paddock trust`: the agents that a repository brings along, trusted by the hash of all of them.
#pragma once

#include <string>

namespace paddock::orchestrator {

struct TrustOptions {
  std::string repo = ".";
  bool yes = false;
  bool json = false;
};

// Shows what would be trusted, asks at the terminal unless --yes was said, and keeps the copy that was shown.
int RunTrustAdd(const TrustOptions& options);
int RunTrustList(const TrustOptions& options);
// What is trusted, and what is otherwise now. 1: nothing is trusted, or it changed.
int RunTrustShow(const TrustOptions& options);
int RunTrustRemove(const TrustOptions& options);

}  // namespace paddock::orchestrator

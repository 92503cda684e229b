// Submodules that nobody has fetched yet: a build of what lies in them fails.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/facts.h"

namespace paddock::subagents {

inline constexpr char kFetchSubmodules[] = "git submodule update --init";

class EmptySubmodules {
 public:
  // Lists the folders of submodules in which no file was seen, with what is ignored in them.
  void Ask(const RepoView& view, CallQueue* queue) const;
  void Take(const agentcore::CallOutcome& outcome);
  // Those in which nothing is, each with its line of .gitmodules; of what is hidden, or couldn't be listed, that isn't known.
  std::vector<Fact> In(const RepoView& view) const;

 private:
  std::set<std::string> empty_;  // folders that were listed, or aren't there
};

}  // namespace paddock::subagents

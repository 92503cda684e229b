// Submodules that nobody has fetched yet: a build of what lies in them fails.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/facts.h"

namespace paddock::subagents {

inline constexpr char kFetchSubmodules[] = "git submodule update --init";

// Which folders are submodules, where that is all that is wanted.
void AskForSubmodules(CallQueue* queue);
// The submodule that a log calls `folder`, of another machine or below another folder, where no file of it was seen; "" where it is none.
std::string UnseenSubmodule(const RepoView& view, std::string_view folder);

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

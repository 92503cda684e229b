// The lines of the tree that a review may cite: they are read the worst first, as far as there is room, and what is left is known.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/review_claims.h"

namespace paddock::subagents {

class WantedLines {
 public:
  // With those that would stand for it. What is added first is read first.
  void Add(const ReviewSpot& spot);
  void Ask(CallQueue* queue) const;
  // An outcome of read_file, which the view has taken. What it doesn't hold isn't there.
  void Take(const agentcore::CallOutcome& outcome, const RepoView& view);

  // Was the line, or one that would stand for it, never looked up?
  bool IsUnread(const ReviewSpot& spot) const;

 private:
  std::map<std::string, std::map<int64_t, size_t>> places_;  // path → line → how many were added before it
  std::map<std::string, std::set<int64_t>> unread_;
  size_t added_ = 0;
};

}  // namespace paddock::subagents

// What to look at, turn by turn: first what exists, then what is at the root, then what that leads to.
//
// How many of the calls go out at a time is not its business.
#pragma once

#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

class Survey {
 public:
  // 4 stages are all; 2 are enough for what builds and tests it.
  explicit Survey(int stages = 4) : stages_(stages) {}
  // Adds the next calls where none are waiting; none when there is nothing left that would help.
  void Next(const RepoView& view, CallQueue* queue);
  // The searches that show which tests there are, and so how they run: where only 2 stages are made.
  void AskForTests(const RepoView& view, CallQueue* queue);

 private:
  void PlanRoot(const RepoView& view);    // documentation, build files, CI
  void PlanLeads(const RepoView& view);   // entry points, tests, linked documents, sources
  void PlanRest(const RepoView& view);    // what the leads showed
  void SearchWide(const RepoView& view, const char* pattern, const char* glob, int64_t limit);
  void Search(const char* pattern, const char* glob, int64_t limit, const char* path = nullptr);
  void ReadFirst(const RepoView& view, const char* pattern, size_t count, int64_t limit);

  int stages_;
  int stage_ = 0;
  CallQueue* queue_ = nullptr;  // borrowed, for the call of Next
};

}  // namespace paddock::subagents

// What to look at, turn by turn: first what exists, then what is at the root, then what that leads to.
//
// A queue of tool calls, most telling first, none asked twice; how many go out is the explorer's business.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "agentcore/model/model.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

class Survey {
 public:
  // The next calls, at most `room` of them; none when there is nothing left that would help.
  std::vector<agentcore::ToolCall> Next(const RepoView& view, size_t room);

 private:
  void PlanRoot(const RepoView& view);    // documentation, build files, CI
  void PlanLeads(const RepoView& view);   // entry points, tests, linked documents, sources
  void PlanRest(const RepoView& view);    // what the leads showed
  void List(Json arguments);
  void Read(const std::string& path, int64_t limit);
  void ReadOn(const std::string& path, int64_t offset);
  void SearchWide(const RepoView& view, const char* pattern, const char* glob, int64_t limit);
  void Search(const char* pattern, const char* glob, int64_t limit, const char* path = nullptr);
  void ReadFirst(const RepoView& view, const char* pattern, size_t count, int64_t limit);

  int stage_ = 0;
  std::vector<agentcore::ToolCall> queue_;
  std::set<std::string> asked_;
};

}  // namespace paddock::subagents

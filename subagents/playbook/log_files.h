// Logs that are files of the repository: read at their beginning and at their end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agentcore/model/model.h"
#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

class LogFiles {
 public:
  void Ask(std::vector<std::string> paths, CallQueue* queue);
  void Take(const agentcore::CallOutcome& outcome);
  // Of a long one as many lines at its end, where the last failure is; asked again, what is still not read behind them.
  void AskForEnds(const RepoView& view, CallQueue* queue) const;
  // With a kLogGap for lines between that were not read.
  std::string Text(const RepoView& view) const;
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
  std::map<std::string, int64_t> total_;  // path → its lines
};

}  // namespace paddock::subagents

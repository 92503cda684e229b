// The files in which most of a repository is, and most of its work: the largest, by list_files, and the most changed, by
// git_log where there is a history.
#pragma once

#include <string>
#include <vector>

#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/report.h"

namespace paddock::subagents {

class NotableFiles {
 public:
  void Take(const agentcore::CallOutcome& outcome);
  // Asks for the history; then chooses, once all names are known.
  void Plan(const RepoView& view, CallQueue* queue);
  void AddTo(Report* report) const;

 private:
  struct Sized {
    std::string path;
    int64_t bytes = 0;
  };
  struct Changed {
    std::string path;
    int64_t commits = 0, added = 0, removed = 0;
  };
  std::vector<Sized> largest_;
  std::vector<Changed> changed_;
  int64_t commits_ = 0;    // that were looked at
  int64_t uncounted_ = 0;  // of them, those whose changes git couldn't tell
  bool of_listed_ = false;  // files beyond the listing aren't told from those that are gone
  int stage_ = 0;
};

}  // namespace paddock::subagents

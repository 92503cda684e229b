// What files reach by their imports: which changes can matter to a test.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "agentcore/model/model.h"
#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

class ImportReach {
 public:
  // One search a language that the repository has.
  void Ask(const RepoView& view, CallQueue* queue);
  void Take(const agentcore::CallOutcome& outcome);

  enum class Answer { kYes, kNo, kUnknown };
  // Does one of `starts` (paths) reach `path` in at most `kHops` imports? Unknown where its language is none of ours, or the search was cut.
  Answer Reaches(const std::set<std::string>& starts, const std::string& path, const RepoView& view) const;

  static constexpr int kHops = 5;

 private:
  struct Lines {
    std::string path;
    int64_t first = 1;
    std::vector<std::string> text;
  };
  std::vector<Lines> lines_;
  size_t bytes_ = 0;
  std::set<std::string> cut_, asked_;  // names of languages
  mutable std::map<std::string, std::set<std::string>> units_;  // made of lines_ when first asked
  mutable bool read_ = false;
};

}  // namespace paddock::subagents

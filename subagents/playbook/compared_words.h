// The words in which the values of failed comparisons differ, looked for in the sources: what writes a wrong word holds it, or what it begins with.
#pragma once

#include <string>
#include <vector>

#include "agentcore/model/model.h"
#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/suspects.h"

namespace paddock::subagents {

class ComparedWords {
 public:
  void Ask(const std::vector<std::string>& words, const RepoView& view, CallQueue* queue);
  void Take(const agentcore::CallOutcome& outcome);
  // Source files that alone hold one of them in their code.
  void AddTo(const RepoView& view, Suspects* suspects) const;

 private:
  struct Word {
    std::string text;
    bool searched = false;  // whole
  };
  std::vector<Word> words_;
};

}  // namespace paddock::subagents

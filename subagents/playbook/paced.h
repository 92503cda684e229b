// What all playbooks have in common: turns of tool calls as the playbook plans them, then the report. A playbook is its
// plan and its report; its whole state is what it has seen and what it has asked.
#pragma once

#include <string>
#include <vector>

#include "subagents/playbook.h"
#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/report.h"

namespace paddock::subagents {

struct PlaybookRun {
  int turns = 0;
  int tool_calls = 0;
  bool cut_short = false;  // there was more to look at
};

// Lines of an excerpt that hold what was searched for, and of which the beginning alone was shown: where it stands there isn't known.
std::vector<int64_t> MatchesShownCut(const agentcore::Artifact& excerpt);

class PacedPlaybook : public Playbook {
 public:
  agentcore::ModelTurn Next(const ModelRequestFrame& request) final;

 protected:
  // An outcome of the last turn, which view_ has taken already.
  virtual void Take(const agentcore::CallOutcome& outcome) { (void)outcome; }
  // Called each turn, after the outcomes: adds to queue_ what is worth knowing now. With nothing waiting after it, the report
  // is next.
  virtual void Plan(const ModelRequestFrame& request) = 0;
  virtual Report Write(const PlaybookRun& run) = 0;

  RepoView view_;
  CallQueue queue_;

 private:
  static constexpr size_t kCallsPerTurn = 16, kCallsInAll = 96;
  PlaybookRun run_;
  std::string first_shown_;  // the id of the first outcome of the last request
  bool dropped_ = false;     // calls that nobody ran
};

}  // namespace paddock::subagents

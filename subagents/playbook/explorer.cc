// The explorer: turns of tool calls as the survey proposes them, then the report. Its whole state is what it has
// seen and what it has asked.
#include <algorithm>

#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/report_writer.h"
#include "subagents/playbook/survey.h"

namespace paddock::subagents {
namespace {

constexpr size_t kCallsPerTurn = 16;
constexpr size_t kCallsInAll = 64;

class Explorer : public Playbook {
 public:
  agentcore::ModelTurn Next(const ModelRequestFrame& request) override {
    for (const auto& outcome : request.latest) view_.Take(outcome);
    agentcore::ModelTurn turn;
    run_.turns = static_cast<int>(request.turn);
    bool last = request.wrap_up || request.turn >= request.max_turns;
    turn.calls = survey_.Next(view_, std::min(kCallsPerTurn, kCallsInAll - calls_));
    if (!turn.calls.empty() && !last) {
      calls_ += turn.calls.size();
      run_.tool_calls = static_cast<int>(calls_);
      turn.text = "Looking at " + std::to_string(turn.calls.size()) + " more places.";
      return turn;
    }
    run_.cut_short = last && !turn.calls.empty();
    turn.text = "Reporting.";
    turn.calls = {{"", "report", ToJson(WriteExplorerReport(view_, run_))}};
    return turn;
  }

 private:
  RepoView view_;
  Survey survey_;
  ExplorerRun run_;
  size_t calls_ = 0;
};

}  // namespace

std::unique_ptr<Playbook> MakeExplorer() { return std::make_unique<Explorer>(); }

}  // namespace paddock::subagents

#include "subagents/playbook/paced.h"

#include <algorithm>

#include "subagents/playbook/fit_report.h"

namespace paddock::subagents {

std::vector<int64_t> MatchesShownCut(const agentcore::Artifact& excerpt) {
  std::vector<int64_t> out;
  if (excerpt.kind != "excerpt") return out;
  for (int64_t line : excerpt.cut)
    if (std::find(excerpt.matches.begin(), excerpt.matches.end(), line) != excerpt.matches.end()) out.push_back(line);
  return out;
}

agentcore::ModelTurn PacedPlaybook::Next(const ModelRequestFrame& request) {
  // The same outcomes again: the answer to the request before came too late, and what it asked for was not run.
  const std::string first = request.latest.empty() ? std::string() : request.latest[0].call.id;
  const bool again = !first.empty() && first == first_shown_;
  first_shown_ = first;
  dropped_ = dropped_ || again;
  if (!again)
    for (const auto& outcome : request.latest) {
      view_.Take(outcome);
      Take(outcome);
    }
  agentcore::ModelTurn turn;
  run_.turns = static_cast<int>(request.turn);
  const bool last = request.wrap_up || request.turn >= request.max_turns;
  Plan(request);
  if (!last) turn.calls = queue_.Take(std::min(kCallsPerTurn, kCallsInAll - static_cast<size_t>(run_.tool_calls)));
  if (!turn.calls.empty()) {
    run_.tool_calls += static_cast<int>(turn.calls.size());
    turn.text = turn.calls.size() == 1 ? "Looking at one more place." : "Looking at " + std::to_string(turn.calls.size()) + " more places.";
    return turn;
  }
  run_.cut_short = !queue_.empty() || dropped_;
  turn.text = "Reporting.";
  Report report = Write(run_);
  FitReport(&report);
  turn.calls = {{"", "report", ToJson(report)}};
  return turn;
}

}  // namespace paddock::subagents

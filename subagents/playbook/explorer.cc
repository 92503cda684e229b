// The explorer: what the survey proposes, the largest and the most changed files, then the report.
#include "subagents/playbook/empty_submodules.h"
#include "subagents/playbook/notable_files.h"
#include "subagents/playbook/paced.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/report_writer.h"
#include "subagents/playbook/survey.h"

namespace paddock::subagents {
namespace {

class Explorer : public PacedPlaybook {
  void Take(const agentcore::CallOutcome& outcome) override {
    notable_.Take(outcome);
    submodules_.Take(outcome);
  }
  void Plan(const ModelRequestFrame& request) override {
    if (goal_.empty()) goal_ = request.goal;
    survey_.Next(view_, &queue_);
    notable_.Plan(view_, &queue_);
    submodules_.Ask(view_, &queue_);
  }
  Report Write(const PlaybookRun& run) override {
    Report report = WriteExplorerReport(view_, goal_, run, submodules_.In(view_));
    notable_.AddTo(&report);
    return report;
  }

  std::string goal_;
  Survey survey_;
  NotableFiles notable_;
  EmptySubmodules submodules_;
};

}  // namespace

std::unique_ptr<Playbook> MakeExplorer() { return std::make_unique<Explorer>(); }

}  // namespace paddock::subagents

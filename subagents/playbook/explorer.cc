// The explorer: what the survey proposes, then the report.
#include "subagents/playbook/paced.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/report_writer.h"
#include "subagents/playbook/survey.h"

namespace paddock::subagents {
namespace {

class Explorer : public PacedPlaybook {
  void Plan(const ModelRequestFrame& /*request*/) override { survey_.Next(view_, &queue_); }
  Report Write(const PlaybookRun& run) override { return WriteExplorerReport(view_, run); }

  Survey survey_;
};

}  // namespace

std::unique_ptr<Playbook> MakeExplorer() { return std::make_unique<Explorer>(); }

}  // namespace paddock::subagents

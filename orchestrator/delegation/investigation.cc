#include "orchestrator/delegation/investigation.h"

#include <time.h>

#include "agentcore/pipeline/clean.h"
#include "agentcore/tools/tool.h"
#include "base/text.h"
#include "orchestrator/delegation/checker.h"
#include "orchestrator/delegation/end_cell.h"
#include "orchestrator/delegation/evidence.h"
#include "orchestrator/delegation/hidden_paths.h"
#include "orchestrator/delegation/playbook_model.h"
#include "orchestrator/delegation/subagent_conversation.h"

namespace paddock::orchestrator {
namespace {

using subagents::ResultTicket;
using subagents::TicketStatus;
using std::chrono::milliseconds;

constexpr size_t kMaxDataBytes = 256u << 10;
constexpr size_t kMaxActionBytes = 1024;
constexpr auto kCheckSpan = std::chrono::seconds(30);  // the evidence check, after the cell's own time

int64_t RealtimeNs() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

class Act {
 public:
  explicit Act(const Investigation& in)
      : in_(in), redactor_(agentcore::OrCommonKinds(in.redactor)), wall_(in.ticket.budget.wall_ms), deadline_(Deadline::After(wall_)) {
    out_.id = in.ticket.id;
    out_.subagent = in.definition.name;
    out_.model = in.model ? in.model->name() : "playbook";
    out_.language_model = in.model && in.model->is_language_model();
  }

  ResultTicket Run() {
    Perform();
    if (!out_.language_model)
      out_.notes.push_back(in_.model ? "no language model was used: a script drove this run"
                                     : "no language model was used: a playbook drove this run, which always does the same work and takes no more than names, paths and "
                                       "revisions from the goal");
    in_.events->Record("result", ToJson(out_));
    in_.events->Flush();
    return std::move(out_);
  }

 private:
  void Perform() {
    agentcore::Model* model = in_.model;
    std::unique_ptr<PlaybookModel> playbook;
    if (!model) {
      auto started = PlaybookModel::Start(in_.starter, in_.sealed_profile, in_.definition.name, in_.pool, in_.cancel_fd, deadline_);
      if (!started) return NotStarted(started.error());
      playbook = *std::move(started);
      model = playbook.get();
    }
    auto hidden = FindHiddenPaths(in_.starter, in_.profile, in_.workspace, in_.pool, in_.cancel_fd, deadline_);
    if (!hidden) return NotStarted(hidden.error());
    CellStarter::Wanted wanted{&in_.profile, &in_.workspace, wall_.count() + 5000, in_.cancel_fd, &hidden->paths};
    const int64_t jail_start_ns = RealtimeNs();
    auto cell = in_.starter->Start(wanted, deadline_);
    if (!cell) return NotStarted(cell.error());
    out_.receipt = ToJson(cell->receipt);
    out_.notes = cell->receipt.notes;
    for (std::string& note : hidden->notes) out_.notes.push_back(std::move(note));
    in_.events->Record("receipt", out_.receipt);

    ServeOutcome served = Serve(&*cell, model);
    for (std::string& note : model->notes()) out_.notes.push_back(std::move(note));
    End(&*cell, &served);
    playbook.reset();
    TakeReport(served, jail_start_ns, wanted);
  }

  void NotStarted(const StartFailure& failure) {
    const bool cancelled = failure.kind == "cancelled";
    out_.status = cancelled ? TicketStatus::kCancelled : TicketStatus::kFailedToStart;
    out_.ending = EndingOf(failure);
    if (failure.receipt) out_.receipt = ToJson(*failure.receipt);
    in_.events->Record("not_started", ToJson(out_.ending));
  }

  ServeOutcome Serve(StartedCell* cell, agentcore::Model* model) {
    ServeSetup setup;
    setup.link = {cell->to.get(), cell->from.get(), cell->jail.end_fd()};
    setup.task.kind = subagents::CellKind::kSubagent;
    setup.task.tools = in_.tools;
    setup.task.hide = in_.profile.filesystem.hide;
    setup.task.processor_ms = cell->processor_ms;
    setup.conversation = SubagentConversation(in_.definition, in_.tools);
    setup.conversation.goal = in_.ticket.goal;
    setup.conversation.context = in_.ticket.context;
    setup.conversation.redactor = &redactor_;
    setup.conversation.max_turns = static_cast<int>(in_.ticket.budget.turns);
    Ledger ledger(in_.ticket.budget);
    setup.model = model;
    setup.ledger = &ledger;
    setup.read_lines = &read_lines_;
    setup.events = in_.events;
    setup.pool = in_.pool;
    setup.watcher = in_.watcher;
    setup.cancel_fd = in_.cancel_fd;
    setup.deadline = deadline_;
    setup.wall = wall_;
    return ServeCell(setup);
  }

  // The jail ends here.
  void End(StartedCell* cell, ServeOutcome* served) {
    EndCell(cell, served);
    out_.ending = served->ending;
    out_.status = served->status;
    out_.usage = served->usage;
    for (std::string& note : served->notes) out_.notes.push_back(std::move(note));
    in_.events->Record("jail_ended", ToJson(out_.ending));
  }

  void TakeReport(const ServeOutcome& served, int64_t jail_start_ns, CellStarter::Wanted wanted) {
    if (!served.report) return;
    const subagents::Report& report = *served.report;
    // The check is bounded by itself: it is owed to what was found, also after a timeout or a stop.
    wanted.wall_ms = milliseconds(kCheckSpan).count() + 5000;
    wanted.cancel_fd = -1;
    CheckedEvidence checked = CheckEvidence(report, read_lines_, {jail_start_ns, 0},
                                            [&] { return Checker::Start(in_.starter, wanted, in_.pool); }, redactor_, Deadline::After(kCheckSpan));
    out_.summary = redactor_.Redact(VisibleText(report.summary, Newlines::kKeep));
    out_.findings = std::move(checked.findings);
    out_.data = agentcore::CleanJson(report.data, kMaxDataBytes, redactor_, nullptr);
    for (const std::string& action : report.next_actions)
      out_.next_actions.push_back(std::string(TruncateUtf8(redactor_.Redact(VisibleText(action, Newlines::kEscape)), kMaxActionBytes)));
    out_.citations = checked.citations;
    out_.citations_verified = checked.verified;
    for (std::string& note : checked.notes) out_.notes.push_back(std::move(note));
  }

  const Investigation& in_;
  const agentcore::Redactor& redactor_;
  milliseconds wall_;
  Deadline deadline_;
  ReadLines read_lines_;
  ResultTicket out_;
};

}  // namespace

ResultTicket Investigate(const Investigation& investigation) { return Act(investigation).Run(); }

}  // namespace paddock::orchestrator

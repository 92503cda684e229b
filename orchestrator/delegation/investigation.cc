#include "orchestrator/delegation/investigation.h"

#include <algorithm>

#include "agentcore/pipeline/clean.h"
#include "base/text.h"
#include "orchestrator/broker/usage_sum.h"
#include "orchestrator/delegation/blocked_calls.h"
#include "orchestrator/delegation/checker.h"
#include "orchestrator/delegation/end_cell.h"
#include "orchestrator/delegation/evidence.h"
#include "orchestrator/delegation/leg.h"
#include "orchestrator/delegation/tool_needs.h"

namespace paddock::orchestrator {
namespace {

using subagents::ResultTicket;
using subagents::TicketStatus;
using std::chrono::milliseconds;

constexpr size_t kMaxActionBytes = 1024;
constexpr auto kCheckSpan = std::chrono::seconds(30);  // the evidence check, after the cell's own time
constexpr milliseconds kLeastLeg{1000};                // with less time, a leg after a run could only fail
constexpr int64_t kLeastTurns = 2;                     // as with turns

// The ticket's time, and no more than the profile lets a jail last: pid 1 ends it then, without asking for a report.
milliseconds TimeOf(const Investigation& in) {
  const auto longest = sandbox::ParseDuration(in.profile.limits.wall);
  return milliseconds(longest ? std::min(in.ticket.budget.wall_ms, *longest) : in.ticket.budget.wall_ms);
}

class Act {
 public:
  explicit Act(const Investigation& in)
      : in_(in), profile_(NarrowedTo(in.tools, in.profile)), checker_profile_(NarrowedTo({}, in.profile)), redactor_(agentcore::OrCommonKinds(in.redactor)), ledger_(in.ticket.budget), left_(TimeOf(in)), context_(in.ticket.context) {
    if (in.earlier) read_lines_ = in.earlier->read_lines;
    out_.id = in.ticket.id;
    out_.subagent = in.definition.name;
    out_.model = in.model ? in.model->name() : "playbook";
    out_.language_model = in.model && in.model->is_language_model();
  }

  std::shared_ptr<const KeptConversation> TakeKept() { return std::move(kept_); }

  ResultTicket Run() {
    if (left_.count() < in_.ticket.budget.wall_ms)
      Note("it had " + in_.profile.limits.wall + " and not the " + std::to_string(in_.ticket.budget.wall_ms / 1000) + "s of its ticket: limits.wall of profile " + in_.profile.name);
    in_.events->Record("workspace", Json{{"path", PathToText(in_.workspace.path)}});
    while (PerformOneLeg() && PerformAskedRun()) {
    }
    if (in_.model)
      for (const std::string& note : in_.model->notes()) Note(note);
    if (start_ns_ != 0) out_.reads = ReadsOf(read_lines_, redactor_, &out_.notes);
    if (std::string note = BlockedCallsNote(out_.violations.value_or(std::vector<subagents::BlockedCall>{}), violation_count_, violation_count_is_whole_); !note.empty()) Note(note);
    TakeReport();
    if (history_) kept_ = std::make_shared<KeptConversation>(*std::move(history_), std::move(read_lines_));
    if (!out_.language_model)
      out_.notes.push_back(in_.model ? "no language model was used: a script drove this run"
                                     : "no language model was used: a playbook drove this run, which always does the same work and takes no more than names, paths, "
                                       "revisions and test commands from the goal");
    in_.events->Record("result", ToJson(out_));
    in_.events->Flush();
    return std::move(out_);
  }

 private:
  // Legs say much that is the same.
  void Note(const std::string& note) {
    if (std::find(out_.notes.begin(), out_.notes.end(), note) == out_.notes.end()) out_.notes.push_back(note);
  }
  bool MayAsk() const { return in_.definition.may_ask_to_run && out_.runs.size() < kMaxRuns; }

  // True when it ended well.
  bool PerformOneLeg() {
    const Deadline deadline = Deadline::After(left_).Earlier(in_.runs.by);
    const auto began = Deadline::Clock::now();
    LegSetup setup{&in_, &profile_, &redactor_, &ledger_, &read_lines_, context_, MayAsk(), left_, deadline};
    auto leg = PerformLeg(setup);
    left_ -= std::chrono::duration_cast<milliseconds>(Deadline::Clock::now() - began);
    if (!leg) return NotStarted(leg.error()), false;
    out_.receipt = ToJson(leg->receipt);
    for (const auto* notes : {&leg->receipt.notes, &leg->hidden.notes, &leg->served.notes})
      for (const std::string& note : *notes) Note(note);
    out_.ending = leg->served.ending;
    out_.status = leg->served.status;
    const int64_t wall_ms = out_.usage.wall_ms.value_or(0) + leg->served.usage.wall_ms.value_or(0);  // one after the other
    AddUsage(leg->served.usage, &out_.usage);
    out_.usage.wall_ms = wall_ms;
    TakeViolations(&leg->served);
    if (start_ns_ == 0) start_ns_ = leg->start_ns;
    hidden_ = std::move(leg->hidden);
    history_ = std::move(leg->served.history);
    if (leg->served.report) report_ = std::move(leg->served.report);
    else if (report_) Note("the leg after the run gave no report: this is what was found before it");
    return out_.status == TicketStatus::kCompleted || out_.status == TicketStatus::kPartial;
  }

  void TakeViolations(ServeOutcome* served) {
    if (!served->violations) return;
    for (subagents::BlockedCall& one : *served->violations) {
      if (one.path) one.path = redactor_.Redact(*one.path);
      one.process_name = redactor_.Redact(one.process_name);
    }
    if (!out_.violations) out_.violations.emplace();
    AddBlockedCalls(*served->violations, &*out_.violations);
    violation_count_ += served->violation_count;
    violation_count_is_whole_ = violation_count_is_whole_ && served->violation_count_is_whole;
  }

  void NotStarted(const StartFailure& failure) {
    const bool cancelled = failure.kind == "cancelled";
    // What an earlier leg found is there all the same.
    out_.status = cancelled ? TicketStatus::kCancelled : report_ ? TicketStatus::kCrashed : TicketStatus::kFailedToStart;
    out_.ending = EndingOf(failure);
    if (failure.receipt) out_.receipt = ToJson(*failure.receipt);
    in_.events->Record("not_started", ToJson(out_.ending));
  }

  // True when there is a log to go on with.
  bool PerformAskedRun() {
    if (!report_ || !report_->needs_run) return false;
    const subagents::NeedsRun asked = *std::exchange(report_->needs_run, std::nullopt);
    if (!MayAsk()) return Note("it asked for a run, which was not on offer"), false;
    out_.needs_run = ShownRun(asked, redactor_);
    in_.events->Record("run_asked", ToJson(*out_.needs_run));
    if (!in_.runs.allowed) {
      actions_.push_back("to have it run, and its output looked at: --allow-run, or \"allow_run\": true in config.json; it runs in a jail (profile " + std::string(kRunProfile) +
                         "), on a private copy of the repository and without a network");
      return NotRun("running what a subagent asks for is not allowed here");
    }
    if (std::string why = WhyNotToRun(asked); !why.empty()) return NotRun(why);
    if (left_ < kLeastLeg || ledger_.Available(Limit::kTurns, Purpose::kReport) < kLeastTurns) return NotRun("no time or turns are left to look at its output");
    AskedRun run = PerformRun(asked, {&in_.runs, &in_.workspace, &in_.profile.filesystem.hide, &redactor_, in_.model, in_.events, in_.watcher, in_.cancel_fd});
    if (run.not_started) {
      if (!run.not_started->hint.empty()) actions_.push_back(run.not_started->hint);
      return NotRun(run.not_started->message);
    }
    out_.needs_run.reset();
    out_.runs.push_back(run.done);
    if (run.cancelled) {
      out_.status = TicketStatus::kCancelled;
      out_.ending = {"cancelled", 0, "told to stop during the run of a command", ""};
      return false;
    }
    context_ = ContextAfter(in_.ticket.context, *report_, run, in_.model);
    return true;
  }

  bool NotRun(const std::string& why) {
    if (out_.status == TicketStatus::kCompleted) out_.status = TicketStatus::kPartial;
    Note("it asks for a run of `" + std::string(TruncateUtf8(VisibleText(out_.needs_run->command, Newlines::kEscape), 300)) + "`, which was not done: " + why);
    return false;
  }

  void TakeReport() {
    if (!report_) return;
    // The check is bounded by itself: it is owed to what was found, also after a timeout or a stop.
    const CellStarter::Wanted wanted = CellWanted(checker_profile_, in_, hidden_, kCheckSpan, -1);
    CheckedEvidence checked = CheckEvidence(*report_, read_lines_, {start_ns_, 0},
                                            [&] { return Checker::Start(in_.starter, wanted, in_.pool); }, redactor_, Deadline::After(kCheckSpan));
    out_.summary = redactor_.Redact(VisibleText(report_->summary, Newlines::kKeep));
    out_.findings = std::move(checked.findings);
    if (in_.ticket.response_schema.is_null()) out_.data = agentcore::CleanJson(report_->data, subagents::kMaxDataBytes, redactor_, nullptr);
    else if (in_.model) out_.data = report_->data;  // fits as it is, and is cleaned
    else Note("data is null: a playbook drove this run, and can't shape its data by the caller's schema");
    for (const std::string& action : report_->next_actions)
      out_.next_actions.push_back(std::string(TruncateUtf8(redactor_.Redact(VisibleText(action, Newlines::kEscape)), kMaxActionBytes)));
    for (std::string& action : actions_) out_.next_actions.push_back(std::move(action));
    out_.citations = checked.citations;
    out_.citations_verified = checked.verified;
    for (const std::string& note : checked.notes) Note(note);
  }

  const Investigation& in_;
  const sandbox::Profile profile_, checker_profile_;
  const agentcore::Redactor& redactor_;
  Ledger ledger_;
  milliseconds left_;  // of the ticket's time, which a run takes nothing of
  std::string context_;
  ReadLines read_lines_;
  std::optional<subagents::Report> report_;  // the last one
  HiddenPaths hidden_;
  int64_t start_ns_ = 0;  // of the first leg
  uint64_t violation_count_ = 0;  // of all legs
  bool violation_count_is_whole_ = true;
  std::vector<std::string> actions_;
  std::optional<agentcore::ConversationHistory> history_;  // of the last leg
  ResultTicket out_;
  std::shared_ptr<const KeptConversation> kept_;
};

}  // namespace

ResultTicket Investigate(const Investigation& investigation, std::shared_ptr<const KeptConversation>* kept) {
  Act act(investigation);
  ResultTicket ticket = act.Run();
  if (kept) *kept = act.TakeKept();
  return ticket;
}

}  // namespace paddock::orchestrator

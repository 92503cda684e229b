#include "orchestrator/agent/subagent_tool.h"

#include <poll.h>

#include <algorithm>

#include "agentcore/pipeline/wrap.h"
#include "agentcore/tools/tool_spec.h"
#include "base/text.h"
#include "orchestrator/broker/host.h"
#include "orchestrator/broker/least_budget.h"
#include "orchestrator/broker/share.h"
#include "orchestrator/delegation/subagent_conversation.h"
#include "orchestrator/report/findings_text.h"
#include "orchestrator/report/text_style.h"
#include "subagents/data_schema.h"

namespace paddock::orchestrator {
namespace {

using agentcore::ToolFailure;
using agentcore::ToolResult;
using agentcore::ToolStatus;
using std::chrono::milliseconds;
using subagents::ResultTicket;
using subagents::TicketStatus;

constexpr milliseconds kLeastWall{1000};   // with less, a child could only fail
constexpr milliseconds kCheckSpan{2000};   // kept for the evidence check after a child's own time
constexpr int64_t kShare = 4;              // of what is left, a child gets at most a part in so many; less where more may work at once
constexpr size_t kMaxPathColumns = 1000;
constexpr size_t kMaxHandleBytes = 2048;   // of a text that a subagent is told
constexpr auto kSeatSpan = std::chrono::milliseconds(100);

agentcore::ToolSpec SpecOf(const subagents::Definition& definition) {
  agentcore::ToolSpec spec = agentcore::ToolSpecOf<SubagentArguments>(
      kSubagentToolPrefix + definition.name,
      "hand a question about the repository to the subagent " + definition.name + ". " + definition.purpose +
          " It works in a jail of its own, sees nothing of this conversation, and answers with a summary and findings whose evidence was opened again and "
          "compared. Several calls in one turn run side by side.",
      "what one or two calls of your own settle; anything that must be written or run", Json{{"goal", "How are the tests built and run?"}, {"paths", {"CMakeLists.txt", "tests"}}});
  spec.parameters["properties"]["schema"]["type"] = "object";
  return spec;
}

bool Readable(int fd) {
  pollfd wait{fd, POLLIN, 0};
  return fd >= 0 && ::poll(&wait, 1, 0) > 0;
}

std::unexpected<ToolResult> Refused(ToolStatus status, std::string why, std::string hint) { return std::unexpected(ToolFailure(status, std::move(why), std::move(hint))); }

std::string ContextOf(const SubagentArguments& arguments) {
  std::string text = arguments.context;
  if (arguments.paths.empty()) return text;
  text += std::string(text.empty() ? "" : "\n\n") + "Look at these first:\n";
  for (const std::string& path : arguments.paths) text += "- " + std::string(TruncateUtf8(path, 1024)) + "\n";
  return text;
}

agentcore::ConversationSetup FirstQuestion(const Investigation& child) {
  agentcore::ConversationSetup first = SubagentConversation(child.definition, child.tools, child.ticket.response_schema);
  first.goal = child.ticket.goal;
  first.context = child.ticket.context;
  if (child.earlier) first.earlier = std::shared_ptr<const agentcore::ConversationHistory>(child.earlier, &child.earlier->history);
  return first;
}

// What the handles stand for that the main agent names to a subagent: somebody else's words, so they are wrapped.
std::string BehindHandles(const Quarantine& quarantine, const std::string& text) {
  std::string legend;
  for (const QuarantinedText& one : quarantine.NamedIn(text)) legend += one.handle + " is: " + std::string(TruncateUtf8(one.text, kMaxHandleBytes)) + "\n";
  return legend.empty() ? "" : "\n\n" + agentcore::Wrap(legend, "handles", "");
}

std::string InWords(const subagents::Evidence& evidence) {
  const std::string why = evidence.note.empty() ? "" : ": " + evidence.note;
  switch (evidence.verification) {
    case subagents::Verification::kVerified: return "verified";
    case subagents::Verification::kContradicted: return "contradicted (the text is not there)" + why;
    case subagents::Verification::kChanged: return "unverified (the lines have changed since)" + why;
    case subagents::Verification::kUnknown: return "unverified" + why;
  }
  return "unverified";
}

std::string FindingInWords(const subagents::Finding& finding) {
  std::string text = "- [" + std::string(NameOf(finding.severity)) + ", confidence " + NameOf(finding.confidence) + "]\n" + WithMargin(finding.title);
  if (!finding.detail.empty()) text += WithMargin(finding.detail);
  if (finding.evidence.empty()) text += "  unverified: no evidence was given\n";
  for (const auto& evidence : finding.evidence)
    text += "  " + PathInLine(evidence.path, kMaxPathColumns) + ":" + std::to_string(evidence.line_start) + "-" + std::to_string(evidence.line_end) + "  " + InWords(evidence) + "\n";
  return text;
}

std::optional<int64_t> DeniedCalls(const ResultTicket& ticket) {
  if (!ticket.violations) return std::nullopt;
  int64_t count = 0;
  for (const subagents::BlockedCall& one : *ticket.violations) count += one.count;
  return count;
}

}  // namespace

ToolResult ResultOfTicket(const ResultTicket& ticket, bool with_data) {
  ToolResult result;
  const std::string status = NameOf(ticket.status);
  const std::string why = ticket.ending.kind == "model_error" ? "its language model failed" : ticket.ending.detail;
  const bool something = !ticket.summary.empty() || !ticket.findings.empty();
  result.success = something;
  result.status = ticket.status == TicketStatus::kCompleted ? ToolStatus::kOk : something ? ToolStatus::kPartial : ToolStatus::kFailed;
  result.summary = "subagent " + ticket.subagent + ": " + status + ", " + std::to_string(ticket.findings.size()) + (ticket.findings.size() == 1 ? " finding, " : " findings, ") +
                   VerifiedText(ticket.citations_verified, ticket.citations);
  result.output = "status: " + status + (why.empty() ? "" : " (" + why + ")") + "\n";
  if (!ticket.summary.empty()) result.output += "\nsummary (what stands behind \">\" in all of this is the subagent's; the rest is paddock's):\n" + WithMargin(ticket.summary);
  if (with_data && something) result.output += "\ndata" + std::string(ticket.data.is_null() ? ": null, see the notes" : ", fits your schema:\n" + DumpJson(ticket.data)) + "\n";
  if (!ticket.findings.empty()) result.output += "\nfindings:\n";
  for (const auto& finding : ticket.findings) result.output += FindingInWords(finding);
  for (const auto& run : ticket.runs)
    result.output += "\nit had this run: " + VisibleText(run.command, Newlines::kEscape) + "\n  " + run.ending + ", exit status " + std::to_string(run.exit_status) + "\n";
  if (ticket.needs_run) result.output += "\nit asks for a run, which was not done: " + VisibleText(ticket.needs_run->command, Newlines::kEscape) + "\n" + WithMargin(ticket.needs_run->why);
  if (!ticket.next_actions.empty()) result.output += "\nit proposes:\n";
  for (const std::string& action : ticket.next_actions) result.output += WithMargin(action);
  for (const std::string& note : ticket.notes) result.output += "note: " + VisibleText(note, Newlines::kEscape) + "\n";
  if (something) return result;
  result.error = "the subagent gave no report: " + status + (why.empty() ? "" : ", " + why);
  result.recovery_hint = "look for yourself, or ask for less";
  return result;
}

std::vector<agentcore::ToolSpec> SubagentTool::Specs() const {
  std::vector<agentcore::ToolSpec> specs;
  for (const Subagent& one : setup_.subagents) specs.push_back(SpecOf(one.definition));
  return specs;
}

const Subagent* SubagentTool::Find(std::string_view tool) const {
  for (const Subagent& one : setup_.subagents)
    if (tool == kSubagentToolPrefix + one.definition.name) return &one;
  return nullptr;
}

std::vector<ChildResult> SubagentTool::children() const {
  std::lock_guard lock(mutex_);
  return children_;
}

ToolResult SubagentTool::Run(const agentcore::ToolCall& call) {
  const Subagent* subagent = Find(call.tool);
  if (!subagent) return ToolFailure(ToolStatus::kInvalidArguments, "there is no such subagent", "");
  auto arguments = agentcore::ReadArguments<SubagentArguments>(SpecOf(subagent->definition), call.arguments);
  if (!arguments) return ResultOf(std::move(arguments).error());
  const auto asked = Ask(call.tool, *arguments, call.id);
  if (!asked) return asked.error();
  const ResultTicket& ticket = asked->ticket;
  ToolResult result = setup_.quarantine ? setup_.quarantine->ResultOf(ticket, arguments->schema) : ResultOfTicket(ticket, !arguments->schema.is_null());
  // The call's own id, which is the same where a run is replayed.
  if (asked->kept) result.output += "\nfor a further question to it: follow_up \"" + call.id + "\"\n";
  return result;
}

std::expected<SubagentTool::Asked, ToolResult> SubagentTool::Ask(std::string_view tool, const SubagentArguments& arguments, const std::string& call) {
  const Subagent* subagent = Find(tool);
  if (!subagent) return Refused(ToolStatus::kInvalidArguments, "there is no such subagent", "");
  if (!arguments.schema.is_null())
    if (Status sound = subagents::CheckDataSchema(arguments.schema, "$.schema"); !sound)
      return Refused(ToolStatus::kInvalidArguments, sound.error().message, "leave out what is not understood, and check it in the answer yourself");
  if (!arguments.follow_up.empty() && !setup_.make_model)
    return Refused(ToolStatus::kInvalidArguments, "follow_up: a playbook drives the subagents of this run, and it has no conversation that could go on", "ask afresh, without follow_up");
  if (!arguments.follow_up.empty())
    if (auto earlier = kept_.Find(arguments.follow_up, subagent->definition.name); !earlier) return Refused(ToolStatus::kInvalidArguments, earlier.error().message, earlier.error().hint);
  if (++begun_ > setup_.limits.per_run)  // and stays so: how many more were wanted is told at the end
    return Refused(ToolStatus::kDenied, "limit children: " + std::to_string(setup_.limits.per_run) + " subagents were started in this run, and no more may be", "look for yourself");
  while (!at_once_.try_acquire_for(kSeatSpan)) {
    if (Readable(setup_.common.cancel_fd)) return Refused(ToolStatus::kFailed, "told to stop", "");
    if (setup_.deadline.passed()) return Refused(ToolStatus::kTimeout, "the time was up before there was room for it", "");
  }
  auto asked = Delegate(*subagent, arguments, call);
  at_once_.release();
  return asked;
}

std::expected<SubagentTool::Asked, ToolResult> SubagentTool::Delegate(const Subagent& subagent, const SubagentArguments& arguments, const std::string& call) {
  // Where there is one there are more, and each has a checker. A run without any has built nothing for them.
  setup_.common.starter->KeepWarm();
  Investigation child = setup_.common;
  child.definition = subagent.definition;
  child.profile = subagent.profile;
  child.tools = subagent.definition.tools;
  subagents::TaskTicket& ticket = child.ticket;
  ticket.id = NewRunId();
  ticket.subagent = subagent.definition.name;
  ticket.goal = arguments.goal;
  ticket.context = ContextOf(arguments);
  if (setup_.quarantine) ticket.context += BehindHandles(*setup_.quarantine, ticket.goal + "\n" + ticket.context);
  ticket.model = setup_.model;
  ticket.response_schema = arguments.schema;
  child.keep = true;
  if (!arguments.follow_up.empty()) {
    auto earlier = kept_.Find(arguments.follow_up, ticket.subagent);  // it may have waited for its seat
    if (!earlier) return Refused(ToolStatus::kInvalidArguments, earlier.error().message, earlier.error().hint);
    child.earlier = *std::move(earlier);
  }

  const auto left = std::chrono::duration_cast<milliseconds>(setup_.deadline.left().value_or(std::chrono::hours(24))) - kCheckSpan;
  if (left < kLeastWall) return Refused(ToolStatus::kTimeout, "too little time is left for a subagent", "finish with what you have");
  ticket.budget.turns = subagent.definition.budget.turns;
  ticket.budget.wall_ms = std::min<int64_t>(subagent.definition.budget.seconds * 1000, left.count());
  child.runs.by = Deadline::After(left).Earlier(child.runs.by);
  const auto model = setup_.make_model ? setup_.make_model(ticket.id) : nullptr;
  child.model = model.get();
  const std::unique_ptr<BudgetShare> share = TakeShare(&child);
  if (!share) return Refused(ToolStatus::kDenied, "the budget has no room for a subagent", "finish with what you have");

  const agentcore::Redactor& redactor = agentcore::OrCommonKinds(child.redactor);
  const std::string goal = ForTerminal(ticket.goal, redactor);
  setup_.events->Record("subagent_started", Json{{"id", ticket.id}, {"call", call}, {"subagent", ticket.subagent}, {"budget", ToJson(ticket.budget)}});
  setup_.watcher(SubagentStartedEvent{ticket.id, call, ticket.subagent, goal});
  Performed performed = Perform(&child);
  ResultTicket& done = performed.ticket;
  GiveBack(share.get(), done.usage);
  ChildResult summary{done.id, done.subagent, goal, done.status, std::string(TruncateUtf8(done.summary, kMaxChildSummaryBytes)), static_cast<int64_t>(done.findings.size()), done.citations, done.citations_verified, done.usage, DeniedCalls(done)};
  setup_.events->Record("subagent_finished", ToJson(summary));
  setup_.watcher(SubagentFinishedEvent{summary});
  const bool kept = performed.conversation && kept_.Keep(call, done.subagent, std::move(performed.conversation));
  std::lock_guard lock(mutex_);
  children_.push_back(std::move(summary));
  // How its model was reached is nothing for the main agent's, and differs where the same is replayed.
  std::erase_if(done.notes, [&](const std::string& note) { return std::find(performed.of_model.begin(), performed.of_model.end(), note) != performed.of_model.end(); });
  return Asked{std::move(done), kept};
}

// Each takes a part of what is left, so many at once leave too little for the next one: it waits for what they give back.
std::unique_ptr<BudgetShare> SubagentTool::TakeShare(Investigation* child) {
  const subagents::Budget wanted = child->ticket.budget;
  // Siblings need the lock to give back theirs: with it held there are only sums.
  const agentcore::ConversationSetup first = FirstQuestion(*child);
  const auto pays = [&] { return !child->model || PaysForAQuestion(first, child->ticket.budget, *child->model).has_value(); };
  std::unique_lock lock(sharing_);
  for (;;) {
    auto share = std::make_unique<BudgetShare>(setup_.ledger, static_cast<int>(std::max(kShare, setup_.limits.at_once / 2)));
    child->ticket.budget = wanted;
    share->ApplyTo(&child->ticket.budget);
    if (share->usable() && (shares_ == 0 || share->ample()) && pays()) {
      ++shares_;
      return share;
    }
    share.reset();
    const int64_t given_back = given_back_;
    if (shares_ == 0) return nullptr;
    while (given_back_ == given_back) {
      if (Readable(setup_.common.cancel_fd) || setup_.deadline.passed()) return nullptr;
      settled_.wait_for(lock, kSeatSpan);
    }
  }
}

void SubagentTool::GiveBack(BudgetShare* share, const subagents::Usage& used) {
  std::lock_guard lock(sharing_);
  share->Settle(used);
  --shares_;
  ++given_back_;
  settled_.notify_all();
}

// With a record of its own; without one there is no run.
SubagentTool::Performed SubagentTool::Perform(Investigation* child) {
  const agentcore::Redactor& redactor = agentcore::OrCommonKinds(child->redactor);
  auto record = RunRecord::Create(setup_.state_folder, child->ticket.id, redactor.RedactJson(ToJson(child->ticket)));
  if (!record) {
    Performed out;
    ResultTicket& failed = out.ticket;
    failed.id = child->ticket.id;
    failed.subagent = child->ticket.subagent;
    failed.model = child->ticket.model;
    failed.ending = {"setup_error", record.error().sys_errno, record.error().message, record.error().hint};
    return out;
  }
  (*record)->Record("parent", Json{{"id", setup_.run_id}});
  child->events = record->get();
  child->watcher = [&](const Progress& progress) {
    if (progress.kind == Progress::Kind::kRunStarted) setup_.watcher(SubagentProgressEvent{child->ticket.id, progress.turn, "run", progress.subject});
    if (progress.kind == Progress::Kind::kToolStarted) setup_.watcher(SubagentProgressEvent{child->ticket.id, progress.turn, progress.tool, progress.subject});
  };
  Performed out;
  out.ticket = Investigate(*child, &out.conversation);
  ResultTicket& ticket = out.ticket;
  if (child->model) out.of_model = child->model->notes();
  for (std::string& note : (*record)->notes()) ticket.notes.push_back(std::move(note));
  if (auto written = (*record)->WriteResult(ToJson(ticket)); !written) ticket.notes.push_back("the record has no result: " + written.error().message);
  return out;
}

}  // namespace paddock::orchestrator

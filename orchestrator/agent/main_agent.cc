#include "orchestrator/agent/main_agent.h"

#include <poll.h>
#include <time.h>

#include <algorithm>

#include "agentcore/loop/loop.h"
#include "base/text.h"
#include "orchestrator/agent/agent_host.h"
#include "orchestrator/agent/agent_tools.h"
#include "orchestrator/agent/direct_conversation.h"
#include "orchestrator/agent/policy.h"
#include "orchestrator/agent/prompt.h"
#include "orchestrator/broker/broker.h"
#include "orchestrator/broker/conclusion.h"
#include "orchestrator/broker/usage_sum.h"
#include "orchestrator/delegation/checker.h"
#include "orchestrator/delegation/end_cell.h"
#include "orchestrator/delegation/evidence.h"
#include "orchestrator/delegation/hidden_paths.h"
#include "orchestrator/delegation/tool_needs.h"
#include "orchestrator/delegation/playbook_model.h"
#include "subagents/report_tool.h"

namespace paddock::orchestrator {
namespace {

using std::chrono::milliseconds;
using subagents::TicketStatus;

constexpr auto kStartSpan = std::chrono::seconds(10);
constexpr auto kCheckSpan = std::chrono::seconds(30);  // the evidence check, after the run's own time
constexpr size_t kMaxActionBytes = 1024;
constexpr char kPlaybook[] = "explorer";

int64_t RealtimeNs() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

class Run {
 public:
  explicit Run(const MainAgent& agent)
      : agent_(agent), shared_(agent.subagents.common), redactor_(agentcore::OrCommonKinds(shared_.redactor)), wall_(agent.budget.wall_ms), deadline_(Deadline::After(wall_)),
        ledger_(agent.budget) {
    const milliseconds reserve = WrapUpReserve(wall_);
    times_.soft = Deadline::After(wall_ - reserve);
    times_.report_by = Deadline::After(wall_ - reserve / 4);
    out_.id = agent.id;
    out_.task = redactor_.Redact(VisibleText(agent.task, Newlines::kKeep));
    out_.plan = agent.plan;
    out_.quarantine = agent.quarantine;
    out_.model = agent.model_name;
    out_.language_model = agent.model && agent.model->is_language_model();
  }

  ExecResult Perform() {
    const auto started = Deadline::Clock::now();
    auto wall = ledger_.ReserveUpTo(Limit::kWallMs, INT64_MAX);
    agent_.events->Record("workspace", Json{{"path", PathToText(shared_.workspace.path)}});
    Work();
    const int64_t spent = std::chrono::duration_cast<milliseconds>(Deadline::Clock::now() - started).count();
    wall.Settle(spent);
    out_.usage.wall_ms = spent;
    AddUp();
    if (!out_.language_model)
      out_.notes.push_back(agent_.model ? "no language model was used: a script drove this run"
                                        : "no language model was used: a playbook drove this run. It does not work on the task; it always answers what the repository is, "
                                          "how it is built and tested, and where it starts, and is partial where the task asks for something else");
    agent_.events->Record("result", ToJson(out_));
    agent_.events->Flush();
    return std::move(out_);
  }

 private:
  void Phase(const char* phase, const char* reason = "") { agent_.watcher(PhaseEvent{phase, reason}); }
  Deadline StartBy() const { return Deadline::After(kStartSpan).Earlier(deadline_); }

  void NotStarted(const StartFailure& failure) {
    out_.status = failure.kind == "cancelled" ? TicketStatus::kCancelled : TicketStatus::kFailedToStart;
    out_.ending = EndingOf(failure);
    if (failure.receipt) out_.receipt = ToJson(*failure.receipt);
    agent_.events->Record("not_started", ToJson(out_.ending));
  }

  void Work() {
    Phase("start");
    agentcore::Model* model = agent_.model;
    std::unique_ptr<PlaybookModel> playbook;
    if (!model) {
      auto started = PlaybookModel::Start(shared_.starter, shared_.sealed_profile, kPlaybook, shared_.pool, shared_.cancel_fd, StartBy());
      if (!started) return NotStarted(started.error());
      playbook = *std::move(started);
      model = playbook.get();
    }
    auto hidden = FindHiddenPaths(shared_.starter, agent_.profile, shared_.workspace, shared_.pool, shared_.cancel_fd, deadline_);
    if (!hidden) return NotStarted(hidden.error());
    NoteUnmatched(agent_.asked_hidden, &*hidden);
    const int64_t jail_start_ns = RealtimeNs();
    WorkbenchSetup setup;
    setup.starter = shared_.starter;
    setup.tools = ToolsFor(agent_.profile);
    profile_ = NarrowedTo(setup.tools, agent_.profile);
    setup.wanted = {&profile_, &shared_.workspace, wall_.count() + 5000, shared_.cancel_fd, &hidden->paths};
    setup.events = agent_.events;
    setup.pool = shared_.pool;
    setup.redactor = &redactor_;
    setup.cancel_fd = shared_.cancel_fd;
    Workbench workbench(setup);
    if (!agent_.quarantine) {  // where it would have no tools
      auto receipt = workbench.Start(StartBy());
      if (!receipt) return NotStarted(receipt.error());
      out_.receipt = ToJson(*receipt);
      out_.notes = receipt->notes;
      agent_.events->Record("receipt", out_.receipt);
    }
    for (std::string& note : hidden->notes) out_.notes.push_back(std::move(note));

    Conclusion concluded = Converse(model, &workbench);
    workbench.Stop();
    out_.usage.cpu_ms = workbench.cpu_ms();
    out_.usage.peak_rss_kb = workbench.peak_rss_kb();
    out_.status = concluded.status;
    out_.ending = concluded.ending;
    for (const std::string& note : model->notes()) out_.notes.push_back((out_.children.empty() ? "" : "the main agent's model: ") + note);
    for (std::string& note : concluded.notes) out_.notes.push_back(std::move(note));
    if (workbench.lost() > 0) out_.notes.push_back("the workbench's cell was lost " + std::to_string(workbench.lost()) + (workbench.lost() == 1 ? " time" : " times") + ": treat the repository with care");
    if (std::string note = workbench.denials_note(); !note.empty()) out_.notes.push_back("the workbench: " + note);
    playbook.reset();
    out_.reads = ReadsOf(read_lines_, redactor_, &out_.notes);
    if (!concluded.report) return;
    if (!concluded.report->findings.empty()) Phase("check", "the evidence of the report");
    setup.wanted.wall_ms = milliseconds(kCheckSpan).count() + 5000;
    setup.wanted.cancel_fd = -1;  // the check is owed to what was found, also after a stop
    TakeReport(*concluded.report, jail_start_ns, setup.wanted);
  }

  Conclusion Converse(agentcore::Model* model, Workbench* workbench) {
    HostSetup host_setup{model, &ledger_, &read_lines_, agent_.events, shared_.pool, {}};
    const int max_turns = static_cast<int>(agent_.budget.turns);
    AgentHost host(host_setup, redactor_, agent_.watcher, max_turns);
    SubagentSetup children = agent_.subagents;
    children.run_id = agent_.id;
    children.ledger = &ledger_;
    children.events = agent_.events;
    children.watcher = agent_.watcher;
    children.deadline = times_.soft;
    if (agent_.quarantine) children.quarantine = &quarantine_;
    SubagentTool delegates(std::move(children));

    agentcore::ConversationSetup setup = MainConversation(agent_);
    setup.redactor = &redactor_;
    AgentTools tools(setup.tools, workbench, &delegates);
    agentcore::TicketConversation conversation(std::move(setup), model, &host);
    DirectConversation direct(&conversation, times_, shared_.cancel_fd);
    AgentObserver observer(agent_.watcher, redactor_);
    agentcore::LoopOptions options;
    // Each tool has its own time; this is only the bound of all.
    options.call_timeout = std::chrono::duration_cast<milliseconds>(*times_.soft.left());
    options.at_once = std::max(static_cast<int>(subagents::kMaxOpenCalls), static_cast<int>(agent_.subagents.limits.at_once));
    options.pause = [this](milliseconds span) {
      pollfd wait{shared_.cancel_fd, POLLIN, 0};
      return ::poll(&wait, 1, static_cast<int>(span.count())) == 0;
    };
    agentcore::Loop loop(&direct, &tools, &observer, options);
    auto facts = loop.Run();
    std::optional<Break> broken;
    if (!facts) broken = BreakOf(facts.error());
    Conclusion concluded = ConcludeConversation(conversation, &host, host_setup, redactor_, broken, {});
    out_.children = delegates.children();
    for (const ChildResult& child : out_.children)
      if (child.denied_calls.value_or(0) > 0)
        out_.notes.push_back("the jail of subagent " + child.subagent + " (" + child.id + ") denied " + std::to_string(*child.denied_calls) +
                             (*child.denied_calls == 1 ? " call" : " calls") + ", which a sound cell does not make: treat what it said, and the repository, with care");
    if (const int64_t refused = delegates.beyond_limit(); refused > 0)
      out_.notes.push_back(std::to_string(refused) + (refused == 1 ? " subagent was" : " subagents were") + " asked for beyond the " + std::to_string(agent_.subagents.limits.per_run) +
                           " that a run may have, and not started: subagents.per_run in config.json sets how many");
    out_.texts = quarantine_.texts();
    out_.usage.turns = conversation.turns();
    out_.usage.tool_calls = direct.answers();
    out_.usage.input_tokens = host.input_tokens();
    out_.usage.output_tokens = host.output_tokens();
    out_.usage.cached_tokens = host.cached_tokens();
    out_.usage.output_bytes = host.output_bytes();
    out_.usage.cost_nanos = host.cost_nanos();
    return concluded;
  }

  static Break BreakOf(const Error& error) {
    if (error.kind == ErrorKind::kCancelled) return {TicketStatus::kCancelled, "cancelled", error.message, ""};
    return {TicketStatus::kCrashed, "protocol_error", error.message, error.hint};
  }

  void TakeReport(const subagents::Report& report, int64_t jail_start_ns, const CellStarter::Wanted& wanted) {
    CheckedEvidence checked = CheckEvidence(report, read_lines_, {jail_start_ns, 0}, [&] { return Checker::Start(shared_.starter, wanted, shared_.pool); }, redactor_,
                                            Deadline::After(kCheckSpan));
    out_.answer = redactor_.Redact(VisibleText(report.summary, Newlines::kKeep));
    out_.findings = std::move(checked.findings);
    for (const std::string& action : report.next_actions)
      out_.next_actions.push_back(std::string(TruncateUtf8(redactor_.Redact(VisibleText(action, Newlines::kEscape)), kMaxActionBytes)));
    out_.citations = checked.citations;
    out_.citations_verified = checked.verified;
    for (std::string& note : checked.notes) out_.notes.push_back(std::move(note));
  }

  void AddUp() {
    out_.usage_total = out_.usage;
    for (const ChildResult& child : out_.children) AddUsage(child.usage, &out_.usage_total);
  }

  const MainAgent& agent_;
  const Investigation& shared_;
  const agentcore::Redactor& redactor_;
  const milliseconds wall_;
  const Deadline deadline_;
  ConversationTimes times_;
  Ledger ledger_;
  ReadLines read_lines_;
  Quarantine quarantine_;
  sandbox::Profile profile_;  // of the workbench, with the programs of its tools
  ExecResult out_;
};

}  // namespace

std::vector<std::string> MainTools(const MainAgent& agent) {
  std::vector<std::string> names = agent.quarantine ? std::vector<std::string>{} : ToolsFor(agent.profile);
  for (const auto& spec : SubagentTool(agent.subagents).Specs()) names.push_back(spec.name);
  names.push_back(agentcore::kReportTool);
  return names;
}

agentcore::ConversationSetup MainConversation(const MainAgent& agent) {
  std::vector<agentcore::ToolSpec> specs;
  const auto registry = agentcore::ReadOnlyTools();
  if (!agent.quarantine)
    for (const std::string& name : ToolsFor(agent.profile)) specs.push_back(registry.Find(name)->spec());
  for (agentcore::ToolSpec& spec : SubagentTool(agent.subagents).Specs()) specs.push_back(std::move(spec));
  agentcore::ConversationSetup setup;
  setup.system = MainPrompt({agent.plan, agent.quarantine});
  setup.goal = agent.task;
  setup.tools = ToolsOnOffer(std::move(specs), agent.plan);
  setup.report = subagents::ReportTool();
  setup.text_is_final = true;
  setup.max_turns = static_cast<int>(agent.budget.turns);
  return setup;
}

ExecResult RunMainAgent(const MainAgent& agent) { return Run(agent).Perform(); }

}  // namespace paddock::orchestrator

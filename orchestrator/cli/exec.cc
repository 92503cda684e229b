#include "orchestrator/cli/exec.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/readable_any.h"
#include "base/text.h"
#include "orchestrator/agent/planned_run.h"
#include "orchestrator/broker/least_budget.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/cli/exec_output.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/hide_patterns.h"
#include "orchestrator/cli/offered_subagents.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/stop_signals.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/providers/fallback_model.h"
#include "orchestrator/report/exec_text.h"
#include "orchestrator/session/record.h"

namespace paddock::orchestrator {
namespace {

constexpr char kTaskFromInput[] = "-";
constexpr size_t kMaxTaskBytes = 64 << 10;

// Everything of a run that is decided before anything is started.
struct Prepared {
  MainAgent agent;
  ChosenModel model;
  Config config;
  std::vector<sandbox::ProfileWarning> warnings;
  std::vector<std::string> remarks;  // on subagents of the user's own, and of other tools
  std::string planner;               // or empty
  CellSupply cells;
};

// Who plans must be on offer, and able to.
Status CheckPlanner(const ExecOptions& options, Prepared* prepared) {
  const std::string shown = VisibleText(TruncateUtf8(options.planner, 64), Newlines::kEscape);
  if (options.plan) return Fail(ErrorKind::kInvalid, "--plan and --planner: expected one of them", "--plan makes a plan and stops; --planner has it carried out");
  if (options.quarantine) return Fail(ErrorKind::kInvalid, "--quarantine and --planner: a plan is made of sentences by an agent that has read the repository", "leave out one of them");
  if (!prepared->model.endpoint)
    return Fail(ErrorKind::kInvalid, std::string("--planner: ") + (prepared->model.script ? "a script drives the main agent only, and subagents are played by playbooks, which make no plans" : "a playbook makes no plans"),
                "choose a language model (--model, or default_model in config.json)");
  std::vector<std::string> names;
  for (const Subagent& one : prepared->agent.subagents.subagents) names.push_back(one.definition.name);
  if (std::find(names.begin(), names.end(), options.planner) == names.end())
    return Fail(ErrorKind::kInvalid, "--planner: there is no subagent \"" + shown + "\" on offer", NearestHint(options.planner, names));
  prepared->planner = options.planner;
  return {};
}

Result<Prepared> Prepare(const ExecOptions& options, int cancel_fd, sandbox::Faults* further) {
  Prepared prepared;
  MainAgent& agent = prepared.agent;
  const std::string repository = options.insist.empty() ? options.repo : "";
  if (options.task.empty()) return Fail(ErrorKind::kInvalid, "no task given", "say in quotes what is to be done: paddock exec \"how is this tested?\"");
  if (!IsValidUtf8(options.task)) return Fail(ErrorKind::kInvalid, "the task is not valid UTF-8");
  if (options.task.size() > kMaxTaskBytes) return Fail(ErrorKind::kInvalid, "the task is longer than 64 KiB");
  prepared.config = TRY(LoadConfig());
  agent.task = options.task;
  agent.plan = options.plan;
  agent.quarantine = options.quarantine;
  if (options.plan) agent.budget.turns = kPlanTurns;
  if (options.max_turns) agent.budget.turns = TRY(ReadMaxTurns(*options.max_turns));
  if (options.max_cost) agent.budget.cost_micros = TRY(ReadMaxCost(*options.max_cost));
  if (options.timeout) agent.budget.wall_ms = TRY(ReadTimeout(*options.timeout));
  agent.profile = TRY(CellProfile(options.profile, repository, &prepared.warnings, further));
  TRY(HideAsAsked(options.hide, &agent.profile.filesystem.hide));
  agent.asked_hidden = options.hide;
  Investigation& common = agent.subagents.common;
  common.sealed_profile = TRY(FindProfile("sealed")).profile;
  common.runs = TRY(ChooseRunPolicy(options.run, prepared.config));
  ModelFlags flags = options.model;
  if (flags.model.empty() && flags.base_url.empty()) flags.model = prepared.config.default_model;
  prepared.model = TRY(ChooseModel(flags, prepared.config));
  TRY(HasPrices(prepared.model, agent.budget));
  if (options.plan && !prepared.model.endpoint && !prepared.model.script)
    return Fail(ErrorKind::kInvalid, "--plan: a playbook makes no plans", "choose a language model (--model, or default_model in config.json)");
  if (options.quarantine && !prepared.model.endpoint && !prepared.model.script)
    return Fail(ErrorKind::kInvalid, "--quarantine: a playbook works with what it reads, and in quarantine nothing is read",
                "choose a language model (--model, or default_model in config.json)");
  agent.model_name = prepared.model.name;
  OfferedSubagents offered = TRY(OfferSubagents(prepared.model.endpoint.has_value(), repository, further));
  common.workspace = TRY(sandbox::ResolveWorkspace(options.repo, {sandbox::HomeFolders(), options.insist}));
  TRY(OwnFoldersOutside(common.workspace, !options.insist.empty()));
  prepared.cells.Setup(prepared.config.jail_uid, cancel_fd);
  if (prepared.model.endpoint) OfferForeign(&prepared.cells, common.workspace, repository, options.quarantine, &offered);
  agent.subagents.subagents = std::move(offered.subagents);
  if (!options.planner.empty()) TRY(CheckPlanner(options, &prepared));
  // What the main agent may not see, nobody whom it sends may.
  for (Subagent& one : agent.subagents.subagents) HideAsWell(agent.profile.filesystem.hide, &one.profile.filesystem.hide);
  for (auto& warning : offered.warnings) prepared.warnings.push_back(std::move(warning));
  prepared.remarks = std::move(offered.remarks);
  if (const auto model = MakeModel(prepared.model, {})) TRY(PaysForAQuestion(MainConversation(agent), agent.budget, *model));
  return prepared;
}

std::string TaskText(const MainAgent& agent) {
  return agentcore::OrCommonKinds(agent.subagents.common.redactor).Redact(VisibleText(agent.task, Newlines::kKeep));
}

ExecResult CouldNotStart(const MainAgent& agent, std::string kind, const Error& error) {
  ExecResult result;
  result.id = agent.id;
  result.task = TaskText(agent);
  result.plan = agent.plan;
  result.model = agent.model_name;
  result.ending = {std::move(kind), error.sys_errno, error.message, error.hint};
  return result;
}

RunStartedEvent Started(const MainAgent& agent, const std::string& record) {
  return {kExecEventsSchema, agent.id, TaskText(agent), agent.model_name, VisibleText(agent.subagents.common.workspace.path, Newlines::kEscape), agent.plan, MainTools(agent),
          agent.budget.turns, agent.budget.wall_ms, record};
}

int Deliver(const ExecOptions& options, const ExecResult& result, ExecOutput* output) {
  output->Show(ResultEvent{result});
  output->Done();
  const bool failed = result.status == subagents::TicketStatus::kFailedToStart;
  if (failed) PrintError(Error{ErrorKind::kSystem, "failed to start: " + result.ending.detail, result.ending.hint, 0});
  if (options.json) return output->lost() ? kExitInternal : ExitStatusOf(result.status);
  const std::string answer = AnswerText(result, StyleOfStdout());
  if (!answer.empty()) PrintGap();
  if (!PrintAll(1, answer)) return kExitInternal;
  if (failed) return ExitStatusOf(result.status);
  const size_t width = WidthOf(2);
  std::string text;
  if (!answer.empty()) PrintGap();
  if (result.status != subagents::TicketStatus::kCompleted && !result.ending.detail.empty()) {
    AddParagraph(&text, result.ending.detail, "paddock: ", width);
    if (!result.ending.hint.empty()) AddParagraph(&text, result.ending.hint, "  ", width);
  }
  for (const std::string& note : result.notes) AddParagraph(&text, note, "note: ", width);
  AddParagraph(&text, SummaryLine(result, !options.model.replay_cassette.empty()), "paddock: ", width);
  (void)!write(2, text.data(), text.size());
  return ExitStatusOf(result.status);
}

// With a record open and everything decided.
ExecResult Perform(Prepared* prepared, RunRecord* record, ModelUse use, ExecOutput* output) {
  MainAgent& agent = prepared->agent;
  use.events = record;
  // `child`: the subagent whose model it is, or empty.
  const auto use_of = [output, use](const std::string& child) {
    const agentcore::Redactor& redactor = agentcore::OrCommonKinds(use.redactor);
    ModelUse one = use;
    one.say = [=, &redactor](const std::string& text) { output->Show(RetryEvent{ForTerminal(text, redactor), child}); };
    one.on_switch = [=, &redactor](const ModelSwitch& what) {
      output->Show(ModelSwitchedEvent{ForTerminal(what.from, redactor), ForTerminal(what.to, redactor), ForTerminal(what.why, redactor), child});
    };
    return one;
  };
  // A subagent's model is its own: each is asked by one thread at a time. Scripts are for the main agent only.
  if (prepared->model.endpoint)
    agent.subagents.make_model = [chosen = prepared->model, use_of](const std::string& child) { return MakeModel(chosen, use_of(child)); };
  auto model = MakeModel(prepared->model, use_of(""));
  agent.model = model.get();
  agent.events = record;
  agent.watcher = [output](const ExecEvent& event) { output->Show(event); };
  output->Show(Started(agent, record->folder()));
  for (const std::string& note : sandbox::NotesOf(prepared->warnings)) output->Show(WarningEvent{VisibleText(note, Newlines::kEscape)});
  for (const std::string& remark : prepared->remarks) {
    record->Record("warning", Json{{"text", remark}});
    output->Show(WarningEvent{VisibleText(remark, Newlines::kEscape)});
  }
  const std::string history = HistoryNote(agent.asked_hidden);
  if (!history.empty()) output->Show(WarningEvent{history});
  ExecResult result = prepared->planner.empty() ? RunMainAgent(agent) : RunPlanned(agent, prepared->planner);
  agent.model = nullptr;
  model.reset();  // so that the cassette is whole
  if (use.cassette)
    for (std::string& note : use.cassette->notes()) result.notes.push_back(std::move(note));
  if (!history.empty()) result.notes.push_back(history);
  if (std::string note = PartNote(agent.subagents.common.workspace); !note.empty()) result.notes.push_back(std::move(note));
  for (std::string& note : sandbox::NotesOf(prepared->warnings)) result.notes.push_back(std::move(note));
  for (std::string& note : record->notes()) result.notes.push_back(std::move(note));
  if (auto written = record->WriteResult(ToJson(result)); !written) result.notes.push_back("the record has no result: " + written.error().message);
  return result;
}

Result<std::string> TaskFromInput(int cancel_fd) {
  std::string task = TRY(ReadStandardInput(cancel_fd));
  if (task.size() > kMaxTaskBytes) return Fail(ErrorKind::kInvalid, "standard input: the task is longer than 64 KiB");
  if (!IsValidUtf8(task)) return Fail(ErrorKind::kInvalid, "standard input: the task is not valid UTF-8");
  const size_t begin = task.find_first_not_of(" \t\r\n"), end = task.find_last_not_of(" \t\r\n");
  if (begin == std::string::npos) return Fail(ErrorKind::kInvalid, "standard input holds no task", "for example: paddock exec - < task.md");
  return task.substr(begin, end + 1 - begin);
}

// While the task was read.
int Stopped(const ExecOptions& options, const Error& error) {
  MainAgent agent;
  agent.id = NewRunId();
  agent.plan = options.plan;
  ExecOutput output(options.json, 0, -1, Deadline::After(std::chrono::seconds(10)), [] {});
  output.Show(Started(agent, ""));
  ExecResult result = CouldNotStart(agent, "cancelled", error);
  result.status = subagents::TicketStatus::kCancelled;
  return Deliver(options, result, &output);
}

// Before there is a record.
int NotStarted(const ExecOptions& options, const MainAgent& agent, const Error& error) {
  ExecOutput output(options.json, agent.budget.turns, -1, Deadline::After(std::chrono::seconds(10)), [] {});
  output.Show(Started(agent, ""));
  return Deliver(options, CouldNotStart(agent, "setup_error", error), &output);
}

}  // namespace

int RefuseExec(const ExecOptions& options, const Error& error) {
  PrintError(error);
  if (!options.json) return kExitUsage;
  MainAgent agent;
  agent.id = NewRunId();
  agent.task = options.task;
  agent.plan = options.plan;
  agent.model_name = WantedModel(options.model);
  ExecOutput output(true, 0, -1, Deadline::After(std::chrono::seconds(10)), [] {});
  output.Show(Started(agent, ""));
  output.Show(ResultEvent{CouldNotStart(agent, "usage", error)});
  return output.lost() ? kExitInternal : kExitUsage;
}

int RunExec(ExecOptions options) {
  auto stop = StopDescriptor();
  if (!stop) return PrintError(stop.error()), kExitInternal;
  if (options.task == kTaskFromInput) {
    auto task = TaskFromInput(*stop);
    options.task.clear();
    if (!task && task.error().kind == ErrorKind::kCancelled) return Stopped(options, task.error());
    if (!task) return RefuseExec(options, task.error());
    options.task = *std::move(task);
  }
  sandbox::Faults further;
  auto prepared = Prepare(options, *stop, &further);
  if (!prepared) {
    const int status = RefuseExec(options, prepared.error());
    for (const Error& one : further) PrintError(one);
    return status;
  }
  MainAgent& agent = prepared->agent;
  Investigation& common = agent.subagents.common;
  agent.id = NewRunId();

  // Early, while this process is small.
  auto programs = ProgramsFolder();
  if (!programs) return NotStarted(options, agent, programs.error());
  PrepareRuns(&common.runs, *programs, prepared->config);
  auto starter = prepared->cells.Take();
  if (!starter) return NotStarted(options, agent, starter.error());
  auto state = StateFolder();
  if (!state) return RefuseExec(options, state.error());
  // Nobody reads the events any more: as good as a wish to stop.
  UniqueFd unread(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  auto cancel = ReadableAny({*stop, unread.get()}, options.json ? 1 : -1);
  if (!cancel) return NotStarted(options, agent, cancel.error());
  const agentcore::Redactor redactor(prepared->model.keys());
  auto cassette = OpenCassette(options.model, prepared->model, options.insist.empty() ? common.workspace.path : "");
  if (!cassette) return RefuseExec(options, cassette.error());
  common.redactor = &redactor;
  agent.subagents.state_folder = *state;
  agent.subagents.model = agent.model_name;
  agent.subagents.limits = prepared->config.subagents;
  const Json ticket{{"schema", "paddock/exec-task/1"}, {"id", agent.id},          {"task", agent.task}, {"plan", agent.plan},
                    {"model", agent.model_name},      {"budget", ToJson(agent.budget)}};
  auto record = RunRecord::Create(*state, agent.id, redactor.RedactJson(ticket));
  if (!record) return NotStarted(options, agent, record.error());

  FramePool pool(kLargeFrames);
  common.starter = starter->get();
  common.pool = &pool;
  common.cancel_fd = cancel->get();
  ExecOutput output(options.json, agent.budget.turns, cancel->get(), Deadline::After(std::chrono::milliseconds(agent.budget.wall_ms)), [&] {
    const uint64_t one = 1;
    (void)!write(unread.get(), &one, sizeof one);
  });
  ModelUse use;
  use.programs = *programs;
  use.cancel_fd = cancel->get();
  use.redactor = &redactor;
  use.cassette = cassette->get();
  ExecResult result = Perform(&*prepared, record->get(), std::move(use), &output);
  output.ShowRecord((*record)->folder());
  return Deliver(options, result, &output);
}

}  // namespace paddock::orchestrator

#include "orchestrator/cli/investigate.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/nearest.h"
#include "base/text.h"
#include "agentcore/pipeline/clean.h"
#include "orchestrator/broker/least_budget.h"
#include "orchestrator/cli/choose_model.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/foreign_agents.h"
#include "orchestrator/cli/hide_patterns.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/progress_view.h"
#include "orchestrator/cli/stop_signals.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/delegation/investigation.h"
#include "orchestrator/delegation/run_log.h"
#include "orchestrator/delegation/subagent_conversation.h"
#include "orchestrator/delegation/tool_needs.h"
#include "orchestrator/report/ticket_text.h"
#include "orchestrator/session/record.h"
#include "subagents/builtin.h"
#include "subagents/data_schema.h"

namespace paddock::orchestrator {
namespace {

// Everything of an investigation that is decided before anything is started.
struct Prepared {
  Investigation investigation;
  ChosenModel model;
  Config config;
  std::vector<sandbox::ProfileWarning> warnings;  // of the profile
  std::vector<std::string> notes;                 // on the definition
  CellSupply cells;
};

Result<subagents::TaskTicket> TicketFromFile(const std::string& path, int cancel_fd) {
  const std::string name = path == "-" ? "standard input" : path;
  std::string text = TRY(path == "-" ? ReadStandardInput(cancel_fd) : ReadSmallFile(path));
  auto json = ParseJson(text, {.max_bytes = kMaxInputBytes});
  if (!json) return Fail(ErrorKind::kInvalid, name + ": " + json.error().message);
  auto ticket = FromJson<subagents::TaskTicket>(*json);
  if (!ticket) return Fail(ErrorKind::kInvalid, name + ": " + ticket.error().message, ticket.error().hint);
  if (ticket->schema != subagents::kTaskTicketSchema)
    return Fail(ErrorKind::kInvalid, name + ": $.schema: expected \"" + subagents::kTaskTicketSchema + "\"");
  if (!ticket->response_schema.is_null()) TRY(subagents::CheckDataSchema(ticket->response_schema, name + ": $.response_schema"));
  return ticket;
}

Result<Json> SchemaFromFile(const std::string& path) {
  const std::string name = VisibleText(path, Newlines::kEscape);
  const std::string text = TRY(ReadSmallFile(path));
  auto schema = ParseJson(text, {.max_bytes = kMaxInputBytes});
  if (!schema) return Fail(ErrorKind::kInvalid, name + ": " + schema.error().message);
  TRY(subagents::CheckDataSchema(*schema, name + ": $"));
  return schema;
}

constexpr size_t kMaxContextFile = 64u << 20, kMaxContext = 256u << 10;

// Any bytes, made fit to read.
Result<std::string> ContextOf(const InvestigateOptions& options, int cancel_fd) {
  if (options.context_file.empty()) return options.context;
  if (!options.context.empty()) return Fail(ErrorKind::kInvalid, "--context and --context-file: expected one of them");
  const std::string bytes = TRY(options.context_file == "-" ? ReadStandardInput(cancel_fd, kMaxContextFile) : ReadSmallFile(options.context_file, kMaxContextFile));
  return agentcore::HeadAndTail(VisibleText(WithoutTerminalCodes(bytes), Newlines::kKeep), kMaxContext);
}

// The flags' limits instead of the definition's; those of a ticket can only be lowered.
Status ApplyLimits(const InvestigateOptions& options, subagents::Budget* budget) {
  const bool lower = !options.ticket.empty();
  if (options.timeout) {
    const int64_t ms = TRY(ReadTimeout(*options.timeout));
    budget->wall_ms = lower ? std::min(budget->wall_ms, ms) : ms;
  }
  if (options.max_turns) {
    const int64_t turns = TRY(ReadMaxTurns(*options.max_turns));
    budget->turns = lower ? std::min(budget->turns, turns) : turns;
  }
  if (options.max_cost) {
    const int64_t micros = TRY(ReadMaxCost(*options.max_cost));
    budget->cost_micros = lower && budget->cost_micros ? std::min(*budget->cost_micros, micros) : micros;
  }
  return {};
}

// Parent ∩ definition ∩ ticket: a ticket can only take tools away.
Result<std::vector<std::string>> NarrowTools(const std::vector<std::string>& offered, const std::optional<std::vector<std::string>>& wanted) {
  if (!wanted) return offered;
  std::vector<std::string> left;
  for (const std::string& name : *wanted) {
    if (std::find(offered.begin(), offered.end(), name) == offered.end()) {
      std::string list;
      for (const std::string& one : offered) list += (list.empty() ? "" : ", ") + one;
      return Fail(ErrorKind::kInvalid, "no tool named \"" + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape) + "\" is on offer; known: " + list,
                  NearestHint(name, offered));
    }
    if (std::find(left.begin(), left.end(), name) == left.end()) left.push_back(name);
  }
  return left;
}

std::vector<std::string> SplitComma(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

// The flags', else the ticket's, else the definition's, else the user's default.
Status PrepareModel(ModelFlags flags, Prepared* prepared) {
  subagents::TaskTicket& ticket = prepared->investigation.ticket;
  if (flags.model.empty() && flags.base_url.empty())
    for (const std::string& name : {ticket.model, prepared->investigation.definition.model, prepared->config.default_model})
      if (flags.model.empty()) flags.model = name;
  prepared->model = TRY(ChooseModel(flags, prepared->config));
  ticket.model = prepared->model.name;
  TRY(HasPrices(prepared->model, ticket.budget));
  agentcore::ConversationSetup first = SubagentConversation(prepared->investigation.definition, prepared->investigation.tools, ticket.response_schema);
  first.goal = ticket.goal;
  first.context = ticket.context;
  if (const auto model = MakeModel(prepared->model, {})) TRY(PaysForAQuestion(first, ticket.budget, *model));
  return {};
}

// A shipped one, one of the user's own, or one of another tool: in the user's home, or in the repository, where that is trusted.
Result<subagents::Definition> ChooseDefinition(const InvestigateOptions& options, const std::string& name, int cancel_fd, Prepared* prepared) {
  auto own = FindDefinition(name, AllTools());
  if (own || own.error().kind != ErrorKind::kNotFound) return own;
  auto workspace = sandbox::ResolveWorkspace(options.repo, {sandbox::HomeFolders(), options.insist});
  if (!workspace) return own;
  prepared->cells.Setup(prepared->config.jail_uid, cancel_fd);
  const ForeignAgents others = UsableAgents(&prepared->cells, *workspace, options.insist.empty() ? workspace->path : "");
  const std::optional<ForeignAgent> found = TRY(FindForeignAgent(name, others));
  if (!found) {
    for (const std::string& warning : others.warnings) prepared->notes.push_back(warning);
    Error error = own.error();
    if (!others.warnings.empty()) error.hint = others.warnings.front();
    else if (error.hint.empty()) error.hint = "paddock subagents list names those that other tools have, and which of a repository are not trusted";
    return std::unexpected(std::move(error));
  }
  prepared->notes.push_back("the subagent is from " + found->file + " (" + NameOf(found->what.format) + ")");
  if (std::string lost = LossText(found->what); !lost.empty()) prepared->notes.push_back(std::move(lost));
  return found->what.definition;
}

Result<Prepared> Prepare(const InvestigateOptions& options, int cancel_fd, sandbox::Faults* further) {
  Prepared prepared;
  Investigation& in = prepared.investigation;
  prepared.config = TRY(LoadConfig());
  if (!options.ticket.empty()) {
    if (!options.subagent.empty() || !options.goal.empty())
      return Fail(ErrorKind::kInvalid, "--ticket and a subagent on the command line: expected one of them");
    in.ticket = TRY(TicketFromFile(options.ticket, cancel_fd));
  } else {
    if (options.subagent.empty()) return Fail(ErrorKind::kInvalid, "no subagent named", "for example: paddock investigate explorer \"what is this?\"");
    if (options.goal.empty()) return Fail(ErrorKind::kInvalid, "no goal given for the subagent \"" + VisibleText(TruncateUtf8(options.subagent, 64), Newlines::kEscape) + "\"",
                  "say first who, then what is to be found out, in quotes: paddock investigate explorer \"what is this?\"");
    in.ticket.subagent = options.subagent;
    in.ticket.goal = options.goal;
    if (!IsValidUtf8(in.ticket.goal)) return Fail(ErrorKind::kInvalid, "the goal is not valid UTF-8");
    in.ticket.context = TRY(ContextOf(options, cancel_fd));
    if (!IsValidUtf8(in.ticket.context)) return Fail(ErrorKind::kInvalid, "the context is not valid UTF-8");
  }
  if (!options.schema.empty()) {
    if (!in.ticket.response_schema.is_null()) return Fail(ErrorKind::kInvalid, "--schema, and a response_schema in the ticket: expected one of them");
    in.ticket.response_schema = TRY(SchemaFromFile(options.schema));
  }
  // The same bounds as for a ticket that comes as JSON; the name is looked up by itself, which says more.
  subagents::TaskTicket texts = in.ticket;
  texts.subagent = "any";
  if (auto bounded = FromJson<subagents::TaskTicket>(ToJson(texts)); !bounded) return std::unexpected(bounded.error());
  in.definition = TRY(ChooseDefinition(options, in.ticket.subagent, cancel_fd, &prepared));
  if (options.ticket.empty()) {
    in.ticket.budget.turns = in.definition.budget.turns;
    in.ticket.budget.wall_ms = in.definition.budget.seconds * 1000;
  }
  TRY(ApplyLimits(options, &in.ticket.budget));
  sandbox::LoadedProfile loaded = TRY(FindProfile(in.definition.profile, options.insist.empty() ? options.repo : "", further));
  in.profile = std::move(loaded.profile);
  prepared.warnings = std::move(loaded.warnings);
  TRY(sandbox::FitsCell(in.profile));
  TRY(HideAsAsked(options.hide, &in.profile.filesystem.hide));
  in.asked_hidden = options.hide;
  if (std::string note = HistoryNote(options.hide); !note.empty()) prepared.notes.push_back(std::move(note));
  in.sealed_profile = TRY(FindProfile("sealed")).profile;
  in.runs = TRY(ChooseRunPolicy(options.run, prepared.config));
  if (in.profile.filesystem.workspace == sandbox::WorkspaceAccess::kNone)
    return Fail(ErrorKind::kInvalid, "profile " + in.profile.name + " has no workspace: a subagent could see nothing", "choose one such as read-only");
  in.tools = TRY(NarrowTools(in.definition.tools, in.ticket.tools));
  if (options.tools) in.ticket.tools = in.tools = TRY(NarrowTools(in.tools, SplitComma(*options.tools)));
  TRY(ToolsFit(in.tools, in.profile));
  TRY(PrepareModel(options.model, &prepared));
  // Playbooks come with the shipped definitions.
  const std::vector<std::string> played = subagents::BuiltinDefinitionNames();
  const bool playbook = !prepared.model.endpoint && !prepared.model.script;
  if (playbook && std::find(played.begin(), played.end(), in.definition.name) == played.end())
    return Fail(ErrorKind::kInvalid, "there is no playbook for the subagent " + in.definition.name,
                "playbooks come with the shipped subagents only: choose a language model (--model, or default_model in config.json)");
  in.workspace = TRY(sandbox::ResolveWorkspace(options.repo, {sandbox::HomeFolders(), options.insist}));
  TRY(OwnFoldersOutside(in.workspace, !options.insist.empty()));
  if (std::string note = PartNote(in.workspace); !note.empty()) prepared.notes.push_back(std::move(note));
  return prepared;
}

subagents::ResultTicket CouldNotStart(const Investigation& in, const Error& error) {
  subagents::ResultTicket ticket;
  ticket.id = in.ticket.id;
  ticket.subagent = in.definition.name;
  ticket.model = in.ticket.model;
  ticket.status = subagents::TicketStatus::kFailedToStart;
  ticket.ending = {"setup_error", error.sys_errno, error.message, error.hint};
  return ticket;
}

// `data` is shown where a shape was asked for.
int Deliver(const InvestigateOptions& options, const subagents::ResultTicket& ticket, bool with_data = false) {
  // Where the result goes to a file or a program, a person still learns why there was none.
  if (ticket.status == subagents::TicketStatus::kFailedToStart && isatty(1) != 1)
    PrintError(Error{ErrorKind::kSystem, "failed to start: " + ticket.ending.detail, ticket.ending.hint, 0});
  const std::string text = options.json ? DumpJson(ToJson(ticket)) + "\n" : TicketText(ticket, StyleOfStdout(), !options.model.replay_cassette.empty(), with_data);
  if (!options.json) PrintGap();
  if (!PrintAll(1, text)) return kExitInternal;
  return ExitStatusOf(ticket.status);
}

}  // namespace

int RunInvestigate(const InvestigateOptions& options) {
  auto cancel_fd = StopDescriptor();
  if (!cancel_fd) return PrintError(cancel_fd.error()), kExitInternal;
  sandbox::Faults further;
  auto prepared = Prepare(options, *cancel_fd, &further);
  if (!prepared) return PrintErrors(prepared.error(), further), kExitUsage;
  Investigation& in = prepared->investigation;
  in.ticket.id = NewRunId();

  // Early, while this process is small.
  auto programs = ProgramsFolder();
  if (!programs) return Deliver(options, CouldNotStart(in, programs.error()));
  PrepareRuns(&in.runs, *programs, prepared->config);
  prepared->cells.Setup(prepared->config.jail_uid, *cancel_fd);
  auto starter = prepared->cells.Take();
  if (!starter) return Deliver(options, CouldNotStart(in, starter.error()));
  auto cassette = OpenCassette(options.model, prepared->model, options.insist.empty() ? in.workspace.path : "");
  if (!cassette) return PrintError(cassette.error()), kExitUsage;
  auto state = StateFolder();
  if (!state) return PrintError(state.error()), kExitUsage;
  // The keys that this program holds are known; what the ticket brings along is told by its shape.
  const agentcore::Redactor redactor(prepared->model.keys());
  in.redactor = &redactor;
  auto record = RunRecord::Create(*state, in.ticket.id, redactor.RedactJson(ToJson(in.ticket)));
  if (!record) return Deliver(options, CouldNotStart(in, record.error()));

  FramePool pool(kLargeFrames);
  ProgressView view(2, in.ticket.budget.turns);
  in.starter = starter->get();
  in.events = record->get();
  in.pool = &pool;
  in.cancel_fd = *cancel_fd;
  in.watcher = [&](const Progress& progress) { view.Show(progress); };
  ModelUse use{*programs, *cancel_fd, [&](const std::string& text) { view.Keep(text); }};
  use.events = record->get();
  use.redactor = &redactor;
  use.cassette = cassette->get();
  auto model = MakeModel(std::move(prepared->model), use);
  in.model = model.get();
  view.Say("jail for " + in.definition.name + " on " + VisibleText(in.workspace.path, Newlines::kEscape));
  subagents::ResultTicket ticket = Investigate(in);
  view.Done();
  view.Last("record: " + (*record)->folder());
  model.reset();  // so that the cassette is whole
  if (*cassette)
    for (std::string& note : (*cassette)->notes()) ticket.notes.push_back(std::move(note));
  for (std::string& note : prepared->notes) ticket.notes.push_back(std::move(note));
  for (std::string& note : sandbox::NotesOf(prepared->warnings)) ticket.notes.push_back(std::move(note));
  for (std::string& note : (*record)->notes()) ticket.notes.push_back(std::move(note));
  if (auto written = (*record)->WriteResult(ToJson(ticket)); !written) ticket.notes.push_back("the record has no result: " + written.error().message);
  return Deliver(options, ticket, !in.ticket.response_schema.is_null());
}

}  // namespace paddock::orchestrator

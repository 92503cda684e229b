#include "orchestrator/cli/tool_call.h"

#include <unistd.h>

#include <algorithm>

#include "agentcore/tools/tool.h"
#include "base/text.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/stop_signals.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/cli/tool_arguments.h"
#include "orchestrator/delegation/investigation.h"
#include "orchestrator/delegation/tool_call.h"
#include "orchestrator/delegation/tool_needs.h"
#include "orchestrator/report/tool_text.h"

namespace paddock::orchestrator {
namespace {

using subagents::TicketStatus;
using subagents::ToolCallReport;

struct Prepared {
  ToolCallOrder order;
  Config config;
  std::vector<sandbox::ProfileWarning> warnings;  // of the profile
};

Result<Json> ReadArguments(const ToolCallOptions& options, const Json& schema, int cancel_fd) {
  if (options.arguments && !options.words.empty())
    return Fail(ErrorKind::kInvalid, "arguments as JSON and with --arg: expected one of them");
  if (options.arguments) return ArgumentsFromJson(*options.arguments);
  return ArgumentsFromWords(schema, options.words, [&] { return ReadStandardInput(cancel_fd); });
}

std::unexpected<Error> Refused(const agentcore::ToolError& error) {
  std::string hint = error.hint;
  for (const std::string& action : error.next_actions) hint += "; " + action;
  return Fail(ErrorKind::kInvalid, error.message, hint);
}

// Everything that can be decided before anything is started.
Result<Prepared> Prepare(const ToolCallOptions& options, int cancel_fd, sandbox::Faults* further) {
  const auto registry = agentcore::ReadOnlyTools();
  if (options.tool.empty())
    return Fail(ErrorKind::kInvalid, "no tool named", "for example: paddock tool call read_file --arg path=README.md; see paddock tool list");
  // A name that is unknown says so, whatever its arguments are.
  if (!registry.Find(options.tool)) return Refused(agentcore::CheckCall(registry, options.tool, Json::object()).error());
  Prepared prepared;
  ToolCallOrder& order = prepared.order;
  prepared.config = TRY(LoadConfig());
  order.tool = options.tool;
  order.wall_ms = TRY(ReadTimeout(options.timeout));
  order.arguments = TRY(ReadArguments(options, registry.Find(options.tool)->spec().parameters, cancel_fd));
  // What the arguments are is decided here; what they name, in the jail.
  if (auto checked = agentcore::CheckCall(registry, order.tool, order.arguments);
      !checked && checked.error().status == agentcore::ToolStatus::kInvalidArguments)
    return Refused(checked.error());
  sandbox::LoadedProfile loaded = TRY(FindProfile(options.profile.empty() ? ProfileForTool(order.tool) : options.profile, options.insist.empty() ? options.repo : "", further));
  order.profile = std::move(loaded.profile);
  prepared.warnings = std::move(loaded.warnings);
  TRY(sandbox::FitsCell(order.profile));
  TRY(ToolsFit({order.tool}, order.profile));
  if (order.profile.filesystem.workspace == sandbox::WorkspaceAccess::kNone)
    return Fail(ErrorKind::kInvalid, "profile " + order.profile.name + " has no workspace: a tool could see nothing", "choose one such as read-only");
  order.workspace = TRY(sandbox::ResolveWorkspace(options.repo, {sandbox::HomeFolders(), options.insist}));
  TRY(OwnFoldersOutside(order.workspace, !options.insist.empty()));
  return prepared;
}

ToolCallReport CouldNotStart(const ToolCallOrder& order, const Error& error) {
  ToolCallReport report;
  report.tool = order.tool;
  report.arguments = order.arguments;
  report.ending = {"setup_error", error.sys_errno, error.message, error.hint};
  return report;
}

int StatusOf(const ToolCallReport& report) {
  switch (report.status) {
    case TicketStatus::kFailedToStart: return kExitFailedToStart;
    case TicketStatus::kCancelled: return StopSignal() ? kExitSignalBase + StopSignal() : kExitNotCompleted;
    case TicketStatus::kCompleted: return report.result && report.result->status == agentcore::ToolStatus::kOk ? kExitCompleted : kExitNotCompleted;
    default: return kExitNotCompleted;
  }
}

int Deliver(const ToolCallOptions& options, const ToolCallReport& report) {
  // Where the result goes to a file or a program, a person still learns why there was none.
  if (report.status == TicketStatus::kFailedToStart && isatty(1) != 1)
    PrintError(Error{ErrorKind::kSystem, "failed to start: " + report.ending.detail, report.ending.hint, 0});
  const std::string text = options.json ? DumpJson(ToJson(report)) + "\n" : ToolCallText(report, StyleOfStdout());
  if (!PrintAll(1, text)) return kExitInternal;
  return StatusOf(report);
}

}  // namespace

int RunToolCall(const ToolCallOptions& options) {
  auto cancel_fd = StopDescriptor();
  if (!cancel_fd) return PrintError(cancel_fd.error()), kExitInternal;
  sandbox::Faults further;
  auto prepared = Prepare(options, *cancel_fd, &further);
  if (!prepared) {
    PrintErrors(prepared.error(), further);
    return prepared.error().kind == ErrorKind::kCancelled && StopSignal() ? kExitSignalBase + StopSignal() : kExitUsage;
  }
  ToolCallOrder& order = prepared->order;
  // Early, while this process is small.
  auto programs = ProgramsFolder();
  if (!programs) return Deliver(options, CouldNotStart(order, programs.error()));
  auto starter = CellStarter::Make(*programs, static_cast<uint32_t>(prepared->config.jail_uid));
  if (!starter) return Deliver(options, CouldNotStart(order, starter.error()));
  FramePool pool(kLargeFrames);
  order.starter = starter->get();
  order.pool = &pool;
  order.cancel_fd = *cancel_fd;
  ToolCallReport report = CallTool(order);
  for (std::string& note : sandbox::NotesOf(prepared->warnings)) report.notes.push_back(std::move(note));
  return Deliver(options, report);
}

int RunToolList(bool json) {
  const auto registry = agentcore::ReadOnlyTools();
  subagents::ToolList list;
  std::string text;
  for (const std::string& name : registry.Names()) {
    const agentcore::ToolSpec& spec = registry.Find(name)->spec();
    list.tools.push_back({spec.name, spec.description, spec.parameters});
    text += name + std::string(14 - std::min<size_t>(name.size(), 12), ' ') + UseOf(spec.description) + "\n";
  }
  if (json) text = DumpJson(ToJson(list)) + "\n";
  return PrintAll(1, text) ? kExitCompleted : kExitInternal;
}

}  // namespace paddock::orchestrator

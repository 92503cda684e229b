#include "orchestrator/cli/recheck.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>

#include "agentcore/tools/tool.h"
#include "base/text.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/hide_patterns.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/stop_signals.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/delegation/checker.h"
#include "orchestrator/delegation/hidden_paths.h"
#include "orchestrator/delegation/investigation.h"
#include "orchestrator/delegation/recheck.h"
#include "orchestrator/report/recheck_text.h"
#include "orchestrator/session/record.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxTicketBytes = 16u << 20;
constexpr auto kSpan = std::chrono::minutes(5);
constexpr char kNeedsRepo[] = "say in which folder it is to be checked: --repo DIR";

std::string Visible(const std::string& text) { return VisibleText(text, Newlines::kEscape); }

struct Found {
  CitingTicket ticket;
  std::string repository;  // by the user's own record; else empty
};

bool IsFolder(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

std::string RealPath(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  std::string out = real ? real : "";
  ::free(real);
  return out;
}

// What the run was on. Only the user's own records are asked: another's folder may name any place.
std::string RepositoryOf(const ReadRecord& record) {
  for (const Json& event : record.events)
    if (event.contains("type") && event["type"] == "workspace" && event["data"].is_object() && event["data"].contains("path") && event["data"]["path"].is_string())
      if (auto bytes = PathFromText(event["data"]["path"].get<std::string>())) return *bytes;
  return "";
}

Result<Found> FromRecord(const std::string& folder, const std::string& runs) {
  auto record = LoadRecord(folder);
  if (!record) return Fail(ErrorKind::kInvalid, Visible(folder) + ": no record: " + record.error().message);
  if (!record->result) return Fail(ErrorKind::kInvalid, Visible(folder) + ": the record has no result.json that can be read", record->problems.empty() ? "the run did not come to its end" : record->problems.front());
  auto ticket = ReadCitingTicket(*record->result);
  if (!ticket) return Fail(ErrorKind::kInvalid, Visible(folder) + "/result.json: " + ticket.error().message, ticket.error().hint);
  const std::string real = RealPath(folder), own = RealPath(runs);
  return Found{*std::move(ticket), !own.empty() && real.starts_with(own + "/") ? RepositoryOf(*record) : ""};
}

Result<Found> FromFile(const std::string& path) {
  const std::string text = TRY(ReadSmallFile(path, kMaxTicketBytes));
  auto json = ParseJson(text, {.max_bytes = kMaxTicketBytes, .max_values = 1'000'000});
  if (!json) return Fail(ErrorKind::kInvalid, Visible(path) + ": " + json.error().message);
  auto ticket = ReadCitingTicket(*json);
  if (!ticket) return Fail(ErrorKind::kInvalid, Visible(path) + ": " + ticket.error().message, ticket.error().hint);
  return Found{*std::move(ticket), ""};
}

Result<Found> FindTicket(const std::string& named) {
  if (named.empty()) return Fail(ErrorKind::kInvalid, "no ticket named", "for example the id of a run: paddock recheck 20260131-235959-1a2b3c4d5e6f");
  const std::string runs = TRY(StateFolder()) + "/paddock/runs";
  if (named.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos && IsFolder(runs + "/" + named)) return FromRecord(runs + "/" + named, runs);
  if (IsFolder(named)) return FromRecord(named, runs);
  auto found = FromFile(named);
  if (!found && found.error().kind == ErrorKind::kNotFound)
    return Fail(ErrorKind::kInvalid, Visible(named) + ": there is no run of that id, and no such file or folder", "records are in " + Visible(runs));
  return found;
}

struct Prepared {
  Found found;
  sandbox::Profile profile;
  sandbox::Workspace workspace;
  Config config;
};

// The subagent's own profile where there is one, and what read-only hides is hidden too: the name is only the ticket's word.
Result<sandbox::Profile> ProfileFor(const RecheckOptions& options, const std::string& subagent, const std::string& repository, sandbox::Faults* further) {
  std::string name = options.profile;
  if (name.empty())
    if (auto definition = FindDefinition(subagent, agentcore::ReadOnlyTools().Names())) name = definition->profile;
  const std::string outside = options.insist.empty() ? repository : "";
  sandbox::Profile usual = TRY(FindProfile("read-only", outside, further)).profile;
  if (name.empty() || name == "read-only") return usual;
  sandbox::Profile profile = TRY(FindProfile(name, outside, further)).profile;
  HideAsWell(usual.filesystem.hide, &profile.filesystem.hide);
  return profile;
}

Result<Prepared> Prepare(const RecheckOptions& options, sandbox::Faults* further) {
  Prepared prepared;
  prepared.config = TRY(LoadConfig());
  prepared.found = TRY(FindTicket(options.ticket));
  const std::string repository = options.repo.empty() ? prepared.found.repository : options.repo;
  if (repository.empty()) return Fail(ErrorKind::kInvalid, "the repository is not known: a ticket in a file does not say where it is, and an older record neither", kNeedsRepo);
  auto workspace = sandbox::ResolveWorkspace(repository, {sandbox::HomeFolders(), options.insist});
  if (!workspace && options.repo.empty()) return Fail(workspace.error().kind, "the repository of the run: " + workspace.error().message, kNeedsRepo);
  prepared.workspace = TRY(std::move(workspace));
  TRY(OwnFoldersOutside(prepared.workspace, !options.insist.empty()));
  prepared.profile = TRY(ProfileFor(options, prepared.found.ticket.subagent, repository, further));
  TRY(sandbox::FitsCell(prepared.profile));
  if (prepared.profile.filesystem.workspace == sandbox::WorkspaceAccess::kNone)
    return Fail(ErrorKind::kInvalid, "profile " + prepared.profile.name + " has no workspace: nothing could be checked", "choose one such as read-only");
  return prepared;
}

int NotStarted(const Error& error) {
  PrintError(Error{error.kind, "failed to start: " + error.message, error.hint, 0});
  return error.kind == ErrorKind::kCancelled && StopSignal() ? kExitSignalBase + StopSignal() : kExitFailedToStart;
}

}  // namespace

int RunRecheck(const RecheckOptions& options) {
  auto cancel_fd = StopDescriptor();
  if (!cancel_fd) return PrintError(cancel_fd.error()), kExitInternal;
  sandbox::Faults further;
  auto prepared = Prepare(options, &further);
  if (!prepared) return PrintErrors(prepared.error(), further), kExitUsage;
  auto programs = ProgramsFolder();
  if (!programs) return NotStarted(programs.error());
  auto starter = CellStarter::Make(*programs, static_cast<uint32_t>(prepared->config.jail_uid));
  if (!starter) return NotStarted(starter.error());
  FramePool pool(kLargeFrames);
  const Deadline deadline = Deadline::After(kSpan);
  auto hidden = FindHiddenPaths(starter->get(), prepared->profile, prepared->workspace, &pool, *cancel_fd, deadline);
  if (!hidden) return NotStarted(hidden.error().error);
  const CellStarter::Wanted wanted{&prepared->profile, &prepared->workspace, std::chrono::milliseconds(kSpan).count() + 5'000, *cancel_fd, &hidden->paths};
  // Where there is no jail, there is no answer either.
  std::optional<Error> refused;
  bool started = false;
  const agentcore::Redactor& redactor = agentcore::OrCommonKinds(nullptr);
  Recheck recheck = RecheckCitations(prepared->found.ticket, [&] {
    auto checker = Checker::Start(starter->get(), wanted, &pool);
    if (checker) started = true;
    else refused = checker.error();
    return checker;
  }, redactor, deadline);
  if (StopSignal()) return PrintError(Error{ErrorKind::kCancelled, "told to stop: nothing was checked to its end", "", 0}), kExitSignalBase + StopSignal();
  if (refused && !started) return NotStarted(*refused);
  recheck.repository = PathToText(prepared->workspace.path);
  for (std::string& note : hidden->notes) recheck.notes.push_back(std::move(note));
  const std::string text = options.json ? DumpJson(ToJson(recheck)) + "\n" : RecheckText(recheck, StyleOfStdout());
  if (!PrintAll(1, text)) return kExitInternal;
  return recheck.verified == recheck.citations ? kExitCompleted : kExitNotCompleted;
}

}  // namespace paddock::orchestrator

#include "orchestrator/cli/trust.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "base/fields.h"
#include "base/text.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/foreign_agents.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/stop_signals.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/delegation/tool_needs.h"
#include "orchestrator/session/record.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kFirstLines = 12;
constexpr size_t kFirstBytes = 2000;

// Where the user's own things and the repository are, checked.
struct Place {
  sandbox::Workspace workspace;
  std::string state;
};
Result<Place> PlaceOf(const TrustOptions& options) {
  Place place;
  place.workspace = TRY(sandbox::ResolveWorkspace(options.repo, {sandbox::HomeFolders(), ""}));
  TRY(OwnFoldersOutside(place.workspace, false));
  place.state = TRY(StateFolder());
  return place;
}

int Refused(const Error& error) {
  PrintError(error);
  switch (error.kind) {
    case ErrorKind::kInvalid:
    case ErrorKind::kNotFound:
    case ErrorKind::kDenied:
    case ErrorKind::kLimit: return kExitUsage;
    case ErrorKind::kCancelled: return StopSignal() ? kExitSignalBase + StopSignal() : kExitFailedToStart;
    default: return kExitFailedToStart;
  }
}

Result<FoundDefinitions> ReadNow(const Place& place, CellSupply* cells) {
  const Config config = TRY(LoadConfig());
  cells->Setup(config.jail_uid, TRY(StopDescriptor()));
  const CellAccess access = TRY(cells->Get());
  return ReadDefinitions(access, place.workspace, RepositoryPlaces());
}

CarriedOver Carried(const subagents::ForeignDefinition& file) { return CarryOver(file, {AllTools(), false}); }

std::string Joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// The first lines, each behind a bar, so that nothing in it looks like words of paddock's.
std::string FirstLines(const std::string& prompt) {
  std::string text;
  size_t shown = 0, at = 0;
  for (; shown < kFirstLines && at < prompt.size() && at < kFirstBytes; ++shown) {
    const size_t end = std::min(prompt.find('\n', at), prompt.size());
    text += "    | " + std::string(TruncateUtf8(std::string_view(prompt).substr(at, end - at), 300)) + (end - at > 300 ? " …" : "") + "\n";
    at = end + 1;
  }
  if (at < prompt.size()) text += "    … " + std::to_string(std::count(prompt.begin() + static_cast<ptrdiff_t>(at), prompt.end(), '\n')) + " more lines\n";
  return text;
}

std::string Described(const CarriedOver& one, const std::string& state) {
  std::string text = one.path + "  " + std::to_string(one.bytes) + " bytes, SHA-256 " + (one.sha256.empty() ? "(not read)" : one.sha256) + (state.empty() ? "" : "  " + state) + "\n";
  if (!one.usable()) return text + "    not usable: " + (one.faults[0].line > 0 ? "line " + std::to_string(one.faults[0].line) + ": " : "") + one.faults[0].message + "\n";
  const subagents::Definition& own = one.definition;
  text += "    name     " + own.name + "\n    purpose  " + own.purpose + "\n    tools    " + Joined(own.tools) + "; profile " + own.profile + ", " + std::to_string(own.budget.turns) + " turns, " +
          std::to_string(own.budget.seconds) + " s\n";
  if (const std::string lost = LossText(one); !lost.empty()) text += "    " + lost + "\n";
  return text + FirstLines(own.prompt.substr(0, one.own_prompt));
}

std::string When(int64_t ms) {
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc));
}

// y or yes and Enter, from the terminal. False: anything else.
Result<bool> Asked(const std::string& question) {
  if (isatty(0) != 1 || isatty(2) != 1) return Fail(ErrorKind::kInvalid, "nobody can be asked: this is no terminal", "look at what is above, and say it with --yes");
  (void)!write(2, question.data(), question.size());
  const int cancel = TRY(StopDescriptor());
  std::string answer;
  for (char c = 0; answer.size() < 64;) {
    pollfd wait[2] = {{0, POLLIN, 0}, {cancel, POLLIN, 0}};
    if (poll(wait, 2, -1) < 0 && errno != EINTR) return FailErrno("the terminal");
    if (wait[1].revents) return Fail(ErrorKind::kCancelled, "told to stop");
    if (!wait[0].revents) continue;
    const ssize_t n = read(0, &c, 1);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0 || c == '\n') break;
    answer += c;
  }
  return answer == "y" || answer == "yes" || answer == "Y";
}

struct TrustedFile {
  std::string path, sha256, name, state;
  int64_t bytes = 0;
};
inline auto Fields(FieldsOf<TrustedFile>) {
  using T = TrustedFile;
  return std::make_tuple(Required("path", &T::path, "in the repository"), Required("sha256", &T::sha256, "of the file"), Required("name", &T::name, "of the agent, or empty"),
                         Required("state", &T::state, "same, changed, new or gone"), Required("bytes", &T::bytes, "of the file"));
}
struct ShownTrust {
  std::string schema = "paddock/trust-shown/1";
  std::string repository;
  bool trusted = false;  // and as it was
  std::optional<int64_t> added_ms;
  std::vector<TrustedFile> files;
};
inline auto Fields(FieldsOf<ShownTrust>) {
  using T = ShownTrust;
  return std::make_tuple(Required("schema", &T::schema, "paddock/trust-shown/1"), Required("repository", &T::repository, "its path"), Required("trusted", &T::trusted, "as it is now"),
                         Required("added_ms", &T::added_ms, "when, or null"), Required("files", &T::files, "then and now"));
}

TrustedFile Row(const CarriedOver& one, const char* state) { return {one.path, one.sha256, one.definition.name, state, static_cast<int64_t>(one.bytes)}; }

}  // namespace

int RunTrustAdd(const TrustOptions& options) {
  auto place = PlaceOf(options);
  if (!place) return Refused(place.error());
  CellSupply cells;
  auto found = ReadNow(*place, &cells);
  if (!found) return Refused(found.error());
  const std::string shown = PathToText(place->workspace.path);
  if (found->files.empty() && found->incomplete.empty())
    return PrintError(Error{ErrorKind::kNotFound, "there are no definitions of agents in " + shown, "they are looked for in .claude/agents, .gemini/agents, .opencode/agents and .codex/agents", 0}), kExitNotCompleted;
  if (!found->incomplete.empty())
    return Refused(Error{ErrorKind::kInvalid, "not all definitions of agents could be looked at: " + found->incomplete.front(), "what was not seen can't be trusted", 0});
  std::string text;
  size_t usable = 0;
  for (const subagents::ForeignDefinition& file : found->files) {
    const CarriedOver one = Carried(file);
    usable += one.usable();
    text += Described(one, "");
  }
  if (!PrintAll(1, VisibleText(text, Newlines::kKeep))) return kExitInternal;
  if (usable == 0) return PrintError(Error{ErrorKind::kInvalid, "none of them could be used", "see paddock subagents lint " + shown, 0}), kExitNotCompleted;
  const std::string what = std::to_string(usable) + (usable == 1 ? " agent of " : " agents of ") + shown;
  if (!options.yes) {
    auto yes = Asked("Trust " + what + ", with exactly this content? [y/N] ");
    if (!yes) return Refused(yes.error());
    if (!*yes) return PrintError(Error{ErrorKind::kInvalid, "nothing was trusted", "", 0}), kExitNotCompleted;
  }
  Trust trust;
  trust.repository = shown;
  trust.added_ms = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  trust.digest = DigestOf(found->files);
  trust.files = std::move(found->files);
  if (auto saved = SaveTrust(place->state, place->workspace.path, trust); !saved) return Refused(saved.error());
  return PrintAll(1, "trusted: " + what + "\n") ? kExitCompleted : kExitInternal;
}

int RunTrustList(const TrustOptions& options) {
  auto state = StateFolder();
  if (!state) return Refused(state.error());
  auto list = ListTrusts(*state);
  if (!list) return Refused(list.error());
  if (list->damaged > 0) PrintError(Error{ErrorKind::kInvalid, std::to_string(list->damaged) + " entries of " + PathToText(*state) + "/paddock/trust are damaged, and trusted is nothing by them", "", 0});
  std::string text;
  Json rows = Json::array();
  for (const Trust& trust : list->trusts) {
    rows.push_back(Json{{"repository", trust.repository}, {"added_ms", trust.added_ms}, {"files", trust.files.size()}, {"digest", trust.digest}});
    text += trust.repository + "  " + std::to_string(trust.files.size()) + (trust.files.size() == 1 ? " file, " : " files, ") + When(trust.added_ms) + "\n";
  }
  if (options.json) text = DumpJson(Json{{"schema", "paddock/trust-list/1"}, {"repositories", rows}}) + "\n";
  else if (text.empty()) text = "nothing is trusted\n";
  return PrintAll(1, VisibleText(text, Newlines::kKeep)) ? kExitCompleted : kExitInternal;
}

int RunTrustShow(const TrustOptions& options) {
  auto place = PlaceOf(options);
  if (!place) return Refused(place.error());
  auto trust = LoadTrust(place->state, place->workspace.path);
  if (!trust) return Refused(trust.error());
  CellSupply cells;
  auto found = ReadNow(*place, &cells);
  if (!found) return Refused(found.error());
  ShownTrust shown;
  shown.repository = PathToText(place->workspace.path);
  std::string text;
  const std::vector<subagents::ForeignDefinition> none;
  const auto& kept = *trust ? (*trust)->files : none;
  if (*trust) shown.added_ms = (*trust)->added_ms;
  shown.trusted = *trust && found->incomplete.empty() && DigestOf(found->files) == (*trust)->digest;
  const auto add = [&](const subagents::ForeignDefinition& file, const char* state) {
    const CarriedOver one = Carried(file);
    shown.files.push_back(Row(one, state));
    text += Described(one, state);
  };
  for (const subagents::ForeignDefinition& now : found->files) {
    auto then = std::find_if(kept.begin(), kept.end(), [&](const auto& one) { return one.path == now.path; });
    const bool same = then != kept.end() && FileHash(*then) == FileHash(now);
    if (then != kept.end() && !same) add(*then, "as you trusted it");
    add(now, then == kept.end() ? (*trust ? "new" : "not trusted") : same ? "same" : "changed since");
  }
  for (const subagents::ForeignDefinition& then : kept)
    if (std::none_of(found->files.begin(), found->files.end(), [&](const auto& one) { return one.path == then.path; })) add(then, "gone since");
  for (const std::string& why : found->incomplete) text += "not all was looked at: " + why + "\n";
  text += !*trust ? "not trusted: paddock trust add " + shown.repository + "\n"
          : shown.trusted ? "trusted since " + When((*trust)->added_ms) + ", and the same now\n"
                          : "changed since you trusted it (" + When((*trust)->added_ms) + "), so none is used: paddock trust add " + shown.repository + " trusts them as they are now\n";
  if (!PrintAll(1, options.json ? DumpJson(ToJson(shown)) + "\n" : VisibleText(text, Newlines::kKeep))) return kExitInternal;
  return shown.trusted ? kExitCompleted : kExitNotCompleted;
}

int RunTrustRemove(const TrustOptions& options) {
  auto state = StateFolder();
  if (!state) return Refused(state.error());
  // The folder may be gone: then it goes by the name that it had.
  char resolved[PATH_MAX];
  std::string path = realpath(options.repo.c_str(), resolved) ? resolved : options.repo;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  auto removed = RemoveTrust(*state, path);
  if (!removed) return Refused(removed.error());
  if (!*removed) return PrintError(Error{ErrorKind::kNotFound, "nothing is trusted of " + PathToText(path), "see paddock trust list", 0}), kExitNotCompleted;
  return PrintAll(1, "not trusted any more: " + PathToText(path) + "\n") ? kExitCompleted : kExitInternal;
}

}  // namespace paddock::orchestrator

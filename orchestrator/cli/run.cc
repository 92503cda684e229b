#include "orchestrator/cli/run.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/run/run_text.h"
#include "orchestrator/run/runner.h"
#include "sandbox/profile_json.h"
#include "sandbox/program_plan.h"

namespace paddock::orchestrator {
namespace {

constexpr const char* kTakeAWord[] = {"--profile", "--repo", "--insist", "--timeout"};

// What is decided before anything is started, but for the plan.
struct Prepared {
  sandbox::Profile profile;
  std::optional<sandbox::Workspace> workspace;
  std::optional<int64_t> timeout_ms;
  std::vector<std::string> command;
  Config config;
  std::vector<sandbox::ProfileWarning> warnings;  // of the profile
};

std::vector<std::string> ShellOf(const sandbox::Profile& profile) {
  const std::string root = profile.filesystem.root == sandbox::RootKind::kImage ? profile.filesystem.image : "";
  const bool bash = access((root + "/bin/bash").c_str(), X_OK) == 0 || access((root + "/usr/bin/bash").c_str(), X_OK) == 0;
  std::vector<std::string> command{bash ? "bash" : "sh"};
  if (isatty(0) == 1 && isatty(1) == 1) command.push_back("-i");
  return command;
}

Result<Prepared> Prepare(const RunOptions& options, sandbox::Faults* further) {
  if (!options.shell && options.command.empty())
    return Fail(ErrorKind::kInvalid, "no command given", "for example: paddock run -- make check");
  Prepared prepared;
  prepared.config = TRY(LoadConfig());
  sandbox::LoadedProfile loaded = TRY(FindProfile(options.profile, {}, further));
  prepared.profile = std::move(loaded.profile);
  prepared.warnings = std::move(loaded.warnings);
  if (options.timeout) prepared.timeout_ms = TRY(ReadTimeout(*options.timeout));
  if (prepared.profile.filesystem.workspace != sandbox::WorkspaceAccess::kNone) {
    prepared.workspace = TRY(sandbox::ResolveWorkspace(options.repo.value_or("."), {sandbox::HomeFolders(), options.insist}));
    TRY(OwnFoldersOutside(*prepared.workspace, !options.insist.empty()));
    // Only the profile says whether there is a repository; what that can change is no profile.
    if (options.insist.empty()) TRY(OutsideRepository(loaded.chain, prepared.workspace->path));
  } else if (options.repo) {
    return Fail(ErrorKind::kInvalid, "profile " + prepared.profile.name + " shows no repository", "leave out --repo, or choose another profile");
  }
  if (options.shell && prepared.profile.exec.mode == sandbox::ExecRules::Mode::kList)
    return Fail(ErrorKind::kInvalid, "profile " + prepared.profile.name + " starts the programs of its list only, and no shell is one of them",
                "choose a profile that may start any program, such as build or mcp-server");
  prepared.command = options.shell ? ShellOf(prepared.profile) : options.command;
  return prepared;
}

std::string CurrentFolder() {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) ? path : "";
}

int Deliver(const RunOptions& options, const RunReport& report) {
  if (options.json && !PrintAll(1, DumpJson(ToJson(report)) + "\n")) return kExitRunPaddock;
  const std::string text = RunText(report);
  // With --json it all stands there; why there was no run a person learns all the same.
  if (!options.json || report.ending.kind == RunEndingKind::kSetupError) (void)!write(2, text.data(), text.size());
  return static_cast<int>(report.exit_status);
}

RunReport Run(const RunOptions& options, RunLauncher begun, RunSignals* signals) {
  sandbox::Faults further;
  auto prepared = Prepare(options, &further);
  if (!prepared) {
    RunReport report = NothingRan(options.command, options.profile, "usage", prepared.error());
    for (const Error& one : further) report.notes.push_back(one.message + (one.hint.empty() ? "" : "; " + one.hint));
    return report;
  }
  if (!begun.launcher) return NothingRan(prepared->command, prepared->profile.name, "launcher", begun.launcher.error());
  // Where one process is all there can be, its own limits are the jail's, and a control group would only cost its time.
  auto several = sandbox::MayStartProcesses(prepared->profile);
  if (!several) return NothingRan(prepared->command, prepared->profile.name, "plan", several.error());
  sandbox::limits::Places places;
  if (*several) places = sandbox::limits::FindPlaces(sandbox::limits::CgroupView::OfThisProcess(), sandbox::limits::Moving::kAllowed);
  RunOrder order;
  order.profile = &prepared->profile;
  order.workspace = prepared->workspace ? &*prepared->workspace : nullptr;
  order.command = prepared->command;
  order.timeout_ms = prepared->timeout_ms;
  order.keep_output = options.json;
  order.programs_folder = begun.programs_folder;
  order.working_folder = CurrentFolder();
  order.caller = sandbox::ThisCaller();
  order.caller.root_jail_uid = static_cast<uint32_t>(prepared->config.jail_uid);
  order.launcher = begun.launcher->get();
  order.places = &places;
  order.signals = signals;
  if (options.shell && isatty(0) == 1 && isatty(2) == 1) {
    const bool copy = prepared->profile.filesystem.workspace == sandbox::WorkspaceAccess::kOverlay;
    (void)PrintAll(2, "paddock: a shell in profile " + prepared->profile.name + (copy ? ", in a private copy of the folder that is gone when it ends\n" : "\n"));
  }
  RunReport report = RunInJail(order);
  for (std::string& note : sandbox::NotesOf(prepared->warnings)) report.notes.push_back(std::move(note));
  return report;
}

bool TakesAWord(const std::string& option) { return std::find(std::begin(kTakeAWord), std::end(kTakeAWord), option) != std::end(kTakeAWord); }

}  // namespace

size_t EndOfRunOptions(const std::vector<std::string>& argv) {
  for (size_t i = 2; i < argv.size(); ++i) {
    const std::string& word = argv[i];
    if (word == "--" || word.size() < 2 || word[0] != '-') return i;
    if (TakesAWord(word)) ++i;
  }
  return argv.size();
}

bool RunAsksForJson(const std::vector<std::string>& argv, size_t end) {
  for (size_t i = 2; i < end; ++i) {
    if (argv[i] == "--json") return true;
    if (TakesAWord(argv[i])) ++i;
  }
  return false;
}

RunLauncher BeginLauncher() {
  auto programs = ProgramsFolder();
  if (!programs) return {"", std::unexpected(programs.error())};
  return {*programs, sandbox::Launcher::Start(*programs + "/paddock-jail", sandbox::Launcher::Serves::kOwnRoots)};
}

int RunRun(const RunOptions& options, RunLauncher launcher) {
  auto signals = RunSignals::Install();
  if (!signals) return Deliver(options, NothingRan(options.command, options.profile, "start", signals.error()));
  return Deliver(options, Run(options, std::move(launcher), &*signals));
}

int RefuseRun(const RunOptions& options, const Error& error) { return Deliver(options, NothingRan(options.command, options.profile, "usage", error)); }

}  // namespace paddock::orchestrator

#include "sandbox/program_plan.h"

#include <linux/landlock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/text.h"
#include "sandbox/beneath.h"
#include "sandbox/call_paths.h"
#include "sandbox/command.h"
#include "sandbox/elf.h"
#include "sandbox/host_sockets.h"
#include "sandbox/plan_parts.h"
#include "sandbox/root_view.h"
#include "sandbox/syscall_filter.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {
namespace {

using Mode = ExecRules::Mode;

constexpr uint64_t kLeastShm = 1u << 20;

std::string Shown(const std::string& path) { return VisibleText(TruncateUtf8(path, 300), Newlines::kEscape); }

// A path of the host's as the jail sees it, where it lies in the workspace.
std::string InJail(const std::string& path, const Workspace* workspace) {
  if (!workspace || !path.starts_with("/") || !Beneath(path, workspace->path)) return path;
  return "/workspace" + path.substr(workspace->path.size());
}

// A listed program and what it needs, made executable where everything else is not.
Status AddExecutable(RootView* view, const std::string& name, const std::string& file) {
  const bool there = view->Has(file);
  TRY(view->Bind(file, there ? file : name, {.place_is_there = there}));
  view->Allow(there ? file : name, LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE);
  return {};
}

struct ListedProgram {
  std::string name, file;
  bool installed;
};

// Where nothing but the program is in the root, links in the names of its libraries must be there too.
void AddTopLinks(RootView* view) {
  struct stat info;
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    char text[64];
    const ssize_t n = lstat(name, &info) == 0 && S_ISLNK(info.st_mode) ? readlink(name, text, sizeof text) : -1;
    if (n > 0) view->Link(name, std::string(text, static_cast<size_t>(n)));
  }
}

// /lib/x as /usr/lib/x where /lib is a link: mounts are placed without following links.
std::string WithoutTopLink(const std::string& path) {
  struct stat info;
  const size_t end = path.find('/', 1);
  if (end == path.npos || lstat(path.substr(0, end).c_str(), &info) < 0 || !S_ISLNK(info.st_mode)) return path;
  char text[64];
  const ssize_t n = readlink(path.substr(0, end).c_str(), text, sizeof text);
  return n > 0 ? "/" + std::string(text, static_cast<size_t>(n)) + path.substr(end) : path;
}

Status AddProgram(RootView* view, const ListedProgram& program, std::set<std::string>* done) {
  auto add = [&](const std::string& name, const std::string& file) -> Status {
    const std::string place = WithoutTopLink(name);
    return done->insert(view->Has(file) ? file : place).second ? AddExecutable(view, place, file) : Status{};
  };
  TRY(add(program.name, program.file));
  if (!program.installed) {
    for (const NeededFile& one : CommonLibraries()) TRY(add(one.name, one.file));
    return {};
  }
  const std::string interpreter = TRY(ScriptInterpreter(program.file));
  if (!interpreter.empty()) {
    char resolved[PATH_MAX];
    if (!realpath(interpreter.c_str(), resolved))
      return Fail(ErrorKind::kInvalid, Shown(program.file) + " is a script for " + Shown(interpreter) + ", which is not installed");
    return AddProgram(view, {interpreter, resolved, InstalledByRoot(resolved)}, done);
  }
  for (const NeededFile& one : TRY(NeededFiles(program.file))) TRY(add(one.name, one.file));
  return {};
}

// The profile's list; the command alone where the profile has none.
Result<std::vector<ListedProgram>> Listed(const ProgramRequest& request) {
  std::vector<ListedProgram> programs;
  const ExecRules& exec = request.profile->exec;
  if (exec.mode == Mode::kNone) {
    const Command command = TRY(FindCommand(request.argv.front()));
    programs.push_back({command.file, command.file, command.installed});
    return programs;
  }
  for (const std::string& name : exec.programs) {
    auto found = FindCommand(name);
    // A listed program that isn't installed is simply not there.
    if (found && found->installed) programs.push_back({found->file, found->file, true});
  }
  return programs;
}

Status AddRoot(RootView* view, const ProgramRequest& request, bool no_exec) {
  const FilesystemRules& files = request.profile->filesystem;
  switch (files.root) {
    case RootKind::kCellOnly:
      AddTopLinks(view);
      if (Status cache = view->Bind("/etc/ld.so.cache", "/etc/ld.so.cache", {}); cache) view->Allow("/etc/ld.so.cache", LANDLOCK_ACCESS_FS_READ_FILE);
      return {};
    case RootKind::kMinimal: return AddMinimalRoot(view, no_exec);
    case RootKind::kImage: return AddImageRoot(view, files.image, no_exec);
    case RootKind::kHost: return AddHostRoot(view, request.homes, no_exec);
  }
  return {};
}

// The workspace, and with a private copy of it the program that makes it.
Status AddWorkspace(RootView* view, const ProgramRequest& request, const HostIds& ids, bool no_exec) {
  const FilesystemRules& files = request.profile->filesystem;
  if (files.workspace == WorkspaceAccess::kNone) return {};
  MountOp original = WorkspaceMount(*request.workspace, ids.id_mapped);
  if (files.workspace == WorkspaceAccess::kRead) {
    original.no_exec = no_exec;
    view->Mount(std::move(original));
    view->Allow("/workspace", no_exec ? kLandlockRead : kLandlockRun);
    return {};
  }
  original.target = kOriginal;
  original.for_copier = true;
  view->Mount(std::move(original));
  view->Allow(kOriginal, kLandlockRead);
  view->Tmpfs("/workspace", static_cast<uint64_t>(TRY(ParseSize(files.workspace_size))), 0755, no_exec);
  TRY(view->Bind(request.programs_folder + "/paddock-cell", "/cell", {.for_copier = true}));
  view->Allow("/cell", LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE);
  return {};
}

// The host's sockets that lie in what the jail sees.
void CoverSockets(RootView* view, const ProgramRequest& request) {
  const FilesystemRules& files = request.profile->filesystem;
  for (const std::string& name : HostSocketNames()) {
    if (files.workspace == WorkspaceAccess::kRead && Beneath(name, request.workspace->path)) view->Mask("/workspace" + name.substr(request.workspace->path.size()));
    if (files.root == RootKind::kImage && Beneath(name, files.image) && view->Has(name.substr(files.image.size()))) view->Mask(name.substr(files.image.size()));
    if (files.root != RootKind::kImage && view->Has(name)) view->Mask(name);
  }
}

// What the profile hides, wherever the jail sees it: in the workspace, and where the root or a further path shows the
// workspace too. The last of all, so that nothing is mounted in what is covered.
Status CoverHidden(RootView* view, const ProgramRequest& request, BuiltPlan* built) {
  const FilesystemRules& files = request.profile->filesystem;
  if (files.workspace == WorkspaceAccess::kNone) return {};
  built->hidden = TRY(HiddenTargets(*request.profile, request.hidden, files.workspace == WorkspaceAccess::kRead ? "/workspace" : kOriginal));
  for (const std::string& path : TRY(HiddenTargets(*request.profile, request.hidden, request.workspace->path))) {
    if (files.root == RootKind::kImage && Beneath(path, files.image)) built->hidden.push_back(path.substr(files.image.size()));
    const bool shown = files.root == RootKind::kHost || std::any_of(files.read.begin(), files.read.end(), [&](const std::string& one) { return Beneath(path, one) || Beneath(one, path); });
    if (shown && view->Has(path) && !view->Covers(path)) built->hidden.push_back(path);
  }
  for (const std::string& target : built->hidden) view->Mask(target, Beneath(target, kOriginal));
  return {};
}

Status AddFiles(const ProgramRequest& request, const HostIds& ids, BuiltPlan* built) {
  Plan* plan = &built->plan;
  const Profile& profile = *request.profile;
  const FilesystemRules& files = profile.filesystem;
  RootView view;
  const bool any = profile.exec.mode == Mode::kAny;
  TRY(AddRoot(&view, request, !any));
  const auto tmp = static_cast<uint64_t>(TRY(ParseSize(files.tmp)));
  // Where there is more than one program, some make terminals of their own (script, expect, test suites).
  const bool terminals = !plan->terminal_descriptors.empty() || files.root != RootKind::kCellOnly;
  TRY(AddDevices(&view, terminals, tmp ? std::max(tmp / 2, kLeastShm) : 0, !any));
  if (files.proc != ProcAccess::kNone) AddProc(&view, files.proc == ProcAccess::kPid);
  else view.Folder("/proc");
  view.Folder("/workspace");
  if (tmp) view.Tmpfs("/tmp", tmp, 01777, !any);
  else view.Folder("/tmp");
  for (const std::string& path : files.read) {
    const std::string place = WithoutTopLink(path);
    if (view.Has(place)) continue;
    TRY(view.Bind(path, place, {.no_exec = !any}));
    // A file has no right of folders (landlock_add_rule(2): EINVAL).
    struct stat info;
    const uint64_t rights = any ? kLandlockRun : kLandlockRead;
    view.Allow(place, stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) ? rights : rights & ~uint64_t{LANDLOCK_ACCESS_FS_READ_DIR});
  }
  TRY(AddWorkspace(&view, request, ids, !any));
  if (!any) {
    std::set<std::string> done;
    for (const ListedProgram& program : TRY(Listed(request))) TRY(AddProgram(&view, program, &done));
  }
  if (plan->network == Network::kOwnEmpty) CoverSockets(&view, request);
  TRY(CoverHidden(&view, request, built));
  view.MoveTo(plan);
  return {};
}

// The profile's calls, and those without which no program starts. Where programs are listed, none can be run that has no
// name: a memory file lies on no mount whose noexec could hold it.
Result<CallRules> RulesOf(const Profile& profile) {
  CallRules rules = Union(TRY(ResolveCalls(profile.syscalls.allow)), TRY(ResolveCalls({"@program", "execve"})));
  if (profile.exec.mode == Mode::kAny) return rules;
  for (const char* name : {"memfd_create", "memfd_secret", "execveat"})
    if (auto number = SystemCallNumber(name)) std::erase_if(rules, [&](const CallRule& rule) { return rule.number == *number; });
  return rules;
}

std::vector<PeekRule> Peeks() {
  constexpr uint32_t kLastNumber = 600;
  std::vector<PeekRule> peeks;
  for (uint32_t number = 0; number < kLastNumber; ++number) {
    const PathArguments* places = PathArgument(number);
    if (places && places->path >= 0) peeks.push_back({number, static_cast<uint32_t>(places->path), false});
    else if (places && places->address >= 0) peeks.push_back({number, static_cast<uint32_t>(places->address), true});
  }
  return peeks;
}

Status AddFilter(const Profile& profile, bool own_network, Plan* plan) {
  const CallRules rules = TRY(RulesOf(profile));
  plan->notify = profile.syscalls.report;
  plan->notify_errno = DenialErrno(profile);
  if (plan->notify) plan->peeks = Peeks();
  plan->notify_limit = static_cast<uint64_t>(profile.limits.violations) + 1;  // one is the witness
  plan->filter = TRY(CompileFilter(rules, {plan->notify_errno, ENOSYS, plan->notify ? Answer::kNotify : Answer::kErrno}));
  plan->network = MayMakeSockets(rules) || own_network || profile.network.loopback ? Network::kOwnEmpty : Network::kSharedEmpty;
  plan->loopback = profile.network.loopback;
  plan->landlock_tcp = !profile.network.loopback;
  return {};
}

void AddCommand(const ProgramRequest& request, const Workspace* workspace, Plan* plan) {
  plan->argv = request.argv;
  plan->program = InJail(request.argv.front(), workspace);
  plan->working_folder = "/";
  if (workspace) plan->working_folder = Beneath(request.working_folder, workspace->path) ? InJail(request.working_folder, workspace) : "/workspace";
  for (auto [number, terminal] : {std::pair{0, request.stdin_terminal}, {1, request.stdout_terminal}, {2, request.stderr_terminal}})
    (terminal ? plan->terminal_descriptors : plan->descriptors).push_back(number);
  if (request.profile->filesystem.workspace == WorkspaceAccess::kOverlay) plan->copier = {"paddock-copy", kOriginal, "/workspace"};
}

}  // namespace

Result<bool> MayStartProcesses(const Profile& profile) {
  const CallRules rules = TRY(RulesOf(profile));
  const uint64_t as_fork[6] = {SIGCHLD};
  for (const char* name : {"clone", "fork", "vfork"})
    if (auto number = SystemCallNumber(name); number && Decide(rules, {}, *number, as_fork) == 0) return true;
  return false;
}

Result<BuiltPlan> BuildProgramPlan(const ProgramRequest& request, const Caller& caller) {
  const Profile& profile = *request.profile;
  if (request.argv.empty()) return Fail(ErrorKind::kInvalid, "no command given");
  if (request.argv.front().empty()) return std::unexpected(Error{ErrorKind::kNotFound, "the command's name is empty", "", ENOENT});
  const Workspace* workspace = TRY(WorkspaceOf(profile, request.workspace));
  BuiltPlan built;
  Plan& plan = built.plan;
  const HostIds ids = ChooseIds(caller, workspace);
  TRY(TakeIds(ids, caller, &plan));
  AddCommand(request, workspace, &plan);
  TRY(AddFilter(profile, request.own_network, &plan));
  TRY(AddFiles(request, ids, &built));
  if (profile.filesystem.root == RootKind::kCellOnly || profile.exec.mode == Mode::kNone) plan.program = TRY(FindCommand(request.argv.front())).file;
  TRY(TakeRules(profile, request.wall_ms, &plan));
  plan.limits = TRY(ResourceLimits(profile.limits, false));
  if (request.memory_group) std::erase_if(plan.limits, [](const ResourceLimit& limit) { return limit.resource == RLIMIT_DATA; });
  plan.hold = true;
  UpdateDigests(&built);
  return built;
}

}  // namespace paddock::sandbox

#include "sandbox/listed_programs.h"

#include <linux/landlock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <set>

#include "base/text.h"
#include "sandbox/command.h"
#include "sandbox/elf.h"
#include "sandbox/syscall_filter.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {
namespace {

using Mode = ExecRules::Mode;

struct ListedProgram {
  std::string name, file;
  bool installed;
};

// A listed program and what it needs, made executable where everything else is not.
Status AddExecutable(RootView* view, const std::string& name, const std::string& file) {
  const bool there = view->Has(file);
  TRY(view->Bind(file, there ? file : name, {.place_is_there = there}));
  view->Allow(there ? file : name, LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE);
  return {};
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
      return Fail(ErrorKind::kInvalid, VisibleText(TruncateUtf8(program.file, 300), Newlines::kEscape) + " is a script for " +
                                           VisibleText(TruncateUtf8(interpreter, 300), Newlines::kEscape) + ", which is not installed");
    return AddProgram(view, {interpreter, resolved, InstalledByRoot(resolved)}, done);
  }
  for (const NeededFile& one : TRY(NeededFiles(program.file))) TRY(add(one.name, one.file));
  return {};
}

Result<std::vector<ListedProgram>> Listed(const ExecRules& exec, const std::string& command) {
  std::vector<ListedProgram> programs;
  if (exec.mode == Mode::kNone) {
    const Command found = TRY(FindCommand(command));
    programs.push_back({found.file, found.file, found.installed});
    return programs;
  }
  for (const std::string& name : exec.programs) {
    auto found = FindCommand(name);
    // A listed program that isn't installed is simply not there.
    if (found && found->installed) programs.push_back({found->file, found->file, true});
  }
  return programs;
}

}  // namespace

void AddTopLinks(RootView* view) {
  struct stat info;
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    char text[64];
    const ssize_t n = lstat(name, &info) == 0 && S_ISLNK(info.st_mode) ? readlink(name, text, sizeof text) : -1;
    if (n > 0) view->Link(name, std::string(text, static_cast<size_t>(n)));
  }
}

std::string WithoutTopLink(const std::string& path) {
  struct stat info;
  const size_t end = path.find('/', 1);
  if (end == path.npos || lstat(path.substr(0, end).c_str(), &info) < 0 || !S_ISLNK(info.st_mode)) return path;
  char text[64];
  const ssize_t n = readlink(path.substr(0, end).c_str(), text, sizeof text);
  return n > 0 ? "/" + std::string(text, static_cast<size_t>(n)) + path.substr(end) : path;
}

Status AddListedPrograms(RootView* view, const ExecRules& exec, const std::string& command) {
  std::set<std::string> done;
  for (const ListedProgram& program : TRY(Listed(exec, command))) TRY(AddProgram(view, program, &done));
  return {};
}

Result<CallRules> ProgramCalls(const Profile& profile) {
  CallRules rules = Union(TRY(ResolveCalls(profile.syscalls.allow)), TRY(ResolveCalls({"@program", "execve"})));
  if (profile.exec.mode == Mode::kAny) return rules;
  for (const char* name : {"memfd_create", "memfd_secret", "execveat"})
    if (auto number = SystemCallNumber(name)) std::erase_if(rules, [&](const CallRule& rule) { return rule.number == *number; });
  return rules;
}

}  // namespace paddock::sandbox

#include "sandbox/profile_lint.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/socket.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "base/text.h"
#include "sandbox/beneath.h"
#include "sandbox/profile_paths.h"
#include "sandbox/syscall_filter.h"
#include "sandbox/syscall_groups.h"
#include "sandbox/workspace.h"

namespace paddock::sandbox {
namespace {

constexpr int64_t kLeastMemory = 4 << 20;  // below, no dynamic program gets as far as main

std::string Shown(const std::string& text) { return "\"" + VisibleText(TruncateUtf8(text, 200), Newlines::kEscape) + "\""; }
std::string Item(const char* path, size_t index) { return std::string(path) + "[" + std::to_string(index) + "]"; }
int64_t Size(const std::string& text) { return ParseSize(text).value_or(0); }

class Linter {
 public:
  Linter(Profile* profile, const CallRules& rules) : profile_(*profile), rules_(rules) {}

  std::vector<LintRemark> Take() {
    Programs();
    Root();
    Workspace();
    ShownPaths();
    Calls();
    Limits();
    Layers();
    Environment();
    // What can't be used at all is said first.
    std::stable_sort(remarks_.begin(), remarks_.end(), [](const LintRemark& a, const LintRemark& b) { return a.warning < b.warning; });
    return std::move(remarks_);
  }

 private:
  using Mode = ExecRules::Mode;

  using Paths = std::vector<std::string>;

  void Fault(std::string path, std::string message, std::string hint, Paths against = {}) {
    remarks_.push_back({std::move(path), std::move(message), std::move(hint), false, false, std::move(against)});
  }
  void Warn(std::string path, std::string message, std::string hint, Paths against = {}) {
    remarks_.push_back({std::move(path), std::move(message), std::move(hint), true, false, std::move(against)});
  }

  bool Allows(const char* call, std::initializer_list<uint64_t> first_arguments = {}) const {
    const auto number = SystemCallNumber(call);
    uint64_t arguments[6] = {};
    std::copy(first_arguments.begin(), first_arguments.end(), arguments);
    return number && Decide(rules_, {}, *number, arguments) == 0;
  }
  // The smallest group that would allow it.
  static std::string GroupWith(const char* call, std::initializer_list<uint64_t> first_arguments) {
    uint64_t arguments[6] = {};
    std::copy(first_arguments.begin(), first_arguments.end(), arguments);
    const auto number = SystemCallNumber(call);
    const std::vector<std::string> groups = number ? WhichAllows(*number, arguments).groups : std::vector<std::string>{};
    return groups.empty() ? call : groups[0];
  }
  bool AllowsWriting() const {
    for (uint64_t flags : {O_WRONLY, O_RDWR, O_WRONLY | O_CREAT, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC})
      if (Allows("openat", {0, 0, flags}) || Allows("open", {0, flags})) return true;
    return Allows("creat");
  }
  bool AllowsSockets() const {
    for (uint64_t type : {SOCK_STREAM + 0, SOCK_DGRAM + 0, SOCK_STREAM | SOCK_CLOEXEC, SOCK_DGRAM | SOCK_CLOEXEC})
      if (Allows("socket", {AF_INET, type}) || Allows("socket", {AF_INET6, type})) return true;
    return false;
  }

  void Programs() {
    ExecRules& exec = profile_.exec;
    if (exec.mode != Mode::kList) return;
    const std::string image = profile_.filesystem.root == RootKind::kImage ? profile_.filesystem.image : "";
    bool any = false;
    for (size_t i = 0; i < exec.programs.size(); ++i) {
      const std::string& program = exec.programs[i];
      const std::string path = Item("$.exec", i);
      const bool absolute = program.starts_with("/");
      if (!absolute && program.find('/') != program.npos) {
        Fault(path, Shown(program) + ": expected a bare name or an absolute path", "write the name alone, or the whole path");
        continue;
      }
      if (program.find('\0') != program.npos || program == "." || program == "..") {
        Fault(path, Shown(program) + " is no name of a program", "take it out");
        continue;
      }
      if (absolute)
        if (auto fault = CheckProgramPath(program, image)) {
          Fault(path, Shown(program) + " " + fault->message, fault->hint);
          continue;
        }
      const std::string file = absolute ? image + program : FindProgram(program, image);
      char resolved[PATH_MAX];
      const std::string real = !file.empty() && realpath(file.c_str(), resolved) ? resolved : "";
      if (IsInterpreter(program) || (!real.empty() && IsInterpreter(real))) {
        Warn(path, Shown(program) + " runs whatever it is told: with it the list is \"any\"", "write \"exec\": \"any\", or take it out");
        any = true;
      } else if (!absolute && file.empty()) {
        Warn(path, Shown(program) + " is not installed: it will not be there", "");
        remarks_.back().of_own = true;
      }
    }
    if (any) exec = {Mode::kAny, {}};
  }

  void Root() {
    const FilesystemRules& files = profile_.filesystem;
    if (files.root == RootKind::kImage && files.image.empty())
      Fault("$.filesystem.root", "\"image\" without a path of one", "add \"image\": \"/path/of/the/unpacked/root\"", {"$.filesystem.image"});
    if (files.root != RootKind::kImage && !files.image.empty())
      Fault("$.filesystem.image", "an image, but the root is \"" + std::string(NameOf(files.root)) + "\"",
            "write \"root\": \"image\", or \"image\": \"\"", {"$.filesystem.root"});
    if (files.root == RootKind::kImage && !files.image.empty())
      if (auto fault = CheckImagePath(files.image, Homes())) Fault("$.filesystem.image", Shown(files.image) + " " + fault->message, fault->hint);
    if (profile_.exec.mode == Mode::kAny && files.root == RootKind::kCellOnly)
      Fault("$.exec", "any program, but with the root \"cell-only\" there is none", "write \"root\": \"minimal\" (or image, or host), or list the programs",
            {"$.filesystem.root"});
  }

  void Workspace() {
    const FilesystemRules& files = profile_.filesystem;
    const bool overlay = files.workspace == WorkspaceAccess::kOverlay, no_files = Size(profile_.limits.file_size) == 0;
    const int64_t memory = Size(profile_.limits.memory), tmp = Size(files.tmp), layer = Size(files.workspace_size);
    if (overlay && layer == 0)
      Fault("$.filesystem.workspace_size", "an overlay with no room for a write", "give it a size, or write \"workspace\": \"read\"",
            {"$.filesystem.workspace"});
    if (overlay && no_files)
      Fault("$.limits.file_size", "0: no file may be written, but the workspace is an overlay",
            "give it a size, such as \"1G\", or write \"workspace\": \"read\"", {"$.filesystem.workspace"});
    if (tmp > 0 && no_files)
      Fault("$.limits.file_size", "0: no file may be written, but there is a private /tmp",
            "give it a size, such as \"64M\", or write \"tmp\": \"0\"", {"$.filesystem.tmp"});
    if (overlay && layer > memory)
      Warn("$.filesystem.workspace_size", "larger than the memory, which it is taken from", "make it smaller, or \"limits\": {\"memory\"} larger",
            {"$.limits.memory", "$.filesystem.workspace"});
    if (tmp > memory)
      Warn("$.filesystem.tmp", "larger than the memory, which it is taken from", "make it smaller, or \"limits\": {\"memory\"} larger", {"$.limits.memory"});
    if (overlay && !AllowsWriting())
      Fault("$.filesystem.workspace", "an overlay, but the system calls allow no writing of files",
            "allow " + GroupWith("openat", {0, 0, O_WRONLY | O_CREAT}) + ", or write \"read\"", {"$.syscalls.allow"});
    if (tmp > 0 && !AllowsWriting())
      Fault("$.filesystem.tmp", "a private /tmp, but the system calls allow no writing of files",
            "allow " + GroupWith("openat", {0, 0, O_WRONLY | O_CREAT}) + ", or write \"0\"", {"$.syscalls.allow"});
    for (size_t i = 0; i < files.hide.size(); ++i) {
      std::string pattern = files.hide[i];
      while (pattern.size() > 1 && pattern.ends_with("/")) pattern.pop_back();
      while (pattern.starts_with("./")) pattern.erase(0, 2);
      if (pattern.find_first_not_of("*/") == pattern.npos || pattern == ".")
        Fault(Item("$.filesystem.hide", i), Shown(files.hide[i]) + " hides the whole repository", "write \"workspace\": \"none\", or a pattern of some files");
    }
    const bool history = std::none_of(files.hide.begin(), files.hide.end(), HidesHistory);
    if (!files.hide.empty() && history)
      Warn("$.filesystem.hide", "where there is a history (.git), what was ever committed is in it too, and that is not hidden", "add \".git/\" if that matters");
    if (!files.hide.empty() && files.workspace == WorkspaceAccess::kNone)
      Fault("$.filesystem.hide", "files to hide, but no workspace that has them", "write \"workspace\": \"read\", or take it out", {"$.filesystem.workspace"});
  }

  // Does the pattern hide .git itself? With braces it may, and is taken for one that does not.
  static bool HidesHistory(std::string pattern) {
    if (pattern.ends_with("/")) pattern.pop_back();
    for (const char* top : {"./", "/", "**/"})
      if (pattern.starts_with(top)) pattern.erase(0, std::string_view(top).size());
    return fnmatch(pattern.c_str(), ".git", FNM_PATHNAME) == 0;
  }

  void ShownPaths() {
    const std::vector<std::string>& read = profile_.filesystem.read;
    for (size_t i = 0; i < read.size(); ++i) {
      if (auto fault = CheckReadPath(read[i], Homes())) Fault(Item("$.filesystem.read", i), Shown(read[i]) + " " + fault->message, fault->hint);
      else if (Beneath(read[i], "/tmp") && Size(profile_.filesystem.tmp) > 0)
        Fault(Item("$.filesystem.read", i), Shown(read[i]) + (read[i] == "/tmp" ? " is the host's, but the jail has a private one" : " is in the host's /tmp, but the jail has a private one"),
              "write \"tmp\": \"0\", or name another place", {"$.filesystem.tmp"});
      else if (IsPlaceOfKeys(read[i])) Warn(Item("$.filesystem.read", i), Shown(read[i]) + " holds keys: every program in the jail can read them", "");
    }
  }

  void Calls() {
    if (profile_.exec.mode != Mode::kNone && !Allows("execve"))
      Fault("$.exec", "programs may be started, but the system calls allow no execve", "allow " + GroupWith("execve",
            {}) + ", or write \"exec\": \"none\"", {"$.syscalls.allow"});
    // Of groups that have them nothing is said: nobody can take a call out of a group.
    const std::vector<std::string>& allow = profile_.syscalls.allow;
    for (size_t i = 0; i < allow.size(); ++i)
      if (profile_.exec.mode == Mode::kList && (allow[i] == "memfd_create" || allow[i] == "execveat"))
        Warn(Item("$.syscalls.allow", i), allow[i] + " could start programs that are not listed: it is denied all the same", "take it out, or write \"exec\": \"any\"");
    if (profile_.network.loopback && !AllowsSockets())
      Fault("$.network.loopback", "a network, but the system calls allow no socket", "allow " + GroupWith("socket",
            {AF_INET, SOCK_STREAM}) + ", or write false", {"$.syscalls.allow"});
  }

  void Limits() {
    if (Size(profile_.limits.memory) < kLeastMemory)
      Fault("$.limits.memory", Shown(profile_.limits.memory) + " is too little for any program to start", "give it 4M or more");
  }

  void Layers() {
    const auto& require = profile_.require;
    if (profile_.exec.mode != Mode::kNone && std::find(require.begin(), require.end(), Layer::kSeccompSecond) != require.end())
      Fault("$.require", "seccomp_second is a cell's own doing: a program can't install it", "take it out, or write \"exec\": \"none\"", {"$.exec"});
  }

  // Variables with which the caller's surroundings would choose code for the jail: loaders and interpreters take it from them.
  static bool ChoosesCode(const std::string& name) {
    for (const char* prefix : {"LD_", "BASH_FUNC_", "GIT_CONFIG", "PERL5", "RUBYOPT", "RUBYLIB", "LUA_INIT", "LUA_PATH", "LUA_CPATH"})
      if (name.starts_with(prefix)) return true;
    for (const char* one : {"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "PS4", "IFS", "GCONV_PATH", "LOCPATH", "NLSPATH", "GLIBC_TUNABLES",
                            "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONUSERBASE", "PYTHONBREAKPOINT", "NODE_OPTIONS", "NODE_PATH",
                            "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "PHPRC", "PHP_INI_SCAN_DIR", "AWKPATH", "AWKLIBPATH",
                            "GIT_EXTERNAL_DIFF", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "LESSOPEN", "LESSCLOSE",
                            "MAKEFLAGS", "RUSTC_WRAPPER", "OPENSSL_CONF"})
      if (name == one) return true;
    return false;
  }
  // Ways to the caller's keys and to the host: an agent's socket, a token.
  static bool HoldsAKey(const std::string& name) {
    for (const char* ending : {"_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_PASSWD", "_CREDENTIALS", "_KEY_ID", "_AUTH_SOCK", "_AUTH"})
      if (name.ends_with(ending)) return true;
    return false;
  }

  void Environment() {
    const EnvironmentRules& env = profile_.env;
    auto bad_name = [](const std::string& name) { return name.empty() || name.find_first_of(std::string("=\0", 2)) != name.npos; };
    for (size_t i = 0; i < env.keep.size(); ++i) {
      const std::string& name = env.keep[i];
      const std::string path = Item("$.env.keep", i);
      if (bad_name(name)) Fault(path, Shown(name) + " is no name of a variable", "write the name alone, without = and value; each is named whole");
      else if (env.set.contains(name)) Fault(path, Shown(name) + " is kept and set", "take it out of \"keep\" or of \"set\"", {"$.env.set." + name});
      else if (ChoosesCode(name)) Fault(path, Shown(name) + " lets the caller's surroundings choose what runs in the jail",
            "take it out, or give it a value in \"set\"");
      else if (HoldsAKey(name)) Warn(path, Shown(name) + " may hold a key: every program in the jail can read it", "");
      else if (name.find('*') != name.npos) Warn(path, Shown(name) + " is no pattern: only a variable with this very name is kept", "name each variable");
    }
    for (const auto& [name, value] : env.set) {
      const std::string path = "$.env.set." + name;
      if (bad_name(name)) Fault(path, Shown(name) + " is no name of a variable", "a name is not empty and has no = in it");
      else if (value.find('\0') != value.npos) Fault(path, "a value with a NUL byte", "take the NUL out: a variable ends there");
    }
  }

  // Asked for once, and only where a path is named: the accounts of a machine may come over a network.
  const std::vector<std::string>& Homes() {
    if (!homes_) homes_ = HomeFolders();
    return *homes_;
  }

  Profile& profile_;
  std::optional<std::vector<std::string>> homes_;
  const CallRules& rules_;
  std::vector<LintRemark> remarks_;
};

}  // namespace

std::vector<LintRemark> LintProfile(Profile* profile, const CallRules& calls) { return Linter(profile, calls).Take(); }

}  // namespace paddock::sandbox

#include "agentcore/tools/hidden_names.h"

#include <fcntl.h>
#include <unistd.h>

#include <climits>

#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr int kMaxLinks = 40;  // as the kernel follows (path_resolution(7))

// "" or why it could never match.
std::string FaultOf(std::string_view pattern) {
  if (pattern.find('\0') != pattern.npos) return "holds a NUL byte, which no name has";
  if (pattern.starts_with('!')) return "begins with \"!\", but a pattern can't show again what another hides";
  if (pattern.starts_with("./")) pattern.remove_prefix(2);
  else if (pattern.starts_with('/')) pattern.remove_prefix(1);
  if (pattern.ends_with('/')) pattern.remove_suffix(1);
  if (pattern.empty()) return "names nothing";
  for (size_t begin = 0; begin <= pattern.size();) {
    const size_t end = std::min(pattern.find('/', begin), pattern.size());
    const std::string_view part = pattern.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return "has an empty part, \".\" or \"..\", which no path has";
    begin = end + 1;
  }
  int open = 0;
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') ++i;
    else if (pattern[i] == '[') in_class = true;
    else if (pattern[i] == ']') in_class = false;
    else if (!in_class && pattern[i] == '{') ++open;
    else if (!in_class && pattern[i] == '}' && --open < 0) break;
  }
  if (open != 0) return open > 0 ? "has a \"{\" without its \"}\" (a brace as such is \"\\{\")" : "has a \"}\" without its \"{\" (a brace as such is \"\\}\")";
  return "";
}

// Names that have nothing in common but that they are names.
bool WantsAnything(const PathFilter& filter) {
  GlobCost unbounded;
  for (const char* name : {"a", "zz.9", ".b", "-", "R E"})
    if (!filter.Wants(name, &unbounded)) return false;
  return true;
}

// `path` with its links followed as far as they stay inside; where they don't, what is left is as it was written.
std::string WithoutLinks(int root_fd, const std::string& path) {
  std::string done = ".", rest = path;
  for (int links = 0; !rest.empty();) {
    const size_t slash = std::min(rest.find('/'), rest.size());
    const std::string part = rest.substr(0, slash);
    rest.erase(0, slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (done == ".") return JoinPath(part, rest);
      done = ParentOf(done);
      continue;
    }
    UniqueFd folder(OpenBeneath(root_fd, done, O_PATH | O_DIRECTORY, Links::kNever));
    char target[PATH_MAX];
    const ssize_t length = folder ? ::readlinkat(folder.get(), part.c_str(), target, sizeof target) : -1;
    if (length < 0) {
      done = JoinPath(done, part);
      continue;
    }
    if (++links > kMaxLinks || target[0] == '/') return JoinPath(JoinPath(done, part), rest);
    rest = std::string(target, static_cast<size_t>(length)) + "/" + rest;
  }
  return done;
}

}  // namespace

Result<HiddenNames> HiddenNames::Parse(const std::vector<std::string>& patterns) {
  HiddenNames names;
  for (const std::string& text : patterns) {
    const std::string shown = "\"" + VisibleText(TruncateUtf8(text, 200), Newlines::kEscape) + "\"";
    if (std::string fault = FaultOf(text); !fault.empty())
      return Fail(ErrorKind::kInvalid, shown + " " + fault, "for example \".env\", \"*.pem\", \"secrets/\", \"config/*.key\"");
    std::string_view rest = text;
    const bool folders_only = rest.ends_with('/');
    if (folders_only) rest.remove_suffix(1);
    auto filter = PathFilter::Parse(rest);
    if (!filter) return Fail(ErrorKind::kInvalid, shown + ": " + filter.error().message, filter.error().hint);
    if (WantsAnything(*filter)) return Fail(ErrorKind::kInvalid, shown + " hides the whole repository", "write \"workspace\": \"none\", or a pattern of some files");
    names.patterns_.push_back({*std::move(filter), folders_only});
  }
  return names;
}

bool HiddenNames::Match(std::string_view path, bool folder) const {
  GlobCost unbounded;  // the patterns are the user's own
  for (const Pattern& pattern : patterns_)
    if ((folder || !pattern.folders_only) && pattern.filter.Wants(path, &unbounded)) return true;
  return false;
}

bool HiddenNames::Hides(std::string_view path, bool folder) const {
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
    if (Match(path.substr(0, slash), true)) return true;
  return Match(path, folder);
}

std::optional<ToolError> RefuseHidden(const HiddenNames* hidden, int root_fd, const std::string& path) {
  if (hidden == nullptr || hidden->empty() || path == ".") return std::nullopt;
  UniqueFd there(OpenBeneath(root_fd, path, O_PATH, Links::kFollowInside));
  struct stat st;
  const bool folder = there && ::fstat(there.get(), &st) == 0 && S_ISDIR(st.st_mode);
  if (!hidden->Hides(path, folder) && !hidden->Hides(WithoutLinks(root_fd, path), folder)) return std::nullopt;
  return ToolError{ToolStatus::kDenied, QuotedPath(path) + " is hidden by the profile", "nobody in this jail may see it: go on without it, and say so where it matters",
                   {CallText("list_files", Json{{"path", "."}, {"depth", 1}})}};
}

}  // namespace paddock::agentcore

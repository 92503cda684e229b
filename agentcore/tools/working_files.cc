#include "agentcore/tools/working_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <functional>
#include <set>

#include "agentcore/tools/git_store.h"
#include "agentcore/tools/rows.h"
#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"

namespace paddock::agentcore {
namespace {

constexpr uint64_t kMaxAttributes = 4u << 20;  // of one .gitattributes, .gitmodules or .mailmap
constexpr size_t kMaxTracked = 64u << 20;      // bytes of the list of tracked files
constexpr size_t kMaxLeftOutBytes = 100u << 10;

class Look {
 public:
  Look(const Git& git, const ToolContext& context) : git_(git), context_(context) {}

  ToolOutcome<void> Top() const {
    for (const char* name : {".gitmodules", ".mailmap"}) TRY(CheckPlainFile(context_.root_fd, git_.InWorkspace(name), kMaxAttributes));
    return {};
  }

  // .gitattributes of `folder` (as git names it) and of those above it.
  ToolOutcome<void> Attributes(std::string folder) {
    for (;; folder = ParentOf(folder)) {
      if (!attributes_.insert(folder).second) return {};
      TRY(CheckPlainFile(context_.root_fd, git_.InWorkspace(JoinPath(folder, ".gitattributes")), kMaxAttributes));
      if (folder == ".") return {};
    }
  }

  // One tracked file.
  ToolOutcome<void> Take(const std::string& path) {
    const std::string folder(ParentOf(path));
    TRY(Enter(folder));
    if (IsOutOfDescriptors(folder_error_)) return std::unexpected(OutOfDescriptors(QuotedPath(folder) + " could not be opened", folder_error_));
    if (folder_error_ == EACCES || folder_error_ == EXDEV) return LeaveOut(path, &left_.closed);
    if (folder_error_ != 0) return {};  // it is gone, for git too
    struct stat st;
    if (::fstatat(folder_.get(), std::string(NameIn(path)).c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) return {};
    const std::string there = git_.InWorkspace(path);
    if (S_ISREG(st.st_mode)) {
      if ((st.st_mode & 0444) == 0444) return {};
      if (git_.Hides(path)) return LeaveOut(path, &left_.hidden);
      return TryToRead(context_.root_fd, there) == EACCES ? LeaveOut(path, &left_.closed) : ToolOutcome<void>();
    }
    if (S_ISLNK(st.st_mode)) return {};
    if (S_ISDIR(st.st_mode) && IsSoundSubmodule(there)) return {};
    return LeaveOut(path, git_.Hides(path) ? &left_.hidden : &left_.special);
  }

  LeftOut TakeLeftOut() { return std::move(left_); }

 private:
  ToolOutcome<void> Enter(const std::string& folder) {
    if (folder == entered_) return {};
    TRY(Attributes(folder));
    entered_ = folder;
    const int fd = OpenBeneath(context_.root_fd, git_.InWorkspace(folder), O_PATH | O_DIRECTORY, Links::kNever);
    folder_.reset(fd < 0 ? -1 : fd);
    folder_error_ = fd < 0 ? -fd : 0;
    return {};
  }

  // git asks which commit the repository in a folder is at, where a file or a submodule is tracked.
  bool IsSoundSubmodule(const std::string& folder) const {
    const UniqueFd git(OpenBeneath(context_.root_fd, JoinPath(folder, ".git"), O_PATH | O_NOFOLLOW, Links::kNever));
    if (!git) return true;
    const auto store = FindGitStore(context_.root_fd, folder);
    return store && CheckGitStore(context_.root_fd, store->folder, context_.deadline) && CheckPlainFile(context_.root_fd, JoinPath(store->folder, "config"), kMaxAttributes);
  }

  ToolOutcome<void> LeaveOut(const std::string& path, int64_t* count) {
    ++*count;
    bytes_ += path.size();
    if (left_.paths.size() == kMaxLeftOut || bytes_ > kMaxLeftOutBytes)
      return std::unexpected(ToolError{ToolStatus::kUnsupported, "more than " + std::to_string(left_.paths.size()) + " tracked files can't be read, for example " + QuotedPath(path),
                                       "ask for a folder that holds fewer of them, with path", {CallText("list_files", Json{{"path", "."}, {"depth", 1}})}});
    left_.paths.push_back(path);
    return {};
  }

  const Git& git_;
  const ToolContext& context_;
  std::set<std::string> attributes_;  // folders whose .gitattributes were looked at
  std::string entered_ = "/";
  UniqueFd folder_;
  int folder_error_ = 0;
  size_t bytes_ = 0;
  LeftOut left_;
};

ToolOutcome<std::string> ListOf(const Git& git, GitQuestion question) {
  ProgramEnd end = TRY(git.Ask(std::move(question)));
  if (end.ended_well()) return std::move(end.output);
  return std::unexpected(ToolError{end.timed_out ? ToolStatus::kTimeout : ToolStatus::kUnsupported, "there are more tracked files than can be looked at",
                                   "compare one folder at a time, with path, or two commits", {CallText("git_diff", Json{{"from", "HEAD~1"}, {"to", "HEAD"}})}});
}

// Names with a NUL behind each.
ToolOutcome<void> ForEach(std::string_view names, const Deadline& deadline, const std::function<ToolOutcome<void>(const std::string&)>& take) {
  for (size_t seen = 0; !names.empty(); ++seen) {
    if (seen % 256 == 255 && deadline.passed()) return std::unexpected(TooSlow());
    const std::string name(TakePart(&names, '\0'));
    if (!name.empty()) TRY(take(name));
  }
  return {};
}

}  // namespace

ToolOutcome<LeftOut> FilesToLeaveOut(const Git& git, const ToolContext& context, const std::string& revision, const std::string& path) {
  Look look(git, context);
  TRY(look.Top());
  // What is in the commit alone has attributes in the working tree too.
  const std::string folders = TRY(ListOf(git, {.words = {"ls-tree", "-r", "-d", "-z", "--name-only", "--full-tree", "--end-of-options", revision}, .max_output = kMaxTracked}));
  TRY(ForEach(folders, context.deadline, [&](const std::string& folder) { return look.Attributes(folder); }));
  const std::string files = TRY(ListOf(git, {.words = {"ls-files", "-z"}, .path = path, .files = true, .max_output = kMaxTracked}));
  TRY(ForEach(files, context.deadline, [&](const std::string& file) { return look.Take(file); }));
  return look.TakeLeftOut();
}

ToolOutcome<void> CheckWayTo(const Git& git, const ToolContext& context, const std::string& path) {
  Look look(git, context);
  TRY(look.Top());
  return look.Attributes(std::string(ParentOf(path)));
}

}  // namespace paddock::agentcore

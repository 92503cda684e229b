#include "agentcore/tools/git_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

// Far above what there is: a reference is a line, an index of 100,000 files has 10 MiB, as have as many packed references.
constexpr uint64_t kMaxReference = 64u << 10, kMaxList = 16u << 20, kMaxPacked = 128u << 20, kMaxIndex = 256u << 20;
constexpr uint64_t kAnySize = UINT64_MAX;
constexpr size_t kMaxGitFile = 8192;

std::unexpected<ToolError> Unsupported(std::string message, std::string hint = "go on without the history: read and search the files as they are") {
  return std::unexpected(ToolError{ToolStatus::kUnsupported, std::move(message), std::move(hint), {CallText("list_files", Json{{"path", "."}, {"depth", 1}})}});
}

std::unexpected<ToolError> WouldWait(const std::string& path, const std::string& what) {
  return Unsupported(QuotedPath(path) + " " + what + ", where git reads a file: it would wait, or read, until the time is up",
                     "go on without this part of the history, and report the file that is named: git itself makes no such thing");
}

// Looks at what a folder of git's holds. `most`: bytes of each file; `below`: also in its folders.
class Folders {
 public:
  Folders(int root_fd, const Deadline& deadline) : root_fd_(root_fd), deadline_(deadline) {}

  ToolOutcome<void> Check(const std::string& top, uint64_t most, bool below) {
    std::vector<std::string> left = {top};
    while (!left.empty()) {
      const std::string folder = std::move(left.back());
      left.pop_back();
      TRY(CheckOne(folder, most, below ? &left : nullptr));
    }
    return {};
  }

 private:
  ToolOutcome<void> CheckOne(const std::string& folder, uint64_t most, std::vector<std::string>* folders) {
    const int fd = OpenBeneath(root_fd_, folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK, Links::kNever);
    if (fd == -EACCES || fd == -ENOENT) return {};  // git can't open it either, and says so
    if (fd < 0) return std::unexpected(OpenError(root_fd_, folder, -fd));
    DIR* dir = ::fdopendir(fd);
    if (dir == nullptr) {
      ::close(fd);
      return std::unexpected(OpenError(root_fd_, folder, ENOMEM));
    }
    ToolOutcome<void> good;
    while (const dirent* entry = good ? ::readdir(dir) : nullptr) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") good = CheckEntry(fd, folder, entry, most, folders);
    }
    ::closedir(dir);
    return good;
  }

  ToolOutcome<void> CheckEntry(int fd, const std::string& folder, const dirent* entry, uint64_t most, std::vector<std::string>* folders) {
    if (++seen_ % 256 == 0 && deadline_.passed())
      return std::unexpected(ToolError{ToolStatus::kTimeout, "the deadline passed before all that git would open was looked at", "try once more with more time, or go on without the history",
                                       {CallText("list_files", Json{{"path", "."}, {"depth", 1}})}, true});
    unsigned char type = entry->d_type;
    struct stat st;
    if (type == DT_UNKNOWN && ::fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0) type = IFTODT(st.st_mode);
    if (type == DT_REG && most == kAnySize) return {};
    if (type == DT_REG && ::fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) && static_cast<uint64_t>(st.st_size) <= most) return {};
    std::string path = JoinPath(folder, entry->d_name);
    if (type != DT_DIR) return CheckPlainFile(root_fd_, path, most);
    if (path.size() > kMaxPathBytes) return Unsupported(QuotedPath(path) + " lies too deep for git");
    if (folders) folders->push_back(std::move(path));
    return {};
  }

  const int root_fd_;
  const Deadline& deadline_;
  size_t seen_ = 0;
};

// `otherwise`: what it is said to be where it is none.
ToolOutcome<void> NeedFolder(int root_fd, const std::string& path, std::string otherwise) {
  const UniqueFd fd(OpenBeneath(root_fd, path, O_PATH | O_DIRECTORY, Links::kNever));
  if (fd) return {};
  if (IsOutOfDescriptors(-fd.get())) return std::unexpected(OpenError(root_fd, path, -fd.get()));
  return Unsupported(std::move(otherwise));
}

// `path` below `folder`, without "." and ".."; "" when it leads out.
std::string Below(std::string_view folder, std::string_view path) {
  std::string joined(folder == "." ? "" : folder);
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      joined += (joined.empty() ? "" : "/") + std::string(part);
    } else if (joined.empty()) {
      return "";
    } else {
      joined.resize(joined.find('/') == joined.npos ? 0 : joined.rfind('/'));
    }
  }
  return joined;
}

// "gitdir: PATH": of a submodule, a linked worktree, or what `git init --separate-git-dir` made.
ToolOutcome<std::string> FollowGitFile(int root_fd, const std::string& work) {
  constexpr std::string_view kMark = "gitdir:";
  const std::string file = JoinPath(work, ".git");
  std::string text = BeginningOf(root_fd, file, kMaxGitFile);
  if (!text.starts_with(kMark) || text.find('\0') != text.npos) return Unsupported(QuotedPath(file) + " is a file that names no git folder");
  text.erase(0, kMark.size());
  text.erase(0, text.find_first_not_of(' '));
  text.resize(text.find_last_not_of("\r\n") + 1);
  const std::string folder = text.starts_with('/') ? "" : Below(work, text);
  if (folder.empty())
    return Unsupported(QuotedPath(file) + " is a file that leads to " + QuotedPath(text) + ", outside of the workspace: this is a linked worktree or a submodule, and its history lies in the main repository",
                       "whoever runs this can give the folder of the main repository as the workspace; here, go on without the history: read and search the files as they are");
  return folder;
}

}  // namespace

std::string BeginningOf(int root_fd, const std::string& path, size_t most) {
  auto file = OpenRegularFile(root_fd, path, Links::kNever);
  if (!file) return "";
  std::string text(most, '\0');
  const ssize_t n = ::read(file->fd.get(), text.data(), most);
  text.resize(static_cast<size_t>(std::max<ssize_t>(n, 0)));
  return text;
}

ToolOutcome<void> CheckPlainFile(int root_fd, const std::string& path, uint64_t most) {
  const int fd = OpenBeneath(root_fd, path, O_PATH, Links::kFollowInside);
  if (fd == -ENOENT || fd == -ENOTDIR || fd == -EACCES) return {};
  if (fd == -EXDEV) return WouldWait(path, "is a link that leads out of the workspace");
  if (fd == -ELOOP) return {};  // git can't open it either
  if (fd < 0) return std::unexpected(OpenError(root_fd, path, -fd));
  UniqueFd there(fd);
  struct stat st;
  if (::fstat(fd, &st) < 0) return std::unexpected(OpenError(root_fd, path, errno));
  if (!S_ISREG(st.st_mode)) return WouldWait(path, std::string("is a ") + KindName(st.st_mode) + ", or leads to one");
  if (static_cast<uint64_t>(st.st_size) > most) return WouldWait(path, "has " + std::to_string(st.st_size) + " bytes");
  return {};
}

ToolOutcome<GitStore> FindGitStore(int root_fd, const std::string& path) {
  for (std::string work = path;; work = ParentOf(work)) {
    const std::string git = JoinPath(work, ".git");
    // What is reached over a link is looked for where it lies.
    const int fd = OpenBeneath(root_fd, git, O_PATH | O_NOFOLLOW, Links::kNever);
    if (fd < 0) {
      if (IsOutOfDescriptors(-fd)) return std::unexpected(OpenError(root_fd, git, -fd));
      if (work == ".") return Unsupported("the folder is no git repository: it has no .git");
      continue;
    }
    UniqueFd there(fd);
    struct stat st;
    if (::fstat(fd, &st) < 0) return std::unexpected(OpenError(root_fd, git, errno));
    if (S_ISREG(st.st_mode)) return GitStore{work, TRY(FollowGitFile(root_fd, work))};
    if (S_ISDIR(st.st_mode)) return GitStore{work, git};
    return Unsupported(QuotedPath(git) + " is a " + KindName(st.st_mode) + ": the repository itself lies elsewhere, and nothing outside of the workspace can be read");
  }
}

ToolOutcome<std::vector<std::string>> CheckGitStore(int root_fd, const std::string& folder, const Deadline& deadline) {
  const auto in = [&](const char* name) { return JoinPath(folder, name); };
  if (BeginningOf(root_fd, in("commondir"), 1) != "")
    return Unsupported(QuotedPath(folder) + " is the git folder of a linked worktree: its history lies in the main repository", "whoever runs this can give the folder of the main repository as the workspace");
  for (const auto& [name, most] : {std::pair{"HEAD", kMaxReference}, {"commondir", kMaxReference}, {"packed-refs", kMaxPacked}, {"shallow", kMaxList}, {"index", kMaxIndex}})
    TRY(CheckPlainFile(root_fd, in(name), most));
  const std::string objects = in("objects"), refs = in("refs");
  for (const std::string& needed : {objects, refs})
    TRY(NeedFolder(root_fd, needed, "the folder is no git repository: " + QuotedPath(folder) + " holds no sound HEAD, objects and refs"));
  Folders folders(root_fd, deadline);
  TRY(folders.Check(refs, kMaxReference, true));
  std::vector<std::string> stores;
  const UniqueFd fd = TRY(OpenFolder(root_fd, objects, Links::kNever));
  for (std::string& name : NamesOf(fd.get(), 4096)) {
    if (name != "pack" && (name.size() != 2 || name.find_first_not_of("0123456789abcdef") != name.npos)) continue;
    const std::string store = JoinPath(objects, name);
    TRY(NeedFolder(root_fd, store, QuotedPath(store) + " is no folder, or can't be opened: what git keeps there can't be read"));
    TRY(folders.Check(store, kAnySize, false));
    stores.push_back(std::move(name));
  }
  return stores;
}

}  // namespace paddock::agentcore

#include "agentcore/tools/workspace_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include <algorithm>

#include "agentcore/tools/workspace_path.h"
#include "base/nearest.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kPiece = 4000;  // below PATH_MAX (4096)

int OpenPiece(int at, std::string_view piece, uint64_t flags, uint64_t resolve) {
  const std::string name(piece);
  struct open_how how = {};
  how.flags = flags | O_CLOEXEC;
  how.resolve = resolve;
  for (int tries = 0;; ++tries) {
    long fd = ::syscall(SYS_openat2, at, name.c_str(), &how, sizeof how);
    if (fd >= 0) return static_cast<int>(fd);
    // EAGAIN: a rename elsewhere raced with the check of "beneath" (openat2(2)).
    if ((errno != EAGAIN && errno != EINTR) || tries == 16) return -errno;
  }
}

int64_t ChangedNs(const struct stat& st) {
  auto ns = [](const timespec& t) { return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec; };
  return std::max(ns(st.st_mtim), ns(st.st_ctim));
}

std::string Listing(std::string_view folder) {
  return CallText("list_files", Json{{"path", PathToText(folder.substr(0, 1024))}, {"depth", 1}});
}

std::string Letters(std::string name) {
  for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  std::sort(name.begin(), name.end());
  return name;
}

// The nearest existing name for the first part of `path` that is missing.
ToolError Missing(int root_fd, const std::string& path) {
  std::string_view folder = ParentOf(path);
  std::string_view missing = path;
  UniqueFd fd;
  for (;;) {
    fd.reset(OpenBeneath(root_fd, folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK, Links::kFollowInside));
    if (fd || folder == ".") break;
    missing = folder;
    folder = ParentOf(folder);
  }
  ToolError error{ToolStatus::kNotFound, QuotedPath(path) + " does not exist in the workspace", {}, {}};
  const std::string wanted(NameIn(missing));
  if (fd) {
    std::string nearest;
    std::vector<std::string> close;
    for (auto& name : NamesOf(fd.get(), 4096)) {
      if (nearest.empty() && Letters(name) == Letters(wanted)) nearest = name;  // another case, or letters swapped
      const size_t slack = std::max<size_t>(1, wanted.size() / 3);
      if (name.size() <= wanted.size() + slack && wanted.size() <= name.size() + slack) close.push_back(std::move(name));
    }
    std::sort(close.begin(), close.end());
    if (close.size() > 1000) close.resize(1000);
    if (nearest.empty()) nearest = NearestName(wanted, close);
    if (!nearest.empty()) {
      std::string there = JoinPath(folder, nearest);
      error.hint = "the nearest name there is " + QuotedPath(there);
      error.next_actions.push_back("use the path " + QuotedPath(there));
    }
  }
  if (error.hint.empty()) error.hint = "nothing in " + QuotedPath(folder) + " has a similar name; list it, or search for the name";
  error.next_actions.push_back(Listing(folder));
  if (wanted.size() <= 255 && wanted.find_first_of("*?[\\{") == std::string::npos && IsValidUtf8(wanted))
    error.next_actions.push_back(CallText("list_files", Json{{"pattern", wanted}}));
  return error;
}

ToolError WrongKind(const std::string& path, mode_t mode, const char* wanted) {
  std::vector<std::string> next;
  std::string hint = std::string("only regular files can be read; a ") + KindName(mode) + " is never opened, because it could block or act";
  if (S_ISDIR(mode)) {
    hint = "use list_files to see what is in the folder, then read one of its files";
    next.push_back(Listing(path));
  } else if (S_ISREG(mode)) {
    hint = "give the folder that holds the file, or use read_file for the file";
    next.push_back(CallText("read_file", Json{{"path", PathToText(path.substr(0, 1024))}}));
  } else {
    next.push_back(Listing(ParentOf(path)));
  }
  return {ToolStatus::kUnsupported, QuotedPath(path) + " is a " + KindName(mode) + ", not a " + wanted, hint, next};
}

}  // namespace

ToolError OpenError(int root_fd, const std::string& path, int err) {
  const std::string name = QuotedPath(path);
  std::vector<std::string> look = {Listing(ParentOf(path))};
  switch (err) {
    case ENOENT:
    case ENAMETOOLONG:
      return Missing(root_fd, path);
    case ENOTDIR:
      return {ToolStatus::kNotFound, name + " does not exist: a part of the path before its last is a file, not a folder",
              "shorten the path to that file, or list the folder above it", {Listing(".")}};
    case EXDEV:
      return {ToolStatus::kDenied, name + " leads out of the workspace by a symbolic link",
              "links that leave the workspace are not followed; use a path inside", look};
    case ELOOP:
      return {ToolStatus::kUnsupported, name + " leads through a loop of symbolic links, or through a link where none is followed",
              "use the path of a real file", look};
    case EACCES:
    case EPERM:
      return {ToolStatus::kDenied, name + ": no permission to read it (" + ErrnoName(err) + ")",
              "go on without this file and say that it could not be read", look};
    case EMFILE:
    case ENFILE:
      return OutOfDescriptors(name + " could not be opened", err);
    default: {
      bool busy = err == ENOMEM || err == EAGAIN || err == EINTR || err == EBUSY;
      return {ToolStatus::kFailed, name + " could not be opened (" + ErrnoName(err) + ")",
              busy ? "try the same call once more" : "go on without this file and say that it could not be read", look, busy};
    }
  }
}

bool IsOutOfDescriptors(int err) { return err == EMFILE || err == ENFILE; }

ToolError OutOfDescriptors(std::string what, int err) {
  return {ToolStatus::kFailed, std::move(what) + ": there is no descriptor left (" + ErrnoName(err) + ")",
          err == EMFILE ? "make fewer calls at a time; whoever runs this can raise \"files\" in the limits of the profile" : "the machine has too many files open: try the same call later",
          {Listing(".")}, true};
}

int64_t ChangedNs(int fd) {
  struct stat st;
  return ::fstat(fd, &st) == 0 ? ChangedNs(st) : 0;
}

const char* KindName(mode_t mode) {
  if (S_ISREG(mode)) return "regular file";
  if (S_ISDIR(mode)) return "folder";
  if (S_ISFIFO(mode)) return "FIFO";
  if (S_ISSOCK(mode)) return "socket";
  if (S_ISCHR(mode)) return "character device";
  if (S_ISBLK(mode)) return "block device";
  if (S_ISLNK(mode)) return "symbolic link";
  return "thing of unknown kind";
}

int OpenBeneath(int root_fd, std::string_view path, uint64_t flags, Links links) {
  const uint64_t resolve =
      RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (links == Links::kNever ? static_cast<uint64_t>(RESOLVE_NO_SYMLINKS) : 0);
  UniqueFd at;
  while (path.size() > kPiece) {
    size_t slash = path.rfind('/', kPiece);
    if (slash == std::string_view::npos || slash == 0) return -ENAMETOOLONG;
    int next = OpenPiece(at ? at.get() : root_fd, path.substr(0, slash), O_PATH | O_DIRECTORY, resolve);
    if (next < 0) return next;
    at.reset(next);
    path.remove_prefix(slash + 1);
  }
  return OpenPiece(at ? at.get() : root_fd, path, flags, resolve);
}

ToolOutcome<struct stat> StatInside(int root_fd, const std::string& path) {
  int fd = OpenBeneath(root_fd, path, O_PATH, Links::kFollowInside);
  if (fd < 0) return std::unexpected(OpenError(root_fd, path, -fd));
  UniqueFd probe(fd);
  struct stat st;
  if (::fstat(probe.get(), &st) != 0) return std::unexpected(OpenError(root_fd, path, errno));
  return st;
}

ToolOutcome<OpenedFile> OpenRegularFile(int root_fd, const std::string& path, Links links) {
  int probe_fd = OpenBeneath(root_fd, path, O_PATH, links);
  if (probe_fd < 0) return std::unexpected(OpenError(root_fd, path, -probe_fd));
  UniqueFd probe(probe_fd);
  struct stat before;
  if (::fstat(probe.get(), &before) != 0) return std::unexpected(OpenError(root_fd, path, errno));
  if (!S_ISREG(before.st_mode)) return std::unexpected(WrongKind(path, before.st_mode, "file"));
  int fd = OpenBeneath(root_fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, links);
  if (fd < 0) return std::unexpected(OpenError(root_fd, path, -fd));
  OpenedFile file;
  file.fd.reset(fd);
  struct stat st;
  if (::fstat(fd, &st) != 0) return std::unexpected(OpenError(root_fd, path, errno));
  if (!S_ISREG(st.st_mode)) return std::unexpected(WrongKind(path, st.st_mode, "file"));
  if (st.st_dev != before.st_dev || st.st_ino != before.st_ino)
    return std::unexpected(ToolError{ToolStatus::kFailed, QuotedPath(path) + " was replaced while it was opened",
                                     "try the same call once more", {Listing(ParentOf(path))}, true});
  file.size = static_cast<uint64_t>(st.st_size);
  file.changed_ns = ChangedNs(st);
  return file;
}

ToolOutcome<UniqueFd> OpenFolder(int root_fd, const std::string& path, Links links) {
  int fd = OpenBeneath(root_fd, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK, links);
  if (fd >= 0) return UniqueFd(fd);
  if (fd == -ENOTDIR) {
    auto st = StatInside(root_fd, path);
    if (st && !S_ISDIR(st->st_mode)) return std::unexpected(WrongKind(path, st->st_mode, "folder"));
  }
  return std::unexpected(OpenError(root_fd, path, -fd));
}

int TryToRead(int root_fd, std::string_view path) {
  int fd = OpenBeneath(root_fd, path, O_PATH, Links::kNever);
  if (fd < 0) return -fd;
  UniqueFd probe(fd);
  struct stat st;
  if (::fstat(probe.get(), &st) != 0) return errno;
  if (!S_ISREG(st.st_mode)) return ENOENT;  // it was a file a moment ago
  fd = OpenBeneath(root_fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, Links::kNever);
  if (fd < 0) return -fd;
  probe.reset(fd);
  return 0;
}

std::vector<std::string> NamesOf(int folder_fd, size_t max_names) {
  std::vector<std::string> names;
  UniqueFd own(OpenBeneath(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK, Links::kNever));
  if (!own) return names;
  DIR* dir = ::fdopendir(own.get());
  if (dir == nullptr) return names;
  own.release();  // the DIR owns it now
  while (names.size() < max_names) {
    const dirent* entry = ::readdir(dir);
    if (entry == nullptr) break;
    std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  ::closedir(dir);
  return names;
}

}  // namespace paddock::agentcore

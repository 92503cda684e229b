#include "agentcore/tools/walk.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <vector>

#include "agentcore/tools/ignore_stack.h"
#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

// Descriptors of one walk. A cell may have 256 (RLIMIT_NOFILE) and runs eight calls at a time, each with a few others besides.
constexpr size_t kHeldFolders = 24;
// And left to whoever opens files meanwhile: the walk itself and its visitor.
constexpr size_t kSpareDescriptors = 4;

struct Child {
  std::string name;
  EntryKind kind;
  uint64_t size = 0;
  uint64_t inode = 0;
  uint32_t names = 1;
  bool for_everybody = true;
};

struct Frame {
  std::string path;
  UniqueFd fd;  // open in the first frames only, no more than may be held
  int64_t changed_ns = 0;  // when its names last changed, before they were read
  int64_t level = 0;
  std::vector<Child> children;
  size_t next = 0;
};

EntryKind KindOf(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return EntryKind::kFile;
    case S_IFDIR: return EntryKind::kFolder;
    case S_IFLNK: return EntryKind::kSymlink;
    case S_IFIFO: return EntryKind::kFifo;
    case S_IFSOCK: return EntryKind::kSocket;
    default: return EntryKind::kDevice;
  }
}

// Nothing in it that a reader can't see, or that is no text.
bool IsPlain(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= 0x20 && c < 0x7f; }) || VisibleText(name, Newlines::kEscape) == name;
}

// A store of git's objects: `objects` and `lfs` of a .git folder, or of a submodule's in it.
bool IsObjectStore(std::string_view path) {
  std::string_view name = NameIn(path);
  if (name != "objects" && name != "lfs") return false;
  size_t git = path.rfind(".git/");
  if (git == std::string_view::npos || (git > 0 && path[git - 1] != '/')) return false;
  std::string_view below = path.substr(git + 5);
  return below == name || below.starts_with("modules/");
}

class Walker {
 public:
  Walker(int root_fd, const WalkOptions& options, GlobCost* cost, const WalkVisitor& visit)
      : root_fd_(root_fd), options_(options), cost_(cost), visit_(visit), ignores_(root_fd, options.deadline, !options.ignored) {}

  ToolOutcome<WalkReport> Run() {
    auto start = OpenFolder(root_fd_, options_.start);
    if (!start) return std::unexpected(std::move(start).error());
    if (!EnterAncestors()) {
      report_.start_ignored = true;
      return report_;
    }
    Enter(options_.start, *std::move(start), 0);
    while (!frames_.empty() && !report_.stopped && !OutOfTime()) Step();
    report_.rules_capped = ignores_.capped();
    if (report_.rules_capped) report_.odd.Add(OddKind::kIgnoreRules, "");
    report_.odd.Add(OddKind::kTooDeep, "", report_.too_deep);
    return report_;
  }

 private:
  bool OutOfTime() {
    report_.deadline_passed = report_.deadline_passed || cost_->exhausted || ignores_.out_of_time() || (folders_read_ > 1 && options_.deadline.passed());
    return report_.deadline_passed;
  }

  // The ignore files above the start folder. False when the start is ignored or lies in .git.
  bool EnterAncestors() {
    if (options_.start == ".") return true;
    std::string folder = ".";
    for (size_t end = 0; end != std::string::npos;) {
      UniqueFd fd(OpenBeneath(root_fd_, folder, O_PATH | O_DIRECTORY, Links::kFollowInside));
      struct stat st;
      ignores_.Push(folder, fd.get(), fd && ::fstatat(fd.get(), ".gitignore", &st, AT_SYMLINK_NOFOLLOW) == 0, &report_.odd);
      end = options_.start.find('/', end == 0 ? 0 : end + 1);
      folder = options_.start.substr(0, end);
      if (options_.ignored ? IsObjectStore(folder) : NameIn(folder) == ".git") {
        ++report_.git_folders;
        return false;
      }
      if (ignores_.Ignores(folder, true)) {
        ++report_.ignored;
        return false;
      }
    }
    return true;
  }

  void Enter(std::string path, UniqueFd fd, int64_t level) {
    Frame frame;
    frame.path = std::move(path);
    frame.level = level;
    bool has_ignore_file = false;
    frame.changed_ns = ChangedNs(fd.get());
    ReadNames(fd.get(), frame.path, &frame.children, &has_ignore_file);
    ++folders_read_;
    ignores_.Push(frame.path, fd.get(), has_ignore_file, &report_.odd);
    if (MayHold(fd.get())) frame.fd = std::move(fd);
    frames_.push_back(std::move(frame));
  }

  // With few descriptors left fewer folders are held; the first one is.
  bool MayHold(int fd) {
    if (frames_.size() >= may_hold_) return false;
    if (frames_.size() < tried_) return true;
    UniqueFd spare[kSpareDescriptors];
    for (UniqueFd& one : spare) {
      const int more = OpenBeneath(fd, ".", O_PATH | O_DIRECTORY, Links::kNever);
      if (IsOutOfDescriptors(-more)) {
        may_hold_ = std::max<size_t>(1, frames_.size());
        return frames_.empty();
      }
      one.reset(std::max(-1, more));
    }
    tried_ = frames_.size() + 1;
    return true;
  }

  // Opens a folder by `open`; where no descriptor is left, one that is held is let go.
  template <class Open>
  int OpenWithFew(const Open& open) {
    for (;;) {
      const int fd = open();
      const size_t held = std::min(frames_.size(), may_hold_);
      if (!IsOutOfDescriptors(-fd) || held <= 1) return fd;
      may_hold_ = held - 1;
      frames_[may_hold_].fd.reset();
    }
  }

  void Leave() {
    const Frame& frame = frames_.back();
    if (frame.fd && ChangedNs(frame.fd.get()) != frame.changed_ns) report_.odd.Add(OddKind::kChanged, frame.path);
    frames_.pop_back();
    ignores_.Pop();
  }

  void Unreadable(std::string_view path) {
    ++report_.unreadable;
    report_.odd.Add(OddKind::kUnreadableFolder, path);
  }

  void TooDeep(std::string_view folder) {
    if (report_.too_deep++ == 0) report_.deep_example = folder;
  }
  void NoDescriptor() { ++report_.no_descriptor; }

  void ReadNames(int folder_fd, const std::string& path, std::vector<Child>* children, bool* has_ignore_file) {
    UniqueFd own(OpenWithFew([&] { return OpenBeneath(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK, Links::kNever); }));
    if (IsOutOfDescriptors(-own.get())) return NoDescriptor();
    DIR* dir = own ? ::fdopendir(own.get()) : nullptr;
    if (dir == nullptr) return Unreadable(path);
    own.release();  // the DIR owns it
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(dir);
      if (entry == nullptr) {
        if (errno == ENOENT) report_.odd.Add(OddKind::kChanged, path);
        else if (errno != 0) Unreadable(path);
        break;
      }
      std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (name == ".git") {
        ++report_.git_folders;
        if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN) report_.odd.Add(OddKind::kGit, JoinPath(path, name));
        if (!options_.ignored) continue;
      }
      if (names_ >= options_.max_names) {
        report_.names_capped = true;
        break;
      }
      ++names_;
      if (names_ % 256 == 0 && options_.deadline.passed()) {
        report_.deadline_passed = true;
        break;
      }
      *has_ignore_file = *has_ignore_file || name == ".gitignore";
      Child child{std::string(name), KindOf(DTTOIF(entry->d_type))};
      if (entry->d_type == DT_UNKNOWN || (options_.details && child.kind == EntryKind::kFile)) {
        if (!AddDetails(folder_fd, &child)) {
          report_.odd.Add(OddKind::kChanged, JoinPath(path, name));
          continue;
        }
      }
      children->push_back(std::move(child));
    }
    ::closedir(dir);
    std::sort(children->begin(), children->end(), [](const Child& a, const Child& b) { return a.name < b.name; });
  }

  // False when it is gone by now.
  static bool AddDetails(int folder_fd, Child* child) {
    struct stat st;
    if (::fstatat(folder_fd, child->name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) return errno != ENOENT;
    child->kind = KindOf(st.st_mode);
    child->size = static_cast<uint64_t>(st.st_size);
    child->names = static_cast<uint32_t>(st.st_nlink);
    if (st.st_nlink > 1) child->inode = st.st_ino;
    child->for_everybody = (st.st_mode & 0444) == 0444;
    return true;
  }

  void Step() {
    Frame& frame = frames_.back();
    if (frame.next == frame.children.size()) return Leave();
    const Child& child = frame.children[frame.next++];
    std::string path = JoinPath(frame.path, child.name);
    if (path.size() > kMaxPathBytes) return TooDeep(frame.path);
    const bool folder = child.kind == EntryKind::kFolder;
    if (options_.hidden && options_.hidden->Match(path, folder || child.kind == EntryKind::kSymlink)) return report_.odd.Add(OddKind::kHidden, path);
    if (ignores_.Ignores(path, folder) || (options_.ignored && folder && IsObjectStore(path))) {
      ++report_.ignored;
      return;
    }
    if (ignores_.out_of_time()) return;
    if (!IsPlain(child.name)) report_.odd.Add(OddKind::kOddName, path);
    const int64_t level = frame.level + 1;
    if (!visit_({path, child.kind, level, child.size, child.inode, child.names, child.for_everybody})) {
      report_.stopped = true;
      return;
    }
    if (!folder || (options_.max_level != 0 && level >= options_.max_level)) return;
    if (level > options_.max_depth) return TooDeep(path);
    const int fd = OpenWithFew([&] { return OpenChild(path); });
    // It was a folder a moment ago.
    if (fd == -ENOENT || fd == -ENOTDIR || fd == -ELOOP || fd == -EAGAIN) report_.odd.Add(OddKind::kChanged, path);
    else if (IsOutOfDescriptors(-fd)) NoDescriptor();
    else if (fd < 0) Unreadable(path);
    else if (UniqueFd opened(fd); !report_.names_capped) Enter(std::move(path), std::move(opened), level);
  }

  // The folder `path`, directly in the last frame, from the deepest descriptor that is held.
  int OpenChild(const std::string& path) {
    const Frame& base = frames_[std::min(frames_.size(), may_hold_) - 1];
    std::string_view below = path;
    if (base.path != ".") below.remove_prefix(base.path.size() + 1);
    return OpenBeneath(base.fd.get(), below, O_RDONLY | O_DIRECTORY | O_NONBLOCK, Links::kNever);
  }

  const int root_fd_;
  const WalkOptions& options_;
  GlobCost* const cost_;
  const WalkVisitor& visit_;
  IgnoreStack ignores_;
  std::vector<Frame> frames_;
  size_t may_hold_ = kHeldFolders;
  size_t tried_ = 0;  // so many were held with descriptors to spare
  WalkReport report_;
  size_t names_ = 0;
  size_t folders_read_ = 0;
};

void AddGap(std::string* gaps, const std::string& gap) {
  if (!gaps->empty()) *gaps += "; ";
  *gaps += gap;
}

}  // namespace

ToolOutcome<WalkReport> Walk(int root_fd, const WalkOptions& options, GlobCost* cost, const WalkVisitor& visit) {
  return Walker(root_fd, options, cost, visit).Run();
}

std::string WalkReport::Gaps() const {
  std::string gaps;
  if (deadline_passed) AddGap(&gaps, "the deadline passed before all folders were seen");
  if (names_capped) AddGap(&gaps, "there are more names than one call looks at");
  if (no_descriptor > 0) AddGap(&gaps, std::to_string(no_descriptor) + " folders could not be opened because there was no descriptor left");
  if (too_deep > 0) AddGap(&gaps, std::to_string(too_deep) + " folders or names lie too deep or have too long a path, the first of them below " + QuotedPath(deep_example));
  return gaps;
}

}  // namespace paddock::agentcore

#include "agentcore/tools/walk.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <vector>

#include "agentcore/tools/ignore_stack.h"
#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kHeldFolders = 64;  // descriptors; RLIMIT_NOFILE of a cell is 256

struct Child {
  std::string name;
  EntryKind kind;
  uint64_t size;
};

struct Frame {
  std::string path;
  UniqueFd fd;  // open in the first kHeldFolders frames only
  int64_t level = 0;
  std::vector<Child> children;
  size_t next = 0;
};

EntryKind KindOf(mode_t mode) {
  return S_ISREG(mode) ? EntryKind::kFile : S_ISDIR(mode) ? EntryKind::kFolder : S_ISLNK(mode) ? EntryKind::kSymlink : EntryKind::kSpecial;
}

class Walker {
 public:
  Walker(int root_fd, const WalkOptions& options, GlobCost* cost, const WalkVisitor& visit)
      : root_fd_(root_fd), options_(options), cost_(cost), visit_(visit), ignores_(root_fd) {}

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
    return report_;
  }

 private:
  bool OutOfTime() {
    report_.deadline_passed = report_.deadline_passed || cost_->exhausted || (folders_read_ > 1 && options_.deadline.passed());
    return report_.deadline_passed;
  }

  // The ignore files above the start folder. False when the start is ignored or lies in .git.
  bool EnterAncestors() {
    if (options_.start == ".") return true;
    std::string folder = ".";
    for (size_t end = 0; end != std::string::npos;) {
      UniqueFd fd(OpenBeneath(root_fd_, folder, O_PATH | O_DIRECTORY, Links::kFollowInside));
      struct stat st;
      ignores_.Push(folder, fd.get(), fd && ::fstatat(fd.get(), ".gitignore", &st, AT_SYMLINK_NOFOLLOW) == 0);
      end = options_.start.find('/', end == 0 ? 0 : end + 1);
      folder = options_.start.substr(0, end);
      if (NameIn(folder) == ".git") {
        ++report_.git_folders;
        return false;
      }
      if (ignores_.Ignores(folder, true, cost_)) {
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
    ReadNames(fd.get(), &frame.children, &has_ignore_file);
    ++folders_read_;
    ignores_.Push(frame.path, fd.get(), has_ignore_file);
    if (frames_.size() < kHeldFolders) frame.fd = std::move(fd);
    frames_.push_back(std::move(frame));
  }

  void ReadNames(int folder_fd, std::vector<Child>* children, bool* has_ignore_file) {
    UniqueFd own(OpenBeneath(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK, Links::kNever));
    DIR* dir = own ? ::fdopendir(own.get()) : nullptr;
    if (dir == nullptr) {
      ++report_.unreadable;
      return;
    }
    own.release();  // the DIR owns it
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(dir);
      if (entry == nullptr) {
        if (errno != 0) ++report_.unreadable;
        break;
      }
      std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (name == ".git") {
        ++report_.git_folders;
        continue;
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
      children->push_back({std::string(name), KindOf(DTTOIF(entry->d_type)), 0});
      Child& child = children->back();
      struct stat st;
      if ((entry->d_type == DT_UNKNOWN || (options_.sizes && child.kind == EntryKind::kFile)) &&
          ::fstatat(folder_fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        child.kind = KindOf(st.st_mode);
        child.size = static_cast<uint64_t>(st.st_size);
      }
    }
    ::closedir(dir);
    std::sort(children->begin(), children->end(), [](const Child& a, const Child& b) { return a.name < b.name; });
  }

  void Step() {
    Frame& frame = frames_.back();
    if (frame.next == frame.children.size()) {
      frames_.pop_back();
      ignores_.Pop();
      return;
    }
    const Child& child = frame.children[frame.next++];
    std::string path = JoinPath(frame.path, child.name);
    if (path.size() > kMaxPathBytes) {
      ++report_.too_deep;
      return;
    }
    const bool folder = child.kind == EntryKind::kFolder;
    if (ignores_.Ignores(path, folder, cost_)) {
      ++report_.ignored;
      return;
    }
    if (cost_->exhausted) return;
    const int64_t level = frame.level + 1;
    if (!visit_({path, child.kind, level, child.size})) {
      report_.stopped = true;
      return;
    }
    if (!folder || (options_.max_level != 0 && level >= options_.max_level)) return;
    if (level > options_.max_depth) {
      ++report_.too_deep;
      return;
    }
    UniqueFd fd(OpenChild(path));
    if (!fd) ++report_.unreadable;
    else if (!report_.names_capped) Enter(std::move(path), std::move(fd), level);
  }

  // The folder `path`, directly in the last frame, from the deepest descriptor that is held.
  int OpenChild(const std::string& path) {
    const Frame& base = frames_[std::min(frames_.size(), kHeldFolders) - 1];
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
  if (rules_capped) AddGap(&gaps, "some ignore rules were too many or too long to hold, so that ignored files may be among these");
  if (too_deep > 0) AddGap(&gaps, std::to_string(too_deep) + " folders or names lie too deep or have too long a path");
  if (unreadable > 0) AddGap(&gaps, std::to_string(unreadable) + " folders could not be read");
  return gaps;
}

}  // namespace paddock::agentcore

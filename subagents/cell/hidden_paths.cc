#include "subagents/cell/hidden_paths.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"
#include "subagents/cell/cell.h"

namespace paddock::subagents {
namespace {

using agentcore::JoinPath;
using agentcore::Links;
using agentcore::OpenBeneath;

constexpr int kMostWalks = 16;

class Finder {
 public:
  Finder(int root_fd, const agentcore::HiddenNames& names) : root_fd_(root_fd), names_(names) {}

  HiddenFrame Run() {
    struct stat root;
    if (::fstat(root_fd_, &root) < 0) return Fault(HiddenFault::kUnreadable, "."), Take();
    root_ = {root.st_dev, root.st_ino};
    // What is found may have further names where the walk had been already.
    for (int walks = 0; frame_.fault == HiddenFault::kNone; ++walks) {
      const size_t known = things_.size();
      if (walks == kMostWalks) return Fault(HiddenFault::kChanged, "."), Take();
      paths_.clear();
      bytes_ = 0;
      nowhere_.clear();
      seen_.clear();
      Walk();
      if (things_.size() == known) break;
    }
    return Take();
  }

 private:
  using Thing = std::pair<dev_t, ino_t>;
  struct Folder {
    std::string path;
    bool hidden;  // with all that is in it
  };

  void Fault(HiddenFault fault, const std::string& path) {
    if (frame_.fault != HiddenFault::kNone) return;
    frame_.fault = fault;
    frame_.at = WireFromBytes(path);
  }

  HiddenFrame Take() {
    if (frame_.fault != HiddenFault::kNone) return std::move(frame_);
    std::sort(paths_.begin(), paths_.end());
    for (const std::string& path : paths_) frame_.paths.push_back(WireFromBytes(path));
    for (const auto& [thing, link] : led_to_)
      if (!seen_.contains(thing)) nowhere_.push_back(link);
    std::sort(nowhere_.begin(), nowhere_.end());
    if (nowhere_.size() > kMaxLinksOut) nowhere_.resize(kMaxLinksOut);
    for (const std::string& link : nowhere_) frame_.links_out.push_back(WireFromBytes(link));
    return std::move(frame_);
  }

  void Hide(const std::string& path) {
    bytes_ += path.size();
    if (paths_.size() == kMaxHiddenPaths) return Fault(HiddenFault::kTooMany, path);
    if (bytes_ > kMaxHiddenBytes) return Fault(HiddenFault::kTooLong, path);
    paths_.push_back(path);
  }

  void Walk() {
    std::vector<Folder> open = {{".", false}};
    while (!open.empty() && frame_.fault == HiddenFault::kNone) {
      const Folder folder = std::move(open.back());
      open.pop_back();
      const int fd = OpenBeneath(root_fd_, folder.path, O_RDONLY | O_DIRECTORY | O_NONBLOCK, Links::kNever);
      if (fd < 0) {
        CantList(folder, -fd);
        continue;
      }
      UniqueFd own(fd);
      DIR* names = ::fdopendir(fd);
      if (names == nullptr) return Fault(HiddenFault::kUnreadable, folder.path);
      own.release();  // the DIR owns it
      errno = 0;
      while (const dirent* entry = ::readdir(names)) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") Entry(fd, folder, entry->d_name, &open);
        errno = 0;
      }
      if (errno != 0 && errno != ENOENT) Fault(HiddenFault::kUnreadable, folder.path);
      ::closedir(names);
    }
  }

  void CantList(const Folder& folder, int error) {
    if (error == ENOENT) return;  // it is gone
    if (error == ENOTDIR || error == ELOOP || error == EAGAIN) return Fault(HiddenFault::kChanged, folder.path);
    if ((error != EACCES && error != EPERM) || folder.path == ".") return Fault(HiddenFault::kUnreadable, folder.path);
    if (folder.hidden) return;
    UniqueFd fd(OpenBeneath(root_fd_, folder.path, O_PATH | O_DIRECTORY, Links::kNever));
    struct stat info;
    // Who may not search it can open nothing in it.
    if (fd && ::fstatat(fd.get(), ".", &info, 0) == 0) Hide(folder.path);
  }

  void Entry(int fd, const Folder& folder, const char* name, std::vector<Folder>* open) {
    const std::string path = JoinPath(folder.path, name);
    if (path.size() > kMaxHiddenPathBytes) {
      if (!folder.hidden && (paths_.empty() || paths_.back() != folder.path)) Hide(folder.path);
      return;
    }
    struct stat info;
    if (::fstatat(fd, name, &info, AT_SYMLINK_NOFOLLOW) < 0) {
      if (errno != ENOENT && errno != EACCES) Fault(HiddenFault::kUnreadable, path);
      return;
    }
    const bool link = S_ISLNK(info.st_mode), is_folder = S_ISDIR(info.st_mode);
    const bool matches = names_.Match(path, is_folder || link);
    if (link) {
      if (matches) FollowLink(fd, name, path);
      return;
    }
    const Thing thing{info.st_dev, info.st_ino};
    if (led_to_.contains(thing)) seen_.insert(thing);
    const bool hidden = folder.hidden || matches || things_.contains(thing);
    if (hidden) things_.insert(thing);
    if (hidden && !folder.hidden) Hide(path);
    if (is_folder) open->push_back({path, hidden});
  }

  // As whoever opens it would: what it leads to is known by device and inode, and found by them.
  void FollowLink(int fd, const char* name, const std::string& path) {
    struct stat target;
    if (::fstatat(fd, name, &target, 0) < 0) {
      if (errno != ELOOP) nowhere_.push_back(path);
      return;
    }
    const Thing thing{target.st_dev, target.st_ino};
    if (thing == root_) return Fault(HiddenFault::kWhole, path);
    led_to_.emplace(thing, path);
    things_.insert(thing);
  }

  const int root_fd_;
  const agentcore::HiddenNames& names_;
  Thing root_{};
  std::set<Thing> things_;              // that are hidden, whatever their name
  std::map<Thing, std::string> led_to_; // by a link, one of them
  std::set<Thing> seen_;                // of led_to_, in the last walk
  std::vector<std::string> paths_, nowhere_;
  size_t bytes_ = 0;
  HiddenFrame frame_;
};

}  // namespace

HiddenFrame FindHiddenPaths(int root_fd, const agentcore::HiddenNames& names) { return Finder(root_fd, names).Run(); }

Status RunHide(Channel* channel, const TaskFrame& task, const CellOptions& options) {
  auto names = agentcore::HiddenNames::Parse(task.hide);
  if (!names) return Fail(ErrorKind::kProtocol, names.error().message);
  UniqueFd root = TRY(OpenWorkspace(options.workspace));
  return channel->Send(EncodeFrame("hidden", FindHiddenPaths(root.get(), *names)));
}

}  // namespace paddock::subagents

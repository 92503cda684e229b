#include "agentcore/tools/tree_facts.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "agentcore/tools/line_reader.h"
#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxHardLinks = 20'000;
constexpr size_t kMaxExtensions = 10'000, kShownExtensions = 30, kShownTopLevel = 100, kShownLargest = 10, kShownOdd = 50;

std::string ExtensionOf(std::string_view name) {
  size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size() || name.size() - dot > 16) return "";
  return std::string(name.substr(dot));
}

Json MostFirst(const std::map<std::string, int64_t>& counts, size_t shown) {
  std::vector<std::pair<std::string, int64_t>> list(counts.begin(), counts.end());
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (list.size() > shown) list.resize(shown);
  Json out = Json::array();
  for (const auto& [name, count] : list) {
    Json pair = Json::array();
    pair.push_back(PathToText(name));
    pair.push_back(count);
    out.push_back(std::move(pair));
  }
  return out;
}

}  // namespace

std::string LinkTarget(int root_fd, std::string_view path) {
  int fd = OpenBeneath(root_fd, ParentOf(path), O_PATH | O_DIRECTORY, Links::kFollowInside);
  UniqueFd folder(fd < 0 ? -1 : fd);
  std::string target(1024, '\0');
  ssize_t got = folder ? ::readlinkat(folder.get(), std::string(NameIn(path)).c_str(), target.data(), target.size()) : -1;
  target.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return target;
}

void TreeFacts::Add(const WalkEntry& entry) {
  switch (entry.kind) {
    case EntryKind::kFile: return AddFile(entry);
    case EntryKind::kFolder:
      ++folders_;
      if (entry.level == 1) top_level_.try_emplace(std::string(entry.path), 0);
      return;
    case EntryKind::kSymlink: return AddLink(entry);
    case EntryKind::kFifo: odd_.Add(OddKind::kFifo, entry.path); break;
    case EntryKind::kSocket: odd_.Add(OddKind::kSocket, entry.path); break;
    case EntryKind::kDevice: odd_.Add(OddKind::kDevice, entry.path); break;
  }
  ++special_;
  if (special_paths_.size() < kShownOdd) special_paths_.push_back(PathToText(entry.path));
}

void TreeFacts::AddFile(const WalkEntry& entry) {
  ++files_;
  std::string_view below = entry.path;
  if (start_ != ".") below.remove_prefix(start_.size() + 1);
  std::string extension = ExtensionOf(NameIn(entry.path));
  if (by_extension_.size() < kMaxExtensions || by_extension_.contains(extension)) ++by_extension_[extension];
  size_t slash = below.find('/');
  if (slash != std::string_view::npos) ++top_level_[JoinPath(start_, below.substr(0, slash))];
  if (largest_.size() < kShownLargest || entry.size > largest_.begin()->first) {
    largest_.emplace(entry.size, entry.path);
    if (largest_.size() > kShownLargest) largest_.erase(largest_.begin());
  }
  if (entry.size > kMaxScanBytes) odd_.Add(OddKind::kLargeFile, entry.path);
  // Only what not everybody may read is tried.
  if (!entry.for_everybody) {
    int failed = TryToRead(root_fd_, entry.path);
    if (failed == EACCES || failed == EPERM) odd_.Add(OddKind::kUnreadableFile, entry.path);
    else if (failed == ENOENT) odd_.Add(OddKind::kChanged, entry.path);
  }
  if (whole_ && entry.names > 1 && hard_links_.size() < kMaxHardLinks) {
    HardLink& link = hard_links_.try_emplace(entry.inode, HardLink{std::string(entry.path), 0, entry.names}).first->second;
    ++link.seen;
  }
}

void TreeFacts::AddLink(const WalkEntry& entry) {
  ++symlinks_;
  if (links_.size() < kShownOdd) {
    Json pair = Json::array();
    pair.push_back(PathToText(entry.path));
    pair.push_back(PathToText(LinkTarget(root_fd_, entry.path)));
    links_.push_back(std::move(pair));
  }
  UniqueFd target;
  int fd = OpenBeneath(root_fd_, entry.path, O_PATH, Links::kFollowInside);
  if (fd >= 0) target.reset(fd);
  if (fd == -EXDEV) odd_.Add(OddKind::kLinkOut, entry.path);
  else if (fd == -ENOENT || fd == -ENOTDIR) odd_.Add(OddKind::kLinkBroken, entry.path);
  else if (fd == -ELOOP) odd_.Add(OddKind::kLinkLoop, entry.path);
}

Oddities TreeFacts::TakeOdd(bool complete) {
  for (const auto& [inode, link] : hard_links_)
    if (complete && link.seen < link.names) odd_.Add(OddKind::kHardLink, link.path);
  hard_links_.clear();
  return std::move(odd_);
}

void TreeFacts::PrintCounts(Json* facts) const {
  Json& out = *facts;
  out["total"] = total();
  out["files"] = files_;
  out["folders"] = folders_;
  out["symlinks"] = symlinks_;
  out["special"] = special_;
}

void TreeFacts::PrintLists(Json* facts) const {
  Json& out = *facts;
  out["by_extension"] = MostFirst(by_extension_, kShownExtensions);
  out["top_level"] = MostFirst(top_level_, kShownTopLevel);
  Json largest = Json::array();
  for (auto it = largest_.rbegin(); it != largest_.rend(); ++it) {
    Json pair = Json::array();
    pair.push_back(PathToText(it->second));
    pair.push_back(it->first);
    largest.push_back(std::move(pair));
  }
  out["largest"] = std::move(largest);
  out["links"] = links_;
  out["special_paths"] = special_paths_;
}

}  // namespace paddock::agentcore

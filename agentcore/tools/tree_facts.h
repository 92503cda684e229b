// Counts over a walk, in bounded memory: the facts of list_files, from which a whole repository can be mapped
// in one call.
#pragma once

#include <map>
#include <set>
#include <string>

#include "agentcore/tools/walk.h"
#include "base/json.h"

namespace paddock::agentcore {

// Where a link of the workspace leads, as it stands in it; "" where that can't be read.
std::string LinkTarget(int root_fd, std::string_view path);

class TreeFacts {
 public:
  // `root_fd` (borrowed) is for seeing where links lead and whether files can be opened. `whole`: the walk is of the
  // whole workspace, so that a name that is not in it lies outside, or is ignored.
  TreeFacts(int root_fd, std::string start, bool whole) : root_fd_(root_fd), start_(std::move(start)), whole_(whole) {}
  void Add(const WalkEntry& entry);
  // After the last entry: what is odd. `complete`: nothing was left out of the walk.
  Oddities TakeOdd(bool complete);
  int64_t total() const { return files_ + folders_ + symlinks_ + special_; }
  int64_t files() const { return files_; }
  int64_t folders() const { return folders_; }
  void PrintCounts(Json* facts) const;
  void PrintLists(Json* facts) const;

 private:
  void AddFile(const WalkEntry& entry);
  void AddLink(const WalkEntry& entry);
  struct HardLink {
    std::string path;
    uint32_t seen = 0, names = 0;
  };

  const int root_fd_;
  const std::string start_;
  const bool whole_;
  Oddities odd_;
  std::map<uint64_t, HardLink> hard_links_;  // by inode
  int64_t files_ = 0, folders_ = 0, symlinks_ = 0, special_ = 0;
  std::map<std::string, int64_t> by_extension_;
  std::map<std::string, int64_t> top_level_;
  std::set<std::pair<uint64_t, std::string>> largest_;
  Json links_ = Json::array();
  Json special_paths_ = Json::array();
};

}  // namespace paddock::agentcore

// Counts over a walk, in bounded memory: the facts of list_files, from which a whole repository can be mapped
// in one call.
#pragma once

#include <map>
#include <set>
#include <string>

#include "agentcore/tools/walk.h"
#include "base/json.h"

namespace paddock::agentcore {

class TreeFacts {
 public:
  // `root_fd` (borrowed) is for reading where links lead.
  TreeFacts(int root_fd, std::string start) : root_fd_(root_fd), start_(std::move(start)) {}
  void Add(const WalkEntry& entry);
  int64_t total() const { return files_ + folders_ + symlinks_ + special_; }
  int64_t files() const { return files_; }
  int64_t folders() const { return folders_; }
  void Print(Json* facts) const;

 private:
  const int root_fd_;
  const std::string start_;
  int64_t files_ = 0, folders_ = 0, symlinks_ = 0, special_ = 0;
  std::map<std::string, int64_t> by_extension_;
  std::map<std::string, int64_t> top_level_;
  std::set<std::pair<uint64_t, std::string>> largest_;
  Json links_ = Json::array();
  Json special_paths_ = Json::array();
};

}  // namespace paddock::agentcore

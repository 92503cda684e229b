// Files that may be at fault, each with its most suspect place and the reasons, added up.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace paddock::subagents {

struct Suspect {
  std::string path;
  int64_t line = 0;           // of the place with the most points; 0: the file as such
  std::string function;
  double score = 0;
  std::vector<std::string> reasons;  // the weightiest first
  std::string line_reason;           // the weightiest of those for `line`; where that is 0, of all
  std::vector<int64_t> lines;        // of its places, the weightiest first; that of the first reason is one of the first two
};

class Suspects {
 public:
  // An empty reason counts, and isn't told.
  void Add(const std::string& path, int64_t line, const std::string& function, double points, const std::string& reason);
  // Most suspect first. Of a file's reasons the first counts whole, each further one half of the one before: much of little is not more
  // than one that says all.
  std::vector<Suspect> Ranked() const;
  // It comes behind the first of these, however many points it has; where none of them is suspected, it stays.
  void PutBehind(const std::string& path, const std::set<std::string>& others) { behind_[path] = others; }
  bool Has(const std::string& path) const { return entries_.contains(path); }
  bool Has(const std::string& path, const std::string& function) const;
  std::vector<std::string> Paths() const;
  bool empty() const { return entries_.empty(); }

 private:
  struct Entry {
    int64_t line;
    std::string function;
    double points;
    std::string reason;
  };
  std::map<std::string, std::vector<Entry>> entries_;
  std::map<std::string, std::set<std::string>> behind_;
  size_t count_ = 0;
};

}  // namespace paddock::subagents

// What depends on what, with the lines that say so; cycles and layers of it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "subagents/report.h"

namespace paddock::subagents {

struct Dependency {
  std::vector<Citation> lines;  // the first of them
  int64_t count = 0;            // lines
  bool deferred = true;         // none of them counts at load time
};

struct DependencyCycle {
  std::vector<std::string> modules;  // each depends on the next, the last on the first
};

class ModuleGraph {
 public:
  void AddModule(const std::string& name) { edges_.try_emplace(name); }
  void AddLine(const std::string& from, const std::string& to, const Citation& line, bool deferred);

  const std::map<std::string, std::map<std::string, Dependency>>& edges() const { return edges_; }
  const Dependency* Find(const std::string& from, const std::string& to) const;
  std::map<std::string, std::set<std::string>> UsedBy() const;
  // All that use it, and all that use those: what a change in it may touch.
  std::set<std::string> Reached(const std::string& name) const;
  bool HasEdges() const;
  // The same with no line deferred.
  ModuleGraph AllAtOnce() const;

  // Groups that depend on each other in a circle, each of two modules or more. Deferred lines don't count, here and below.
  std::vector<std::set<std::string>> Tangles() const;
  // Tangle by tangle: its pairs, or where it has none a short circle (the shortest of those through its first modules). At most `limit`.
  std::vector<DependencyCycle> Cycles(size_t limit) const;
  // Bottom first: each depends on layers below only, tangles taken as one.
  std::vector<std::vector<std::string>> Layers() const;

 private:
  std::vector<std::vector<std::string>> Components() const;  // what others depend on first
  std::map<std::string, std::map<std::string, Dependency>> edges_;
};

}  // namespace paddock::subagents

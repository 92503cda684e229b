// Tool calls that a playbook wants made: most telling first, none asked twice.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "agentcore/model/model.h"

namespace paddock::subagents {

class CallQueue {
 public:
  // Nothing where the same was asked before (for a file: from the same line on), or too much is waiting: then false.
  bool Add(const std::string& tool, Json arguments);
  void Read(const std::string& path, int64_t limit) { ReadFrom(path, 1, limit); }
  void ReadFrom(const std::string& path, int64_t first, int64_t limit);

  std::vector<agentcore::ToolCall> Take(size_t most);
  bool empty() const { return queue_.empty(); }
  size_t size() const { return queue_.size(); }

 private:
  static constexpr size_t kMaxWaiting = 60;
  bool AddOnce(const std::string& key, const std::string& tool, Json arguments);

  std::vector<agentcore::ToolCall> queue_;
  std::set<std::string> asked_;
};

}  // namespace paddock::subagents

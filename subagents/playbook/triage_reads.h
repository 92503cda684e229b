// Files that triage reads to their end, page by page, within one number of calls for all of them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

class TriageReads {
 public:
  explicit TriageReads(const RepoView& view) : view_(view) {}
  // An outcome of read_file, which the view has taken already.
  void Take(const agentcore::CallOutcome& outcome);
  void SetMost(size_t most) { most_ = most; }

  bool Begun(const std::string& path) const { return read_.contains(path); }
  // The first line that was not read; 0: it was read to its end.
  int64_t NextUnread(const std::string& path) const;
  // What it is instead of text ("ELF program"), where reading showed that.
  const std::map<std::string, std::string>& binary() const { return binary_; }
  // Why there are lines that were not read: "it is no text".
  std::string WhyNot(const std::string& path) const;
  void ReadOn(const std::string& path, CallQueue* queue);

 private:
  const RepoView& view_;
  std::set<std::string> read_;
  std::map<std::string, agentcore::ToolStatus> failed_;
  std::map<std::string, std::string> binary_;
  std::map<std::string, int64_t> length_of_;         // in lines, where that is known
  std::set<std::pair<std::string, int64_t>> asked_;  // from which lines on
  size_t reads_ = 0, most_ = 0;
};

}  // namespace paddock::subagents

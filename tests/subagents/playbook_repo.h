// A made-up repository in memory, with stand-ins for the three tools that answer as the real ones do: what a
// playbook is run on in tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "subagents/playbook.h"
#include "subagents/report.h"

namespace paddock::subagents {

class PlaybookRepo {
 public:
  // Path text → content. Lines end in "\n".
  explicit PlaybookRepo(std::map<std::string, std::string> files) : files_(std::move(files)) {}

  // Runs the explorer to its report. Fails the test where it breaks its contract: no report in the last turn,
  // too many calls, a report that is against its own table.
  Report Explore(int max_turns = 12, int wrap_up_at = 0);
  agentcore::ToolResult Answer(const agentcore::ToolCall& call) const;

  // Every citation of the report quotes lines that an excerpt gave.
  bool EveryCitationHolds(const Report& report) const;

  int calls() const { return calls_; }
  int turns() const { return turns_; }

  bool fail_all = false;       // every tool fails
  size_t list_limit = 100000;  // entries in one listing

 private:
  std::vector<std::string> Lines(const std::string& path) const;

  std::map<std::string, std::string> files_;
  int calls_ = 0;
  int turns_ = 0;
};

// Titles of all findings, for messages.
std::string Titles(const Report& report);
std::vector<std::string> Listed(const Report& report, const char* key);

}  // namespace paddock::subagents

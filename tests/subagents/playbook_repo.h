// A made-up repository in memory, with stand-ins for the three tools that answer as the real ones do: what a
// playbook is run on in tests. The git and symbol tools answer what the test has put into `more`.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook.h"
#include "subagents/report.h"

namespace paddock::subagents {

using Files = std::map<std::string, std::string>;  // path text → content

class PlaybookRepo {
 public:
  // Path text → content. Lines end in "\n".
  explicit PlaybookRepo(std::map<std::string, std::string> files) : files_(std::move(files)) {}

  // Runs a playbook to its report. Fails the test where it breaks its contract: no report in the last turn,
  // too many calls, a report that is against its own table.
  Report Run(const std::string& name, const std::string& goal, const std::string& context = "", int max_turns = 20, int wrap_up_at = 0);
  Report Explore(int max_turns = 12, int wrap_up_at = 0) { return Run("explorer", "map this repository", "", max_turns, wrap_up_at); }
  agentcore::ToolResult Answer(const agentcore::ToolCall& call) const;

  // Every citation of the report quotes lines that an excerpt gave.
  bool EveryCitationHolds(const Report& report) const;

  int calls() const { return calls_; }
  int turns() const { return turns_; }

  bool fail_all = false;       // every tool fails
  bool may_ask = false;        // the report may ask for a run
  bool tell_largest = false;   // a listing tells the largest files
  size_t list_limit = 100000;  // entries in one listing
  // Answers of the tools that read history and symbols; without one they are unsupported, as where git and ctags are missing.
  std::function<std::optional<agentcore::ToolResult>(const agentcore::ToolCall&)> more;

 private:
  std::vector<std::string> Lines(const std::string& path) const;

  std::map<std::string, std::string> files_;
  int calls_ = 0;
  int turns_ = 0;
};

// A playbook's report on these files. Fails the test where a citation doesn't hold, or a pattern is none.
Report ReportOn(const std::string& playbook, const std::string& goal, Files files, int max_turns = 20);
// The same with an index of symbols, which gives this whatever is asked: a path, and the rows of that file.
Report ReportOn(const std::string& playbook, const std::string& goal, Files files, std::vector<std::string> symbols);

// What the git and symbol tools give, for `more`.
agentcore::ToolResult ResultWith(std::vector<agentcore::Artifact> artifacts);
agentcore::Artifact RowsArtifact(const std::string& kind, const std::string& path, std::vector<std::string> rows);
// A git_diff of files: path → its hunks' lines ("@@ -1,0 +1 @@", "+new"). A status other than "changed" follows the path after a tab.
agentcore::ToolResult DiffResult(const std::map<std::string, std::vector<std::string>>& files);

// Titles of all findings, for messages.
std::string Titles(const Report& report);
std::vector<std::string> Listed(const Report& report, const char* key);
// Of the first finding whose title holds this; fails the test where there is none.
std::string DetailOf(const Report& report, std::string_view title);

}  // namespace paddock::subagents

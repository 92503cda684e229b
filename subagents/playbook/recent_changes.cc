#include "subagents/playbook/recent_changes.h"

#include <algorithm>

#include "base/text.h"
#include "subagents/playbook/diff.h"
#include "subagents/playbook/symbols.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFiles = 500, kMaxPlaces = 20;

std::string Short(std::string_view text, size_t bytes) { return std::string(TruncateUtf8(text, bytes)); }

LastChange NewestOf(const std::vector<std::string>& rows) {
  LastChange newest;
  std::string newest_date;
  for (const std::string& row : rows) {
    const auto fields = SplitTabs(row, 6);  // first, last, id, date, author, subject
    const bool committed = fields[2].find_first_not_of('0') != std::string::npos;
    const std::string date = committed ? fields[3] : "~";  // behind every year
    if (newest.line > 0 && date <= newest_date) continue;
    newest_date = date;
    newest.line = fields[0].size() > 9 ? 0 : std::atoll(fields[0].c_str());
    newest.text = committed ? fields[2].substr(0, 12) + ", " + fields[3].substr(0, 10) + ", " + Short(fields[4], 60) + ": " + Short(fields[5], 120) : "nobody yet: it is not committed";
  }
  return newest;
}

}  // namespace

void RecentChanges::Take(const agentcore::CallOutcome& outcome) {
  // Newest first, and which files the last ones touched: by the last commit's id of each file.
  std::map<std::string, int> age;
  for (const auto& artifact : outcome.result.artifacts)
    if (artifact.kind == "commits" && outcome.call.tool == "git_log")
      for (const std::string& row : artifact.lines) age.emplace(SplitTabs(row, 1)[0], static_cast<int>(age.size()));
  for (const auto& artifact : outcome.result.artifacts) {
    if (artifact.kind == "changes" && outcome.call.tool == "git_log")
      for (const std::string& row : artifact.lines) {
        const auto fields = SplitTabs(row, 5);
        if (const auto found = age.find(fields[4]); found != age.end() && ago.size() < kMaxFiles) ago[fields[0]] = found->second;
      }
    if (artifact.kind == "blame" && !artifact.lines.empty()) last[artifact.path] = NewestOf(artifact.lines);
    if (artifact.kind == "diff" && outcome.call.tool == "git_diff") {
      const FileDiff file = ReadDiffArtifact(artifact);
      if (file.status == "removed" || uncommitted.size() >= kMaxFiles) continue;
      std::vector<int64_t>& places = uncommitted[file.path];
      for (const Hunk& hunk : file.hunks) {
        int64_t at = hunk.new_start;
        for (const DiffLine& line : hunk.lines) {
          if (line.sign != ' ') break;
          at = line.new_line + 1;
        }
        if (places.size() < kMaxPlaces) places.push_back(std::max<int64_t>(1, at));
      }
    }
  }
}

}  // namespace paddock::subagents

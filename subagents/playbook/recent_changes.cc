#include "subagents/playbook/recent_changes.h"

#include <algorithm>

#include "base/text.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/diff.h"
#include "subagents/playbook/symbols.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFiles = 500, kMaxPlaces = 20, kMaxCommits = 100;
constexpr size_t kSweeping = 40;  // files; a commit of more is a reformatting, or an import

std::string Short(std::string_view text, size_t bytes) { return std::string(TruncateUtf8(text, bytes)); }

int64_t LineOf(const std::string& field) { return field.size() > 9 ? 0 : std::atoll(field.c_str()); }

LastChange NewestOf(const std::vector<std::string>& rows) {
  LastChange newest;
  newest.first = LineOf(SplitTabs(rows.front(), 2)[0]);
  newest.last = LineOf(SplitTabs(rows.back(), 2)[1]);
  std::string newest_date;
  for (const std::string& row : rows) {
    const auto fields = SplitTabs(row, 6);  // first, last, id, date, author, subject
    const bool committed = fields[2].find_first_not_of('0') != std::string::npos;
    const std::string date = committed ? fields[3] : "~";  // behind every year
    if (newest.line > 0 && date <= newest_date) continue;
    newest_date = date;
    newest.line = LineOf(fields[0]);
    newest.text = committed ? fields[2].substr(0, 12) + ", " + fields[3].substr(0, 10) + ", " + Short(fields[4], 60) + ": " + Short(fields[5], 120) : "nobody yet: it is not committed";
  }
  return newest;
}

bool IsCode(const std::string& path, const std::string& text) { return text.find_first_not_of(" \t") != std::string::npos && !IsCommentLine(path, text); }

}  // namespace

void RecentChanges::TakeCommit(const agentcore::CallOutcome& outcome) {
  CodeChange change;
  std::vector<FileDiff> files;
  for (const auto& artifact : outcome.result.artifacts) {
    if (artifact.kind == "commits" && !artifact.lines.empty()) {
      const auto fields = SplitTabs(artifact.lines[0], 7);  // id, date, author, files, added, removed, subject
      const auto found = std::find(commits.begin(), commits.end(), fields[0]);
      if (found == commits.end()) return;
      change.commit = fields[0].substr(0, 12);
      change.subject = Short(fields[6], 120);
      change.order = static_cast<int>(found - commits.begin());
    }
    if (artifact.kind == "diff") files.push_back(ReadDiffArtifact(artifact));
  }
  if (change.commit.empty() || files.size() > kSweeping) return;
  for (const FileDiff& file : files) {
    if (file.status == "removed" || code.size() >= kMaxFiles) continue;
    change.lines.clear();
    change.only_adds = true;
    for (const Hunk& hunk : file.hunks) {
      int64_t at = hunk.new_start;
      for (const DiffLine& line : hunk.lines) {
        if (line.sign != ' ' && IsCode(file.path, line.text) && change.lines.size() < kMaxPlaces && (change.lines.empty() || change.lines.back() != at)) change.lines.push_back(std::max<int64_t>(1, at));
        if (line.sign == '-' && IsCode(file.path, line.text)) change.only_adds = false;
        if (line.sign != '-') at = line.new_line + 1;
      }
    }
    if (!change.lines.empty()) code[file.path].push_back(change);
  }
}

void RecentChanges::Take(const agentcore::CallOutcome& outcome) {
  if (outcome.call.tool == "git_show") return TakeCommit(outcome);
  // Newest first, and which files the last ones touched: by the last commit's id of each file.
  std::map<std::string, int> age;
  for (const auto& artifact : outcome.result.artifacts)
    if (artifact.kind == "commits" && outcome.call.tool == "git_log")
      for (const std::string& row : artifact.lines) {
        const std::string id = SplitTabs(row, 2)[0];
        if (age.emplace(id, static_cast<int>(age.size())).second && commits.size() < kMaxCommits) commits.push_back(id);
      }
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
      for (const Hunk& hunk : file.hunks) {
        if (std::none_of(hunk.lines.begin(), hunk.lines.end(), [&](const DiffLine& line) { return line.sign != ' ' && IsCode(file.path, line.text); })) continue;
        std::vector<int64_t>& places = uncommitted[file.path];
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

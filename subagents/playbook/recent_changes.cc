#include "subagents/playbook/recent_changes.h"

#include <algorithm>

#include "subagents/playbook/changed_code.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/symbols.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFiles = 500, kMaxCommits = 100, kMaxAsked = 10;
constexpr int64_t kMostRead = 2000, kLinesAbove = 80;
constexpr size_t kSweeping = 40;  // files; a commit of more is a reformatting, or an import

int64_t LineOf(const std::string& field) { return field.size() > 9 ? 0 : std::atoll(field.c_str()); }

LastChange NewestOf(const std::vector<std::string>& rows) {
  LastChange newest;
  for (const std::string& row : rows) {
    const auto fields = SplitTabs(row, 6);  // first, last, id, date, author, subject
    const int64_t first = LineOf(fields[0]), last = LineOf(fields[1]);
    if (newest.first == 0) newest.first = first;
    else if (first != newest.last + 1) return {};
    newest.last = last;
    const bool committed = fields[2].find_first_not_of('0') != std::string::npos;
    const std::string date = committed ? fields[3] : "~";  // behind every year
    if (newest.line > 0 && date <= newest.date) continue;
    newest.date = date;
    newest.line = first;
    newest.text = committed ? fields[2].substr(0, 12) + ", " + fields[3].substr(0, 10) + ", " + Short(fields[4], 60) + ": " + Short(fields[5], 120) : "nobody yet: it is not committed";
  }
  return newest;
}

}  // namespace

void RecentChanges::TakeCommit(const agentcore::CallOutcome& outcome) {
  Shown shown;
  for (const auto& artifact : outcome.result.artifacts) {
    if (artifact.kind == "commits" && !artifact.lines.empty()) {
      const auto fields = SplitTabs(artifact.lines[0], 7);  // id, date, author, files, added, removed, subject
      const auto found = std::find(commits.begin(), commits.end(), fields[0]);
      if (found == commits.end()) return;
      shown.change.commit = fields[0].substr(0, 12);
      shown.change.date = fields[1];
      shown.change.subject = Short(fields[6], 120);
      shown.change.order = static_cast<int>(found - commits.begin());
    }
    if (artifact.kind == "diff" && shown.files.size() < kMaxFiles) shown.files.push_back(ReadDiffArtifact(artifact));
  }
  if (!shown.change.commit.empty()) shown_[shown.change.order] = std::move(shown);
}

// What changed the file behind the commit of this order, the oldest first.
std::vector<const FileDiff*> RecentChanges::Since(int order, const std::string& path) const {
  std::vector<const FileDiff*> since;
  const auto add = [&](const std::vector<FileDiff>& files) {
    for (const FileDiff& file : files)
      if (file.path == path) since.push_back(&file);
  };
  for (auto at = shown_.rbegin(); at != shown_.rend(); ++at)
    if (at->first < order) add(at->second.files);
  add(working_);
  return since;
}

void RecentChanges::Judge(const RepoView& view) {
  code.clear();
  uncommitted.clear();
  for (const FileDiff& file : working_)
    if (const ChangedCode changed = CodeChangedBy(file, {}, true, view.LinesOf(file.path)); !changed.lines.empty()) uncommitted[file.path] = changed.lines;
  for (const auto& [order, shown] : shown_) {
    if (shown.files.size() > kSweeping) continue;
    std::vector<std::pair<std::string, CodeChange>> of_files;
    for (const FileDiff& file : shown.files) {
      if (file.status == "removed" || !IsOwnSource(file.path)) continue;
      const ChangedCode changed = CodeChangedBy(file, Since(order, file.path), static_cast<size_t>(order) < in_order_, view.LinesOf(file.path));
      if (changed.lines.empty()) continue;
      CodeChange change = shown.change;
      change.lines = changed.lines;
      change.only_adds = changed.only_adds;
      change.only_text = changed.only_text;
      change.kind = changed.kind;
      change.telling = changed.telling;
      change.gone = changed.gone;
      change.behind = changed.behind;
      change.again = changed.again;
      of_files.emplace_back(file.path, std::move(change));
    }
    for (auto& [path, change] : of_files) {
      change.files = static_cast<int>(of_files.size());
      if (code.contains(path) || code.size() < kMaxFiles) code[path].push_back(std::move(change));
    }
  }
}

// A comment or a string that goes on for many lines is known from its beginning alone.
void RecentChanges::Ask(const RepoView& view, CallQueue* queue) const {
  size_t asked = 0;
  const auto ask = [&](const FileDiff& file) {
    if (file.status == "removed" || file.hunks.empty() || !IsOwnSource(file.path) || !view.HasFile(file.path) || asked >= kMaxAsked) return;
    const int64_t line = file.hunks.back().new_start;
    if (const SeenLines* lines = view.LinesOf(file.path); lines && lines->contains(1) && lines->contains(line)) return;
    ++asked;
    if (line <= kMostRead - kLinesAbove) queue->Read(file.path, kMostRead);
    else queue->ReadFrom(file.path, line - kLinesAbove, 2 * kLinesAbove);
  };
  for (const FileDiff& file : working_) ask(file);
  for (const auto& [order, shown] : shown_)
    if (shown.files.size() <= kSweeping)
      for (const FileDiff& file : shown.files) ask(file);
}

std::string RecentChanges::AgeOf(int order) const {
  const std::string age = order == 0 ? "the last one" : std::to_string(order) + " before the last";
  return age + (in_order_ < commits.size() && static_cast<size_t>(order) >= in_order_ ? " (in git log, merges left out)" : "");
}

void RecentChanges::Take(const agentcore::CallOutcome& outcome) {
  if (outcome.call.tool == "git_show") return TakeCommit(outcome);
  // Newest first, and which files the last ones touched: by the last commit's id of each file.
  std::map<std::string, int> age;
  for (const auto& artifact : outcome.result.artifacts)
    if (artifact.kind == "commits" && outcome.call.tool == "git_log")
      for (const std::string& row : artifact.lines) {
        const auto fields = SplitTabs(row, 7);  // id, date, author, files, added, removed, subject
        // What a merge brings was changed by the commits that it merges, which are listed as well.
        if (fields[3] == "0") in_order_ = std::min(in_order_, commits.size());
        else if (age.emplace(fields[0], static_cast<int>(age.size())).second && commits.size() < kMaxCommits) commits.push_back(fields[0]);
      }
  for (const auto& artifact : outcome.result.artifacts) {
    if (artifact.kind == "changes" && outcome.call.tool == "git_log")
      for (const std::string& row : artifact.lines) {
        const auto fields = SplitTabs(row, 5);
        if (const auto found = age.find(fields[4]); found != age.end() && found->second < std::ssize(commits) && ago.size() < kMaxFiles) ago[fields[0]] = found->second;
      }
    if (artifact.kind == "blame" && !artifact.lines.empty()) last[artifact.path] = NewestOf(artifact.lines);
    if (artifact.kind == "diff" && outcome.call.tool == "git_diff") {
      FileDiff file = ReadDiffArtifact(artifact);
      if (file.status != "removed" && working_.size() < kMaxFiles) working_.push_back(std::move(file));
    }
  }
}

}  // namespace paddock::subagents

#include "subagents/playbook/review_change_set.h"

#include <algorithm>

#include "base/text.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kMaxCount = int64_t{1} << 40;
constexpr size_t kMaxLines = 200'000;  // of all files

}  // namespace

bool ChangeSet::Give(std::string_view text) {
  files = ReadUnifiedDiff(text, &not_read_);
  return !files.empty();
}

void ChangeSet::Take(const agentcore::CallOutcome& outcome, bool given) {
  if (!outcome.result.success) {
    if (outcome.call.tool != "git_log") fault = TruncateUtf8(outcome.result.error, 300);
    return;
  }
  const bool page = outcome.call.arguments.is_object() && outcome.call.arguments.contains("path");
  std::set<std::string> here;
  for (const auto& artifact : outcome.result.artifacts) {
    if (artifact.kind == "diff" && !given) TakeDiff(ReadDiffArtifact(artifact), page, !here.insert(artifact.path).second);
    if (artifact.kind == "commits" && commits.empty()) commits = artifact.lines;
    if (artifact.kind != "listing" || page || outcome.call.tool == "git_log" || !artifact.facts.is_object()) continue;
    listed_.insert(artifact.entries.begin(), artifact.entries.end());
    const auto told = [&](const char* key, int64_t otherwise) {
      const Json count = artifact.facts.value(key, Json());
      return count.is_number_integer() ? std::clamp<int64_t>(count.get<int64_t>(), 0, kMaxCount) : otherwise;
    };
    listed_files_ = std::max(listed_files_, std::min<int64_t>(told("files", 0), 1'000'000));
    hidden_ = told("hidden", 0);
    unreadable_ = told("unreadable", 0);
    added_ = told("added", -1);
    removed_ = told("removed", -1);
  }
}

std::set<std::string> ChangeSet::Paths() const {
  std::set<std::string> out = listed_;
  for (const auto& file : files) out.insert(file.path);
  return out;
}

int64_t ChangeSet::CountAdded() const {
  int64_t count = 0;
  for (const auto& file : files) count += file.Added();
  return added_ >= 0 ? added_ : count;
}
int64_t ChangeSet::CountRemoved() const {
  int64_t count = 0;
  for (const auto& file : files) count += file.Removed();
  return removed_ >= 0 ? removed_ : count;
}

void ChangeSet::TakeDiff(FileDiff file, bool page, bool piece) {
  size_t lines = 0;
  for (const auto& hunk : file.hunks) lines += hunk.lines.size();
  if (lines_ + lines > kMaxLines) {
    file.hunks.clear();
    file.whole = page = false;
  } else {
    lines_ += lines;
  }
  auto known = std::find_if(files.begin(), files.end(), [&](const auto& each) { return each.path == file.path; });
  if (known == files.end()) {
    if (!piece) files.push_back(std::move(file));
  } else if (piece) {
    known->whole = false;
  } else if (page && (file.whole || !known->whole)) {
    *known = std::move(file);
  }
}

std::set<std::string> ChangeSet::Unread() const {
  std::set<std::string> out = listed_;
  for (const auto& file : files)
    if (file.whole) out.erase(file.path);
    else out.insert(file.path);
  std::erase_if(out, [](const auto& path) { return IsForeignPath(path); });
  return out;
}
int64_t ChangeSet::CountUnread() const { return static_cast<int64_t>(Unread().size()) + std::max<int64_t>(0, listed_files_ - static_cast<int64_t>(listed_.size())) + not_read_; }

}  // namespace paddock::subagents

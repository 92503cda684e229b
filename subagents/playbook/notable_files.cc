#include "subagents/playbook/notable_files.h"

#include <algorithm>
#include <charconv>

namespace paddock::subagents {
namespace {

constexpr size_t kNamed = 5;        // files of each kind
constexpr int64_t kCommits = 500;   // of the history, the latest

std::vector<std::string> Columns(std::string_view row) {
  std::vector<std::string> columns;
  for (size_t begin = 0; begin <= row.size();) {
    const size_t end = std::min(row.find('\t', begin), row.size());
    columns.emplace_back(row.substr(begin, end - begin));
    begin = end + 1;
  }
  return columns;
}

int64_t Number(const std::string& text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::max<int64_t>(number, 0);
}

}  // namespace

void NotableFiles::Take(const agentcore::CallOutcome& outcome) {
  for (const auto& artifact : outcome.result.artifacts) {
    if (outcome.call.tool == "list_files" && artifact.path == "." && largest_.empty()) {
      const auto found = artifact.facts.find("largest");
      if (found == artifact.facts.end() || !found->is_array()) continue;
      for (const Json& pair : *found)
        if (pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_number_integer()) largest_.push_back({pair[0].get<std::string>(), pair[1].get<int64_t>()});
    }
    if (outcome.call.tool != "git_log") continue;
    if (artifact.kind == "commits") commits_ = std::max(commits_, static_cast<int64_t>(artifact.lines.size()));
    if (artifact.kind == "commits" && artifact.facts.is_object()) uncounted_ = std::max(uncounted_, artifact.facts.value("uncounted", int64_t{0}));
    if (artifact.kind != "changes") continue;
    for (const std::string& row : artifact.lines)
      if (const auto columns = Columns(row); columns.size() >= 4) changed_.push_back({columns[0], Number(columns[1]), Number(columns[2]), Number(columns[3])});
  }
}

void NotableFiles::Plan(const RepoView& view, CallQueue* queue) {
  if (stage_ == 0) {
    queue->Add("git_log", Json{{"limit", kCommits}, {"changes", true}});
    ++stage_;
    return;
  }
  if (stage_ > 1 || !queue->empty()) return;
  ++stage_;
  if (uncounted_ > 0) changed_.clear();
  std::erase_if(largest_, [](const Sized& one) { return IsForeignPath(one.path); });
  std::erase_if(changed_, [&](const Changed& one) { return !view.HasFile(one.path) || IsForeignPath(one.path) || one.commits < 2; });
  of_listed_ = view.listing_cut();
  largest_.resize(std::min(largest_.size(), kNamed));
  changed_.resize(std::min(changed_.size(), kNamed));
}

void NotableFiles::AddTo(Report* report) const {
  // No line says how large or how often changed its file is: none is cited.
  const auto add = [&](std::string title, std::string detail) { report->findings.push_back({std::move(title), Severity::kInfo, std::move(detail), Confidence::kMedium, {}}); };
  Json largest = Json::array(), changed = Json::array();
  std::string sizes, counts;
  for (const Sized& one : largest_) {
    largest.push_back({{"path", one.path}, {"bytes", one.bytes}});
    sizes += (sizes.empty() ? "" : ", ") + one.path + " (" + (one.bytes < 1024 ? std::to_string(one.bytes) + " bytes)" : std::to_string((one.bytes + 512) / 1024) + " KiB)");
  }
  for (const Changed& one : changed_) {
    changed.push_back({{"path", one.path}, {"commits", one.commits}, {"added", one.added}, {"removed", one.removed}});
    counts += (counts.empty() ? "" : ", ") + one.path + " (" + std::to_string(one.commits) + ")";
  }
  if (!largest_.empty()) add("Largest file: " + largest_[0].path, "The largest outside of folders of other projects: " + sizes + ".");
  if (!changed_.empty())
    add((of_listed_ ? "Most changed of the files that were listed: " : "Most changed file: ") + changed_[0].path, "By how many of the last " + std::to_string(commits_) + " commits changed them" + (of_listed_ ? ", of those that were listed: " : ": ") + counts + ".");
  report->data["largest"] = std::move(largest);
  if (commits_ > 0 && uncounted_ == 0) report->data["most_changed"] = std::move(changed);
  if (uncounted_ > 0) report->summary += " Which files change most is not told: what " + std::to_string(uncounted_) + " of the last " + std::to_string(commits_) + " commits changed could not be counted (git lacks some of their files, as in a partial clone, or had no time for them).";
}

}  // namespace paddock::subagents

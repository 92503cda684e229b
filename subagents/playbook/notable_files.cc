#include "subagents/playbook/notable_files.h"

#include <algorithm>
#include <charconv>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kNamed = 5;        // files of each kind
constexpr int64_t kCommits = 500;   // of the history, the latest
constexpr int64_t kFirstLines = 80;

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

// How much a line says of its file: "/*" and "{" stand at the head of any.
int Tells(const std::string& path, const std::string& text) {
  if (!MatchesPart(text, R"(\w{3})")) return text.find_first_not_of(" \t") != std::string::npos ? 1 : 0;
  if (IsCommentLine(path, text) || MatchesPart(text, R"(^\s*(/?\*|<!--|"""|\'\'\'|#\s*(include|pragma|ifn?def)\b|(import|from|package|using|use|require)\b)|(?i)copyright|licen[cs]e)")) return 2;
  const auto defined = DefinedOn(path, text);
  return defined && defined->kind != "variable" && defined->kind != "macro" ? 4 : 3;
}

// The first of the lines that say most.
std::optional<Citation> FirstLine(const RepoView& view, const std::string& path) {
  const SeenLines* lines = view.LinesOf(path);
  if (!lines) return std::nullopt;
  std::optional<Citation> best;
  int most = 0;
  for (const auto& [number, line] : *lines) {
    const int tells = line.cut ? std::min(1, Tells(path, line.text)) : Tells(path, line.text);
    if (tells <= most) continue;
    if (auto citation = view.Cite(path, number, number)) best = std::move(citation), most = tells;
  }
  return best;
}

bool IsOwn(const RepoView& view, const std::string& path) { return view.HasFile(path) && !IsForeignPath(path); }

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
  std::erase_if(largest_, [&](const Sized& one) { return !IsOwn(view, one.path); });
  std::erase_if(changed_, [&](const Changed& one) { return !IsOwn(view, one.path) || one.commits < 2; });
  largest_.resize(std::min(largest_.size(), kNamed));
  changed_.resize(std::min(changed_.size(), kNamed));
  for (const Sized& one : largest_)
    if (!view.LinesOf(one.path)) queue->Read(one.path, kFirstLines);
  for (const Changed& one : changed_)
    if (!view.LinesOf(one.path)) queue->Read(one.path, kFirstLines);
}

void NotableFiles::AddTo(const RepoView& view, Report* report) const {
  const auto add = [&](std::string title, std::string detail, std::vector<Citation> evidence) {
    if (!evidence.empty()) report->findings.push_back({std::move(title), Severity::kInfo, std::move(detail), Confidence::kHigh, std::move(evidence)});
  };
  Json largest = Json::array(), changed = Json::array();
  std::string sizes, counts;
  std::vector<Citation> of_largest, of_changed;
  for (const Sized& one : largest_) {
    largest.push_back({{"path", one.path}, {"bytes", one.bytes}});
    sizes += (sizes.empty() ? "" : ", ") + one.path + " (" + (one.bytes < 1024 ? std::to_string(one.bytes) + " bytes)" : std::to_string((one.bytes + 512) / 1024) + " KiB)");
    if (auto citation = FirstLine(view, one.path)) of_largest.push_back(*std::move(citation));  // a binary file has none
  }
  for (const Changed& one : changed_) {
    changed.push_back({{"path", one.path}, {"commits", one.commits}, {"added", one.added}, {"removed", one.removed}});
    counts += (counts.empty() ? "" : ", ") + one.path + " (" + std::to_string(one.commits) + ")";
    if (auto citation = FirstLine(view, one.path)) of_changed.push_back(*std::move(citation));
  }
  if (!largest_.empty()) add("Largest file: " + largest_[0].path, "The largest outside of folders of other projects: " + sizes + ".", std::move(of_largest));
  if (!changed_.empty())
    add("Most changed file: " + changed_[0].path, "By how many of the last " + std::to_string(commits_) + " commits changed them: " + counts + ".", std::move(of_changed));
  report->data["largest"] = std::move(largest);
  if (commits_ > 0) report->data["most_changed"] = std::move(changed);
}

}  // namespace paddock::subagents

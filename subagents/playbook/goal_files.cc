#include "subagents/playbook/goal_files.h"

#include <set>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostNames = 12, kMostEvidence = 8, kMostUsers = 6;

ClaimedFinding FindingOf(std::string title, std::vector<Citation> evidence) { return {std::move(title), Severity::kInfo, "", Confidence::kHigh, std::move(evidence)}; }

// Each name once, though it may be defined for several cases.
void AddDefined(const RepoView& view, const std::string& file, std::vector<ClaimedFinding>* out) {
  std::vector<Citation> evidence;
  std::set<std::string> seen;
  std::string names;
  for (const auto& [number, line] : *view.LinesOf(file)) {
    const auto defined = DefinedOn(file, line.text);
    if (!defined || defined->kind == "variable" || defined->kind == "declaration" || !seen.insert(defined->name).second) continue;
    if (seen.size() <= kMostNames) names += (names.empty() ? "" : ", ") + Short(defined->name, 60);
    if (auto citation = view.Cite(file, number, number); citation && evidence.size() < kMostEvidence) evidence.push_back(*citation);
  }
  const size_t others = seen.size() > kMostNames ? seen.size() - kMostNames : 0;
  std::string title = file + " defines " + names + (others > 0 ? " and " + std::to_string(others) + " more" : "");
  if (view.NextLine(file) > 0) title += ", in the lines that were read";
  if (!seen.empty()) out->push_back(FindingOf(std::move(title), std::move(evidence)));
}

void AddUsers(const RepoView& view, const std::string& file, std::vector<ClaimedFinding>* out) {
  std::vector<Citation> users;
  for (const auto& path : view.ReadFiles()) {
    if (path == file || IsForeignPath(path)) continue;
    for (const auto& [number, line] : *view.LinesOf(path))
      if (users.size() < kMostUsers && NamesFile(line.text, BaseName(file))) {
        if (auto citation = view.Cite(path, number, number, BaseName(file))) users.push_back(*citation);
        break;
      }
  }
  if (users.empty()) return;
  std::string title = std::string(BaseName(file)) + " is named in " + users[0].path + (users.size() > 1 ? " and other files" : "");
  out->push_back(FindingOf(std::move(title), std::move(users)));
}

}  // namespace

std::vector<ClaimedFinding> FindingsOfFile(const RepoView& view, const std::string& file) {
  std::vector<ClaimedFinding> out;
  AddDefined(view, file, &out);
  AddUsers(view, file, &out);
  return out;
}

}  // namespace paddock::subagents

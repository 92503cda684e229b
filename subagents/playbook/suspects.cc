#include "subagents/playbook/suspects.h"

#include <algorithm>

namespace paddock::subagents {
namespace {

constexpr size_t kMaxEntries = 4'000, kMaxReasons = 6, kMaxLines = 4;

}  // namespace

void Suspects::Add(const std::string& path, int64_t line, const std::string& function, double points, const std::string& reason) {
  if (path.empty() || count_ >= kMaxEntries) return;
  std::vector<Entry>& entries = entries_[path];
  for (Entry& one : entries)
    if (one.line == line && one.reason == reason) {
      one.points = std::max(one.points, points);
      return;
    }
  entries.push_back({line, function, points, reason});
  ++count_;
}

bool Suspects::Has(const std::string& path, const std::string& function) const {
  const auto found = entries_.find(path);
  return found != entries_.end() && std::any_of(found->second.begin(), found->second.end(), [&](const Entry& one) { return one.function == function || one.function.ends_with("." + function) || one.function.ends_with("::" + function); });
}

std::vector<std::string> Suspects::Paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, entries] : entries_) paths.push_back(path);
  return paths;
}

std::vector<Suspect> Suspects::Ranked() const {
  std::vector<Suspect> ranked;
  for (const auto& [path, unsorted] : entries_) {
    std::vector<Entry> entries = unsorted;
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.points > b.points; });
    Suspect suspect;
    suspect.path = path;
    double share = 1;
    // A place that several reasons name is the more suspect.
    std::map<int64_t, double> of_line;
    for (const Entry& one : entries) {
      suspect.score += one.points * share;
      share /= 2;
      if (one.line > 0) of_line[one.line] += one.points;
      if (!one.reason.empty() && suspect.reasons.size() < kMaxReasons && std::find(suspect.reasons.begin(), suspect.reasons.end(), one.reason) == suspect.reasons.end())
        suspect.reasons.push_back(one.reason);
    }
    std::vector<std::pair<int64_t, double>> lines(of_line.begin(), of_line.end());
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    for (size_t i = 0; i < lines.size() && i < kMaxLines; ++i) suspect.lines.push_back(lines[i].first);
    suspect.line_reason = suspect.reasons.empty() ? "" : suspect.reasons[0];
    if (!suspect.lines.empty()) {
      suspect.line = suspect.lines[0];
      const int64_t first = entries[0].line;  // of the weightiest reason
      if (first > 0 && first != suspect.line) {
        std::erase(suspect.lines, first);
        suspect.lines.insert(suspect.lines.begin() + 1, first);
      }
      suspect.line_reason = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.line == suspect.line; })->reason;
      for (const Entry& one : entries)
        if (one.line == suspect.line && !one.function.empty()) {
          suspect.function = one.function;
          break;
        }
    }
    ranked.push_back(std::move(suspect));
  }
  for (const auto& [path, others] : behind_) {
    double best = -1;
    for (const Suspect& one : ranked)
      if (others.contains(one.path)) best = std::max(best, one.score);
    for (Suspect& one : ranked)
      if (best >= 0 && one.path == path) one.score = std::min(one.score, best - 1);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Suspect& a, const Suspect& b) { return a.score > b.score; });
  return ranked;
}

}  // namespace paddock::subagents

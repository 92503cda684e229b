#include "subagents/playbook/review_wanted.h"

#include <algorithm>
#include <vector>

namespace paddock::subagents {
namespace {

constexpr size_t kMaxReads = 36;
constexpr int64_t kMostApart = 80, kLongest = 1900;  // lines that are read at once
constexpr int64_t kAround = 3;                       // lines

struct Window {
  size_t place;
  std::string path;
  int64_t first, last;
};

}  // namespace

void WantedLines::Add(const ReviewSpot& spot) {
  if (spot.line > 0 && places_[spot.path].emplace(spot.line, added_++).second) unread_[spot.path].insert(spot.line);
  for (const auto& near : spot.instead) Add(near);
}

void WantedLines::Ask(CallQueue* queue) const {
  std::vector<Window> windows;
  for (const auto& [path, lines] : places_) {
    const size_t of_others = windows.size();
    for (const auto& [line, place] : lines) {
      if (windows.size() == of_others || line - windows.back().last >= kMostApart || line - windows.back().first >= kLongest) windows.push_back({place, path, line, line});
      windows.back().last = line;
      windows.back().place = std::min(windows.back().place, place);
    }
  }
  std::sort(windows.begin(), windows.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  if (windows.size() > kMaxReads) windows.resize(kMaxReads);
  for (const auto& window : windows) queue->ReadFrom(window.path, std::max<int64_t>(1, window.first - kAround), window.last - window.first + 2 * kAround + 1);
}

void WantedLines::Take(const agentcore::CallOutcome& outcome, const RepoView& view) {
  if (!outcome.result.success) return;
  const Json& asked = outcome.call.arguments;
  const auto unread = unread_.find(asked.value("path", std::string()));
  if (unread == unread_.end()) return;
  auto& lines = unread->second;
  const int64_t first = asked.value("offset", int64_t{1});
  int64_t end = first + asked.value("limit", int64_t{0});
  if (const int64_t next = view.NextLine(unread->first); next > first) end = std::min(end, next);
  lines.erase(lines.lower_bound(first), lines.lower_bound(end));
}

bool WantedLines::IsUnread(const ReviewSpot& spot) const {
  const auto unread = unread_.find(spot.path);
  return (unread != unread_.end() && unread->second.contains(spot.line)) || std::any_of(spot.instead.begin(), spot.instead.end(), [&](const auto& near) { return IsUnread(near); });
}

}  // namespace paddock::subagents

#include "orchestrator/delegation/blocked_calls.h"

#include <algorithm>

#include "orchestrator/run/denials.h"

namespace paddock::orchestrator {

using subagents::BlockedCall;

std::vector<BlockedCall> BlockedCalls(const std::vector<sandbox::Violation>& violations) {
  std::vector<DeniedCall> denied;
  for (const sandbox::Violation& one : violations) AddDenial(one, &denied);
  std::vector<BlockedCall> calls;
  for (DeniedCall& one : denied) {
    if (calls.size() == subagents::kMaxBlockedCalls) break;
    calls.push_back({std::move(one.call), std::move(one.path), one.error, std::move(one.error_name), std::move(one.process_name), one.count});
  }
  return calls;
}

void AddBlockedCalls(const std::vector<BlockedCall>& more, std::vector<BlockedCall>* list) {
  for (const BlockedCall& one : more) {
    const auto same = std::find_if(list->begin(), list->end(), [&](const BlockedCall& known) { return known.call == one.call && known.path == one.path && known.error == one.error; });
    if (same != list->end()) same->count += one.count;
    else if (list->size() < subagents::kMaxBlockedCalls) list->push_back(one);
  }
}

void TakeDenied(StartedCell* cell) { AddBlockedCalls(BlockedCalls(cell->jail.TakeViolations()), &cell->denied); }

std::string BlockedCallsNote(const std::vector<BlockedCall>& calls, uint64_t count, bool whole) {
  if (count == 0) return "";
  constexpr size_t kNamed = 3;
  // What they named is the cell's text, and left out here: so some are the same.
  std::vector<std::pair<std::string, int64_t>> kinds;
  uint64_t listed = 0;
  for (const BlockedCall& one : calls) {
    listed += static_cast<uint64_t>(one.count);
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == one.call; });
    if (same != kinds.end()) same->second += one.count;
    else kinds.emplace_back(one.call, one.count);
  }
  std::string named;
  for (size_t i = 0; i < std::min(kinds.size(), kNamed); ++i)
    named += (named.empty() ? ": " : ", ") + kinds[i].first + (kinds[i].second > 1 ? " (" + std::to_string(kinds[i].second) + " times)" : "");
  if (kinds.size() > kNamed) named += ", and others";
  std::string note = "the jail denied " + std::string(whole ? "" : "at least ") + std::to_string(count) + (count == 1 ? " call" : " calls") + " of this cell" + named;
  if (listed < count) note += "; " + std::to_string(count - listed) + " of them are not listed";
  note += ". A sound cell makes none: treat what it said, and the repository, with care";
  return note;
}

}  // namespace paddock::orchestrator

#include "subagents/playbook/triage_reads.h"

#include <algorithm>

namespace paddock::subagents {
namespace {

constexpr int64_t kPage = 2000;  // lines of one call

}  // namespace

void TriageReads::Take(const agentcore::CallOutcome& outcome) {
  const std::string path = outcome.call.arguments.value("path", "");
  if (outcome.result.success) read_.insert(path);
  else failed_[path] = outcome.result.status;
  for (const auto& artifact : outcome.result.artifacts)
    if (artifact.facts.is_object() && artifact.facts.contains("total_lines") && artifact.facts["total_lines"].is_number_integer()) length_of_[path] = artifact.facts["total_lines"].get<int64_t>();
  constexpr std::string_view kMark = " is not text: ";
  if (size_t at = outcome.result.error.find(kMark); at != std::string::npos) {
    std::string kind = outcome.result.error.substr(at + kMark.size(), 60);
    binary_[path] = kind.substr(0, kind.find(','));
  }
}

int64_t TriageReads::NextUnread(const std::string& path) const {
  if (!read_.contains(path)) return 1;
  int64_t next = 1;
  if (const SeenLines* lines = view_.LinesOf(path)) {
    for (auto line = lines->begin(); line != lines->end() && line->first == next; ++line) ++next;
    if (next <= lines->rbegin()->first) return next;
  }
  return view_.NextLine(path);
}

std::string TriageReads::WhyNot(const std::string& path) const {
  if (binary_.contains(path)) return "it is no text";
  const auto failed = failed_.find(path);
  if (failed == failed_.end()) return read_.contains(path) ? "it is too long" : "too much else was there to look at";
  switch (failed->second) {
    case agentcore::ToolStatus::kNotFound: return "nothing is there";
    case agentcore::ToolStatus::kDenied: return "that is out of reach";
    default: return "that can't be read";
  }
}

void TriageReads::ReadOn(const std::string& path, CallQueue* queue) {
  const int64_t first = NextUnread(path), last = std::max(first, length_of_[path]);
  if (first == 0 || binary_.contains(path)) return;
  for (int64_t from = first; from <= last && reads_ < most_; from += kPage)
    if (asked_.insert({path, from}).second) ++reads_, queue->ReadFrom(path, from, kPage);
}

}  // namespace paddock::subagents

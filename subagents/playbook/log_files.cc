#include "subagents/playbook/log_files.h"

#include <algorithm>
#include <utility>

#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kLines = 2000;  // of one reading

}  // namespace

void LogFiles::Ask(std::vector<std::string> paths, CallQueue* queue) {
  paths_ = std::move(paths);
  for (const std::string& path : paths_) queue->Read(path, kLines);
}

void LogFiles::Take(const agentcore::CallOutcome& outcome) {
  if (outcome.call.tool != "read_file") return;
  for (const auto& artifact : outcome.result.artifacts)
    if (const auto lines = artifact.facts.find("total_lines"); artifact.facts.is_object() && lines != artifact.facts.end() && lines->is_number_integer()) total_[artifact.path] = lines->get<int64_t>();
}

void LogFiles::AskForEnds(const RepoView& view, CallQueue* queue) const {
  for (const std::string& path : paths_) {
    const SeenLines* lines = view.LinesOf(path);
    const auto total = total_.find(path);
    if (lines == nullptr || total == total_.end() || view.NextLine(path) == 0) continue;
    // Long lines: fewer fit into one reading.
    queue->ReadFrom(path, std::max(view.NextLine(path), total->second + 1 - static_cast<int64_t>(lines->size())), kLines);
  }
}

std::string LogFiles::Text(const RepoView& view) const {
  const std::string gap = std::string(kLogGap) + "\n";
  std::string text;
  for (const std::string& path : paths_) {
    const SeenLines* lines = view.LinesOf(path);
    if (lines == nullptr) continue;
    int64_t last = 0;
    for (const auto& [number, line] : *lines) {
      if (number != last + 1) text += gap;
      text += line.text + "\n";
      last = number;
    }
    if (view.NextLine(path) > 0) text += gap;
  }
  return text;
}

}  // namespace paddock::subagents

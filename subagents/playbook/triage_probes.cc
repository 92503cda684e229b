#include "subagents/playbook/triage_probes.h"

#include <algorithm>
#include <utility>

#include "subagents/playbook/triage_names.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostProbes = 28, kMostProgramLines = 8;  // of the probes, lines of programs that are told of by their names

}  // namespace

TriageProbes ChooseProbes(const RepoView& view, const std::map<std::string, std::string>& binary) {
  std::vector<std::pair<int, std::string>> ranked;
  for (const auto& path : view.files())
    if (const int rank = ProbeRank(path); rank > 0 && view.LinesOf(path) == nullptr && !binary.contains(path)) ranked.emplace_back(rank, path);
  std::sort(ranked.begin(), ranked.end());
  const auto programs = std::partition_point(ranked.begin(), ranked.end(), [](const auto& one) { return one.first < kProgramRank; });
  const size_t nameless = static_cast<size_t>(programs - ranked.begin()), lines = std::min(ranked.size() - nameless, kMostProbes - std::min(nameless, kMostProbes - kMostProgramLines));
  const size_t probed = std::min(nameless, kMostProbes - lines);
  TriageProbes out{{}, nameless - probed};
  for (size_t i = 0; i < ranked.size(); ++i)
    if (i < probed || (i >= nameless && i - nameless < lines)) out.paths.push_back(ranked[i].second);
  return out;
}

}  // namespace paddock::subagents

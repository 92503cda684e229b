// The architect's `data`: the graph for programs, within what the parent keeps of it.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "subagents/playbook/module_graph.h"

namespace paddock::subagents {

using GraphEdge = std::tuple<std::string, std::string, const Dependency*>;  // from, to
// Those of most lines first, at most `count`.
std::vector<GraphEdge> StrongestEdges(const ModuleGraph& graph, size_t count);

struct ArchitectShown {
  const ModuleGraph& graph;
  bool by_folder;
  const std::vector<DependencyCycle>& cycles;
  const std::vector<DependencyCycle>& file_cycles;
  const std::vector<std::vector<std::string>>& layers;
  const std::set<std::string>& not_searched;
  const Json& hubs;
  const Json& entry_points;
};
// What matters most comes first, edges last; "omitted" says of which list how many there was no room for.
Json ArchitectData(const ArchitectShown& shown);

}  // namespace paddock::subagents

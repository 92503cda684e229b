#include "subagents/playbook/architect_data.h"

#include <algorithm>

#include "subagents/playbook/fit_report.h"

namespace paddock::subagents {
namespace {

// Values, of which the parent keeps kMaxDataValues in all: what is left of these is for the edges.
constexpr size_t kCycleValues = 300, kLayerValues = 400, kLeftValues = 50, kEntryValues = 20, kModuleValues = 600;

Json NamesOf(const std::vector<DependencyCycle>& cycles) {
  Json out = Json::array();
  for (const auto& cycle : cycles) out.push_back(cycle.modules);
  return out;
}

// All names, or as many of each layer as there is room for.
Json LayersOf(const ArchitectShown& shown, Json* omitted) {
  const size_t all = shown.graph.edges().size() + shown.layers.size();
  const size_t most = all < kLayerValues ? all : std::max<size_t>(3, kLayerValues / std::max<size_t>(1, shown.layers.size())) - 1;
  Json out = Json::array();
  size_t left = 0;
  for (const auto& layer : shown.layers) {
    const size_t kept = std::min(most, layer.size());
    out.push_back(std::vector<std::string>(layer.begin(), layer.begin() + static_cast<ptrdiff_t>(kept)));
    left += layer.size() - kept;
  }
  if (left > 0) (*omitted)["layer_names"] = left;
  return out;
}

Json ModulesOf(const ArchitectShown& shown) {
  std::map<std::string, size_t> level;
  for (size_t i = 0; i < shown.layers.size(); ++i)
    for (const auto& name : shown.layers[i]) level[name] = i;
  const auto used_by = shown.graph.UsedBy();
  Json out = Json::array();
  for (const auto& [name, targets] : shown.graph.edges()) {
    const auto users = used_by.find(name);
    out.push_back(Json{{"name", name}, {"uses", targets.size()}, {"used_by", users == used_by.end() ? 0 : users->second.size()}, {"layer", level[name]}});
  }
  return out;
}

Json EdgesOf(const ModuleGraph& graph) {
  Json out = Json::array();
  for (const auto& [from, to, edge] : StrongestEdges(graph, SIZE_MAX)) out.push_back(Json::array({from, to, edge->count, edge->lines[0].path, edge->lines[0].line_start, edge->deferred}));
  return out;
}

}  // namespace

std::vector<GraphEdge> StrongestEdges(const ModuleGraph& graph, size_t count) {
  std::vector<GraphEdge> all;
  for (const auto& [from, targets] : graph.edges())
    for (const auto& [to, edge] : targets) all.emplace_back(from, to, &edge);
  std::stable_sort(all.begin(), all.end(), [](const GraphEdge& a, const GraphEdge& b) { return std::get<2>(a)->count > std::get<2>(b)->count; });
  if (all.size() > count) all.resize(count);
  return all;
}

Json ArchitectData(const ArchitectShown& shown) {
  size_t edges = 0;
  for (const auto& [name, targets] : shown.graph.edges()) edges += targets.size();
  Json data{{"level", shown.by_folder ? "folders" : "files"},
            {"counts", Json{{"modules", shown.graph.edges().size()}, {"edges", edges}, {"cycles", shown.cycles.size()}, {"file_cycles", shown.file_cycles.size()}, {"layers", shown.layers.size()}}}};
  Json omitted = Json::object();
  DataRoom room;
  TakeRoom(data, &room);
  room.values -= 12, room.bytes -= 400;  // for `omitted`, which is known last
  const auto add = [&](const char* key, Json list, size_t values) {
    DataRoom part{std::min(values, room.values), room.bytes};
    if (const size_t left = FitList(&list, &part); left > 0) omitted[key] = left;
    TakeRoom(list, &room);
    data[key] = std::move(list);
  };
  add("cycles", NamesOf(shown.cycles), kCycleValues);
  add("file_cycles", NamesOf(shown.file_cycles), kCycleValues);
  add("layers", LayersOf(shown, &omitted), kLayerValues);
  add("left_out", Json(shown.not_searched), kLeftValues);
  TakeRoom(shown.hubs, &room);
  data["hubs"] = shown.hubs;
  add("entry_points", shown.entry_points, kEntryValues);
  data["omitted"] = nullptr;  // its place
  add("modules", ModulesOf(shown), kModuleValues);
  add("edges", EdgesOf(shown.graph), room.values);  // [from, to, lines, path, line, deferred]
  data["omitted"] = std::move(omitted);
  return data;
}

}  // namespace paddock::subagents

#include "subagents/playbook/module_graph.h"

#include <algorithm>
#include <deque>

namespace paddock::subagents {
namespace {

constexpr size_t kLines = 3, kStarts = 50;

}  // namespace

void ModuleGraph::AddLine(const std::string& from, const std::string& to, const Citation& line, bool deferred) {
  if (from == to) return;
  AddModule(to);
  Dependency& edge = edges_[from][to];
  ++edge.count;
  // A line that counts at load time is the better one to show.
  if (edge.deferred && !deferred) edge.lines.insert(edge.lines.begin(), line);
  else if (edge.lines.size() < kLines) edge.lines.push_back(line);
  if (edge.lines.size() > kLines) edge.lines.resize(kLines);
  edge.deferred = edge.deferred && deferred;
}

const Dependency* ModuleGraph::Find(const std::string& from, const std::string& to) const {
  auto module = edges_.find(from);
  if (module == edges_.end()) return nullptr;
  auto edge = module->second.find(to);
  return edge == module->second.end() ? nullptr : &edge->second;
}

std::map<std::string, std::set<std::string>> ModuleGraph::UsedBy() const {
  std::map<std::string, std::set<std::string>> out;
  for (const auto& [from, targets] : edges_)
    for (const auto& [to, edge] : targets) out[to].insert(from);
  return out;
}

std::set<std::string> ModuleGraph::Reached(const std::string& name) const {
  const auto users = UsedBy();
  std::set<std::string> out;
  std::deque<std::string> queue = {name};
  while (!queue.empty()) {
    const auto found = users.find(queue.front());
    queue.pop_front();
    if (found == users.end()) continue;
    for (const std::string& user : found->second)
      if (user != name && out.insert(user).second) queue.push_back(user);
  }
  return out;
}

bool ModuleGraph::HasEdges() const {
  return std::any_of(edges_.begin(), edges_.end(), [](const auto& module) { return !module.second.empty(); });
}

ModuleGraph ModuleGraph::AllAtOnce() const {
  ModuleGraph out = *this;
  for (auto& [from, targets] : out.edges_)
    for (auto& [to, edge] : targets) edge.deferred = false;
  return out;
}

// Tarjan's, without recursion: a stranger's graph may be deep.
std::vector<std::vector<std::string>> ModuleGraph::Components() const {
  struct Node {
    int64_t index = -1, low = 0;
    bool on_stack = false;
  };
  std::map<std::string, Node> nodes;
  std::vector<std::string> stack;
  std::vector<std::vector<std::string>> out;
  int64_t next = 0;
  using Edge = std::map<std::string, Dependency>::const_iterator;
  for (const auto& [start, unused] : edges_) {
    if (nodes[start].index >= 0) continue;
    std::vector<std::pair<std::string, Edge>> path;
    auto enter = [&](const std::string& name) {
      nodes[name] = {next, next, true};
      ++next;
      stack.push_back(name);
      path.emplace_back(name, edges_.at(name).begin());
    };
    enter(start);
    while (!path.empty()) {
      auto& [name, edge] = path.back();
      if (edge != edges_.at(name).end()) {
        const auto& [to, dependency] = *edge++;
        if (dependency.deferred) continue;
        Node& target = nodes[to];
        if (target.index < 0) enter(to);
        else if (target.on_stack) nodes[name].low = std::min(nodes[name].low, target.index);
        continue;
      }
      const std::string done = name;
      path.pop_back();
      const Node& node = nodes[done];
      if (!path.empty()) nodes[path.back().first].low = std::min(nodes[path.back().first].low, node.low);
      if (node.low != node.index) continue;
      std::vector<std::string> component;
      do {
        component.push_back(stack.back());
        nodes[stack.back()].on_stack = false;
        stack.pop_back();
      } while (component.back() != done);
      out.push_back(std::move(component));
    }
  }
  return out;
}

std::vector<std::set<std::string>> ModuleGraph::Tangles() const {
  std::vector<std::set<std::string>> out;
  for (const auto& component : Components())
    if (component.size() > 1) out.emplace_back(component.begin(), component.end());
  return out;
}

std::vector<DependencyCycle> ModuleGraph::Cycles(size_t limit) const {
  std::vector<DependencyCycle> out;
  auto depends = [&](const std::string& from, const std::string& to) {
    const Dependency* edge = Find(from, to);
    return edge != nullptr && !edge->deferred;
  };
  for (const auto& tangle : Tangles()) {
    bool pair = false;
    for (const auto& from : tangle)
      for (const auto& [to, edge] : edges_.at(from)) {
        if (from >= to || edge.deferred || !depends(to, from)) continue;
        pair = true;
        if (out.size() < limit) out.push_back({{from, to}});
      }
    if (pair || out.size() >= limit) continue;
    // From a module back to itself, breadth first; of the first modules the one with the shortest way.
    DependencyCycle shortest;
    size_t tried = 0;
    for (const std::string& start : tangle) {
      if (++tried > kStarts || shortest.modules.size() == 3) break;
      std::map<std::string, std::string> came;
      std::deque<std::string> queue = {start};
      while (!queue.empty() && !came.contains(start)) {
        const std::string at = std::move(queue.front());
        queue.pop_front();
        for (const auto& [to, edge] : edges_.at(at))
          if (!edge.deferred && tangle.contains(to) && came.try_emplace(to, at).second) queue.push_back(to);
      }
      DependencyCycle cycle;
      for (std::string at = start; cycle.modules.empty() || at != start; at = came[at]) cycle.modules.push_back(at);
      std::reverse(cycle.modules.begin() + 1, cycle.modules.end());
      if (shortest.modules.empty() || cycle.modules.size() < shortest.modules.size()) shortest = std::move(cycle);
    }
    out.push_back(std::move(shortest));
  }
  return out;
}

std::vector<std::vector<std::string>> ModuleGraph::Layers() const {
  std::map<std::string, size_t> level, component_of;
  const auto components = Components();
  for (size_t i = 0; i < components.size(); ++i)
    for (const auto& name : components[i]) component_of[name] = i;
  std::vector<std::vector<std::string>> out;
  for (size_t i = 0; i < components.size(); ++i) {
    size_t height = 0;
    for (const auto& name : components[i])
      for (const auto& [to, edge] : edges_.at(name))
        if (!edge.deferred && component_of[to] != i) height = std::max(height, level[to] + 1);
    if (out.size() <= height) out.resize(height + 1);
    for (const auto& name : components[i]) level[name] = height, out[height].push_back(name);
  }
  for (auto& layer : out) std::sort(layer.begin(), layer.end());
  return out;
}

}  // namespace paddock::subagents

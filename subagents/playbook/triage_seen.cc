#include "subagents/playbook/triage_seen.h"

namespace paddock::subagents {

std::string LinkWords(const TriageSeen& seen, const std::string& path) {
  if (auto link = seen.followed.find(path); link != seen.followed.end() && !link->second.empty()) return "link to " + link->second;
  for (const auto& link : seen.links)
    if (link.path == path) return "link to " + link.target;
  return "link";
}

void TakeNames(const Json& facts, TriageSeen* seen) {
  auto each = [&](const char* key, auto&& take) {
    if (auto it = facts.find(key); it != facts.end() && it->is_array())
      for (size_t i = 0; i < it->size() && i < 50; ++i) take((*it)[i]);
  };
  each("links", [&](const Json& pair) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) return;
    seen->links.push_back({pair[0].get<std::string>(), pair[1].get<std::string>()});
  });
  each("special_paths", [&](const Json& path) {
    if (path.is_string()) seen->special.push_back(path.get<std::string>());
  });
  each("odd", [&](const Json& odd) {
    if (!odd.is_object()) return;
    for (const auto& example : odd.value("examples", Json::array())) {
      if (!example.is_string()) continue;
      if (odd.value("kind", Json()) == Json("odd_name")) seen->odd_names.push_back(example.get<std::string>());
      if (odd.value("kind", Json()) == Json("closed_folder")) seen->unseen.try_emplace(example.get<std::string>(), TriageUnseen{When::kOpen, "it is a folder that can't be read"});
    }
  });
}

}  // namespace paddock::subagents

#include "subagents/playbook/cut_searches.h"

#include <algorithm>

namespace paddock::subagents {
namespace {

bool Asks(std::string pattern, const NamePlaces& name) {
  std::erase(pattern, '\\');  // "rate\-limit"
  return pattern.find(name.name) != std::string::npos;
}

}  // namespace

std::set<std::string> ShownCut(const InvestigatorSeen& seen, const NamePlaces& name) {
  std::set<std::string> out;
  for (const auto& [pattern, lines] : seen.shown_cut)
    if (Asks(pattern, name)) out.insert(lines.begin(), lines.end());
  return out;
}

std::string AtLeast(const InvestigatorSeen& seen, const NamePlaces& name) {
  const bool cut = std::any_of(seen.cut_searches.begin(), seen.cut_searches.end(), [&](const std::string& pattern) { return Asks(pattern, name); });
  return cut || !ShownCut(seen, name).empty() ? "at least " : "";
}

}  // namespace paddock::subagents

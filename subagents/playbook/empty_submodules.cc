#include "subagents/playbook/empty_submodules.h"

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {

std::vector<Fact> EmptySubmodules(const RepoView& view) {
  std::vector<Fact> out;
  if (view.listing_cut() || view.tree_incomplete()) return out;
  for (const auto& hit : FindLines(view, {"\\.gitmodules", R"(^\s*path\s*=\s*([^\s"]+)\s*$)"}, 20)) {
    const std::string inside = hit.groups[0] + "/";
    const auto first = view.files().lower_bound(inside);
    if (first != view.files().end() && first->starts_with(inside)) continue;
    if (auto citation = CiteHit(view, hit)) out.push_back({hit.groups[0], {*std::move(citation)}});
  }
  return out;
}

}  // namespace paddock::subagents

#include "subagents/playbook/empty_submodules.h"

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxSubmodules = 12;
constexpr LineRule kPath{"\\.gitmodules", R"(^\s*path\s*=\s*([^\s"]*[^\s"/])/*\s*$)"};

bool HoldsSeenFiles(const RepoView& view, const std::string& folder) {
  const auto first = view.files().lower_bound(folder + "/");
  return first != view.files().end() && first->starts_with(folder + "/");
}

bool EndsWithPath(std::string_view path, std::string_view end) { return path == end || path.ends_with("/" + std::string(end)); }

}  // namespace

void AskForSubmodules(CallQueue* queue) { queue->Add("search_text", Json{{"pattern", R"(^\s*path\s*=)"}, {"glob", ".gitmodules"}, {"limit", kMaxSubmodules}}); }

std::string UnseenSubmodule(const RepoView& view, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  for (const auto& hit : FindLines(view, kPath, kMaxSubmodules)) {
    const std::string& path = hit.groups[0];
    if (!folder.empty() && (EndsWithPath(folder, path) || EndsWithPath(path, folder)) && !HoldsSeenFiles(view, path)) return path;
  }
  return "";
}

void EmptySubmodules::Ask(const RepoView& view, CallQueue* queue) const {
  for (const auto& hit : FindLines(view, kPath, kMaxSubmodules))
    if (!HoldsSeenFiles(view, hit.groups[0])) queue->Add("list_files", Json{{"path", hit.groups[0]}, {"ignored", true}, {"depth", 1}, {"limit", 1}});
}

void EmptySubmodules::Take(const agentcore::CallOutcome& outcome) {
  const agentcore::ToolCall& call = outcome.call;
  const agentcore::ToolResult& result = outcome.result;
  if (call.tool != "list_files" || !call.arguments.contains("path") || !call.arguments.contains("ignored") || call.arguments.contains("pattern")) return;
  const std::string path = call.arguments.value("path", "");
  if (result.status == agentcore::ToolStatus::kNotFound) empty_.insert(path);
  if (result.status != agentcore::ToolStatus::kOk || result.artifacts.empty() || !result.artifacts[0].entries.empty()) return;
  const Json& facts = result.artifacts[0].facts;
  if (facts.is_object() && facts.value("unreadable", Json(0)) == Json(0)) empty_.insert(path);
}

std::vector<Fact> EmptySubmodules::In(const RepoView& view) const {
  std::vector<Fact> out;
  for (const auto& hit : FindLines(view, kPath, kMaxSubmodules)) {
    if (!empty_.contains(hit.groups[0])) continue;
    if (auto citation = CiteHit(view, hit)) out.push_back({hit.groups[0], {*std::move(citation)}});
  }
  return out;
}

}  // namespace paddock::subagents

#include "subagents/playbook/triage_heeded.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "agentcore/tools/path_filter.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/triage_names.h"
#include "subagents/playbook/triage_pieces.h"

namespace paddock::subagents {
namespace {

bool GlobTakes(const std::string& glob, const std::string& path) {
  static thread_local std::map<std::string, agentcore::PathFilter> filters;
  auto known = filters.find(glob);
  if (known == filters.end()) {
    auto filter = agentcore::PathFilter::Parse(glob);
    if (!filter) return false;
    known = filters.emplace(glob, *std::move(filter)).first;
  }
  agentcore::GlobCost cost;
  return known->second.Wants(path, &cost);
}

// Nobody runs or reads these by themselves, wherever they stand.
bool IsPicture(const std::string& path) { return MatchesWhole(path, R"((?i).*\.(png|jpe?g|gif|ico|icns|webp|avif|bmp|ttf|otf|woff2?|mp[34]|webm|ogg|wav|pdf))"); }

std::vector<std::string> Parts(const std::string& text, char cut) {
  std::vector<std::string> out(1);
  for (char c : text) {
    if (c == cut) out.emplace_back();
    else out.back() += c;
  }
  return out;
}

}  // namespace

bool IsForeignConfig(const RepoView& view, const TriageArea& area, const std::string& path) {
  if (std::string_view(area.name) != "git" || !MatchesWhole(path, R"((?i)(.*/)?config)") || MatchesWhole(path, R"((?i)(.*/)?\.git/.*)")) return false;
  const std::string folder = FolderName(path).empty() ? "" : std::string(FolderName(path)) + "/";
  return !view.HasFile(folder + "HEAD") && !view.HasFolder(folder + "objects");
}

bool IsFor(const TriageArea& area, const TriageRule& rule, const std::string& path) {
  return rule.files == nullptr || (IsByName(area) ? MatchesWholeAnyCase(path, rule.files) : MatchesWhole(path, rule.files));
}

bool IsOtherCase(const TriageArea& area, const TriageRule* rule, const std::string& path) {
  return IsByName(area) && !(GlobTakes(area.glob, path) && (rule == nullptr || rule->files == nullptr || MatchesWhole(path, rule->files)));
}

bool IsHeeded(const RepoView& view, const TriageArea& area, const std::string& path) {
  const auto rules = area.rules();
  return !IsPicture(path) && !IsForeignConfig(view, area, path) && std::any_of(rules.begin(), rules.end(), [&](const TriageRule& rule) { return IsFor(area, rule, path); });
}

bool IsSplit(const RepoView& view, const TriageArea& area, const std::string& path, const std::string& line) {
  constexpr const char* kReturnWithin = R"(\\u\{D\}.)";
  return area.whole != nullptr && HasFilePieces(path) && (MatchesPart(line, area.whole) || MatchesPart(line, kReturnWithin)) && IsHeeded(view, area, path);
}

bool IsByMap(const TriageArea& area, const std::string& path, const std::string& line) {
  const auto rules = area.rules();
  return IsJson(path) && std::any_of(rules.begin(), rules.end(), [&](const TriageRule& rule) { return rule.within != nullptr && IsFor(area, rule, path) && MatchesPart(line, rule.line); });
}

bool SameRules(const TriageArea& area, const std::string& one, const std::string& other) {
  const auto rules = area.rules();
  return GlobTakes(GlobOf(area), one) == GlobTakes(GlobOf(area), other) && std::all_of(rules.begin(), rules.end(), [&](const TriageRule& rule) { return IsFor(area, rule, one) == IsFor(area, rule, other); });
}

std::set<size_t> AreasHeeding(const RepoView& view, const std::string& path) {
  std::set<size_t> out;
  const auto areas = TriageAreas();
  for (size_t i = 0; i < areas.size(); ++i)
    if (RunsByItself(areas[i]) && GlobTakes(GlobOf(areas[i]), path) && IsHeeded(view, areas[i], path)) out.insert(i);
  return out;
}

std::string HeededFolders() {
  std::set<std::string> names;
  for (const auto& area : TriageAreas()) {
    if (!RunsByItself(area)) continue;
    std::string glob = area.glob;
    if (glob.starts_with('{')) glob = glob.substr(1, glob.size() - 2);
    for (const auto& one : Parts(glob, ',')) {
      auto parts = Parts(one, '/');
      parts.pop_back();
      for (auto& part : parts)
        if (part.find_first_of("*?[{") == std::string::npos && !part.empty()) names.insert(std::move(part));
    }
  }
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "{" : ",") + name;
  return kAnyCase + out + "}";
}

std::string LinkedPath(const std::string& path, const std::string& target) {
  if (target.empty() || LeadsOut({path, target})) return "";
  std::vector<std::string> at = Parts(std::string(FolderName(path)), '/');
  if (at.back().empty()) at.pop_back();
  for (auto& part : Parts(target, '/')) {
    if (part == "..") at.pop_back();
    else if (!part.empty() && part != ".") at.push_back(std::move(part));
  }
  std::string out;
  for (const auto& part : at) out += (out.empty() ? "" : "/") + part;
  return out;
}

}  // namespace paddock::subagents

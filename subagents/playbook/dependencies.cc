// What the repository needs, by its manifests.
#include <set>

#include "subagents/playbook/dependency_notes.h"
#include "subagents/playbook/facts.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr LineRule kDependencies[] = {
    {"package\\.json", R"re(^\s*"([\w@./-]+)"\s*:\s*")re", "dependencies"},
    {"Cargo\\.toml", R"(^([\w-]+)\s*=)", "dependencies|workspace\\.dependencies"},
    {"Cargo\\.toml", R"(^\[dependencies\.([\w-]+)\])"},
    {"pyproject\\.toml", R"(^\s*["']([A-Za-z][\w.-]*)[^"']*["'],?)", "project/dependencies"},
    {"pyproject\\.toml", R"(^([A-Za-z][\w.-]*)\s*=)", "tool\\.poetry\\.dependencies", "^python\\b"},
    {"setup\\.cfg", R"(^\s+([A-Za-z][\w.-]*)(?:\[[\w, -]*\])?\s*([<>=!~;].*)?$)", "options"},  // below install_requires
    {"requirements\\.txt", R"(^([A-Za-z][\w.-]*)\s*([<>=!~;\[].*)?$)"},
    {"go\\.mod", R"(^\s+(\S+\.\S+)\s+v)", "require", "// indirect"},
    {"go\\.mod", R"(^require\s+(\S+)\s+v)", nullptr, "// indirect"},
    {"pom\\.xml", R"(^\s*<artifactId>([\w.-]+)</artifactId>)", "project/dependencies/dependency"},
    {"(.*/)?build\\.gradle(\\.kts)?", R"re(^\s*(?:api|implementation|compile)\s*\(?\s*["']?(libs\.[\w.]+|[\w.-]+:[\w.:-]+))re"},
    {"configure\\.(ac|in)", R"(PKG_CHECK_MODULES\(\[?\w+\]?,\s*\[?([\w.+-]+))"},
    {"configure\\.(ac|in)", R"(AC_(?:CHECK|SEARCH)_LIBS?\(\[?(\w+)\]?,)"},
    {"(.*/)?CMakeLists\\.txt", R"((?i)^\s*find_package\s*\(\s*([\w.+-]+))"},
    {"meson\\.build", R"(\bdependency\s*\(\s*'([\w.+-]+)')"},
    {"Makefile\\.PL", R"(PREREQ_PM\s*=>\s*\{\s*['"]([\w:]+)['"])"},
    {"[\\w.-]+\\.gemspec", R"(add_(?:runtime_)?dependency\s*\(?\s*["']([\w-]+)["'])"},
    {"composer\\.json", R"re(^\s*"([\w./-]+)"\s*:\s*")re", "require"},
    {"mix\\.exs", R"(^\s*\{:(\w+),)"},
    {"[\\w.-]+\\.cabal", R"((?i)^\s*build-depends\s*:\s*([\w-]+))"},
};

// The key of INI that a line indented below it belongs to.
std::string KeyAbove(const RepoView& view, const LineHit& hit) {
  const SeenLines& lines = *view.LinesOf(hit.path);
  for (auto at = lines.find(hit.line); at != lines.begin();) {
    const std::string& text = (--at)->second.text;
    if (text.find_first_not_of(" \t") == std::string::npos || text.starts_with(' ') || text.starts_with('\t') || text.starts_with('#') || text.starts_with(';')) continue;
    return FirstGroup(text, R"(^([\w.-]+)\s*[=:])").value_or("");
  }
  return "";
}

// requirements.txt beside a package's own manifest, which doesn't take it from there: what its developers install.
bool RequirementsAreForWork(const RepoView& view) {
  const bool package = !FindLines(view, {"pyproject\\.toml", R"(^\[(project|tool\.poetry)\])"}, 1).empty() || !FindLines(view, {"setup\\.(py|cfg)", R"(\bsetup\s*\(|^\[metadata\])"}, 1).empty();
  return package && FindLines(view, {"pyproject\\.toml|setup\\.(py|cfg)", R"(requirements)"}, 1).empty();
}

}  // namespace

std::vector<Fact> FindDependencies(const RepoView& view, size_t limit) {
  std::vector<Fact> out;
  std::set<std::string> names;
  const CMakeOptions cmake(view);
  const bool for_work = RequirementsAreForWork(view);
  for (const auto& rule : kDependencies) {
    if (for_work && std::string_view(rule.file) == "requirements\\.txt") continue;
    for (const auto& hit : FindLines(view, rule, limit)) {
      if (out.size() >= limit) return out;
      if (std::string_view(rule.file) == "setup\\.cfg" && KeyAbove(view, hit) != "install_requires") continue;
      if (IsSidePath(hit.path) || hit.groups.empty() || !names.insert(hit.groups[0]).second) continue;
      if (auto citation = CiteHit(view, hit)) out.push_back({hit.groups[0] + NoteOfDependency(view, cmake, hit), {*citation}});
    }
  }
  return out;
}

}  // namespace paddock::subagents

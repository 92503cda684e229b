#include "subagents/playbook/import_index.h"

#include <algorithm>

#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr ImportLanguage kLanguages[] = {
    {"C and C++", "*.{c,cc,cpp,cxx,C,h,hh,hpp,hxx,inc,inl,ipp,m,mm}", R"(^\s*#\s*(include|import)\s*["<])", 0},
    {"Python", "*.{py,pyx,pyi}", R"(^\s*(from\s+[\w.]+\s+import\b|import\s+\w))", 0},
    {"JavaScript and TypeScript", "*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte}", R"((\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)['"][^'"]+['"]|^\s*(import|export)\s+(type\s+)?(\w+\s*,\s*)?\{[^}'"]*$|^\s*type\s+[\w$]+(\s+as\s+[\w$]+)?\s*,?\s*$)", 0},
    {"Go", "*.go", R"(^\s*(import\s+)?([\w.]+\s+)?"[\w.-]+(/[^"]*)?"\s*(//.*)?$)", 0},
    {"Rust", "*.rs", R"(^\s*(#\[[^\]]*\]\s*)*(pub(\([^)]*\))?\s+)?(use\s+[\w:{]|mod\s+\w+\s*[;{])|\b(crate|super)::\w)", 8},
    {"Java and Kotlin", "*.{java,kt,kts,scala,groovy}", R"(^\s*import\s+)", 0},
    {"Ruby", "*.{rb,rake,ru}", R"(^\s*(require(_relative)?|load|autoload)\b)", 0},
};

// Of two paths: how many folders they begin with together.
size_t Together(std::string_view a, std::string_view b) {
  size_t same = 0;
  for (size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) same += a[i] == '/';
  return same;
}

}  // namespace

std::span<const ImportLanguage> ImportLanguages() { return kLanguages; }

const ImportLanguage* ImportLanguageOf(std::string_view path) {
  static constexpr const char* kNames[] = {R"(.*\.(c|cc|cpp|cxx|C|h|hh|hpp|hxx|inc|inl|ipp|m|mm))", R"(.*\.(py|pyx|pyi))", R"(.*\.(js|mjs|cjs|jsx|ts|mts|cts|tsx|vue|svelte))", R"(.*\.go)", R"(.*\.rs)",
                                           R"(.*\.(java|kt|kts|scala|groovy))", R"(.*\.(rb|rake|ru))"};
  if (MatchesPart(BaseName(path), "^(GNUm|M|m)akefile")) return nullptr;  // Makefile.inc is no C
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (MatchesWhole(path, kNames[i])) return &kLanguages[i];
  return nullptr;
}

std::string UnitOf(std::string_view path) {
  if (path.ends_with(".go")) return std::string(FolderName(path)) + "/";
  std::string_view base = BaseName(path);
  const size_t dot = base.rfind('.');
  return std::string(path.substr(0, dot == std::string_view::npos || dot == 0 ? path.size() : path.size() - base.size() + dot));
}

std::string FolderOfUnit(std::string_view unit) {
  std::string_view folder = FolderName(unit);
  return folder.empty() ? "." : std::string(folder);
}

void ImportIndex::Add(const std::string& path) {
  if (!files_.insert(path).second) return;
  by_name_[std::string(BaseName(path))].push_back(path);
  if (BaseName(path) == "__init__.py") python_packages_.insert(std::string(FolderName(path)));
}

std::optional<std::string> ImportIndex::EndingWith(const std::string& suffix, std::string_view from) const {
  auto found = by_name_.find(BaseName(suffix));
  if (found == by_name_.end()) return std::nullopt;
  const std::string* best = nullptr;
  size_t near = 0;
  bool tie = false;
  for (const auto& path : found->second) {
    if (path != suffix && !path.ends_with("/" + suffix)) continue;
    const size_t together = Together(path, from);
    tie = best != nullptr && together == near;
    if (best == nullptr || together > near) best = &path, near = together, tie = false;
  }
  return best == nullptr || tie ? std::nullopt : std::optional(*best);
}

std::optional<std::string> ImportIndex::InIncludeFolder(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  std::optional<std::string> one;
  for (const auto& path : found->second) {
    if (BaseName(FolderName(path)) != "include") continue;
    if (one) return std::nullopt;
    one = path;
  }
  return one;
}

bool ImportIndex::MayBeOnIncludePath(std::string_view base) const {
  const auto found = by_name_.find(base);
  if (found == by_name_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const std::string& path) {
    const std::string_view folder = BaseName(FolderName(path));
    return folder.empty() ? MatchesPart(include_lines, R"(-I\.?(\s|$)|(?i:dir)[)}]["\s)>]|include_directories\s*\(\s*\.)") : NamesFile(include_lines, folder);
  });
}

std::vector<std::string> ImportIndex::PythonRoots() const {
  std::set<std::string> roots = {""};
  for (const auto& folder : python_packages_) {
    std::string parent(FolderName(folder));
    if (!python_packages_.contains(parent)) roots.insert(parent);
  }
  return {roots.begin(), roots.end()};
}

}  // namespace paddock::subagents

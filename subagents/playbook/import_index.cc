#include "subagents/playbook/import_index.h"

#include <algorithm>
#include <tuple>

#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr ImportLanguage kLanguages[] = {
    {"C and C++", "*.{c,cc,cpp,cxx,C,h,hh,hpp,hxx,inc,inl,ipp,m,mm}", R"(^\s*#\s*(include|import)\s*["<])", 0},
    {"Python", "*.{py,pyx,pyi}", R"(^\s*(from\s+[\w.]+\s+import\b|import\s+\w))", 0},
    {"JavaScript and TypeScript", "*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte}", R"((\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)['"][^'"]+['"]|^\s*(import|export)\s+(type\s+)?(\w+\s*,\s*)?\{[^}'"]*$|^\s*type\s+[\w$]+(\s+as\s+[\w$]+)?\s*,?\s*$)", 0},
    {"Go", "*.go", R"(^\s*(import\s+)?([\w.]+\s+)?"[\w.-]+(/[^"]*)?"\s*(//.*)?$)", 0},
    {"Rust", "*.rs", R"(^\s*(#\[[^\]]*\]\s*)*(pub(\([^)]*\))?\s+)?(use\s+[\w:{]|mod\s+\w+\s*[;{])|\b(crate|super)::\w)", 8, "Rust reaches macros, and other crates by their names, without a line that imports them"},
    {"Java and Kotlin", "*.{java,kt,kts,scala,groovy}", R"(^\s*import\s+)", 0, "files of one package need no import to use each other", true},
    {"Ruby", "*.{rb,rake,ru}", R"(^\s*(require(_relative)?|load|autoload)\b)", 0, "Ruby reaches what another file has loaded without a line that requires it"},
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

const char* UnseenUses(std::string_view path) {
  const ImportLanguage* language = ImportLanguageOf(path);
  return language == nullptr ? nullptr : language->unseen;
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
  python_modules_.reset();
  on_include_path_.clear();
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

void ImportIndex::AddIncludeLine(std::string line) {
  // "-Isrc" names the folder src.
  for (size_t at = line.find("-I"); at != std::string::npos; at = line.find("-I", at + 2)) line.insert(at + 2, 1, ' ');
  include_lines_.push_back(std::move(line));
  on_include_path_.clear();
}

bool ImportIndex::MayBeOnIncludePath(std::string_view base) const {
  if (const auto known = on_include_path_.find(base); known != on_include_path_.end()) return known->second;
  return on_include_path_[std::string(base)] = IsNamedAsIncluded(base);
}

bool ImportIndex::IsNamedAsIncluded(std::string_view base) const {
  const auto found = by_name_.find(base);
  if (found == by_name_.end()) return false;
  looked_up_ += std::ssize(include_lines_);
  std::set<std::string_view> folders;
  for (const std::string& path : found->second) folders.insert(BaseName(FolderName(path)));
  return std::any_of(include_lines_.begin(), include_lines_.end(), [&](const std::string& line) {
    return std::any_of(folders.begin(), folders.end(), [&](std::string_view folder) { return folder.empty() ? MatchesPart(line, R"(-I\.?(\s|$)|(?i:dir)[)}]["\s)>]|include_directories\s*\(\s*\.)") : NamesFile(line, folder); });
  });
}

std::optional<std::string> ImportIndex::PythonModule(std::string_view path) const {
  if (!python_modules_) python_modules_ = FindPythonModules();
  ++looked_up_;
  const auto found = python_modules_->find(path);
  return found == python_modules_->end() ? std::nullopt : std::optional(found->second);
}

// The first folder by name has a module that two have, and in it the first of these endings.
ImportIndex::Modules ImportIndex::FindPythonModules() const {
  constexpr int kMostRoots = 16;  // above one file, beside the top
  static constexpr std::string_view kEndings[] = {".py", "/__init__.py", ".pyx", ".pyi"};
  std::set<std::string_view> roots;
  for (const auto& package : python_packages_)
    if (const std::string_view parent = FolderName(package); !python_packages_.contains(std::string(parent))) roots.insert(parent);
  std::map<std::string, std::tuple<std::string_view, size_t, std::string_view>, std::less<>> best;  // root, ending, file
  for (const auto& file : files_) {
    const auto ending = std::find_if(std::begin(kEndings), std::end(kEndings), [&](std::string_view end) { return std::string_view(file).ends_with(end) && (end != ".py" || BaseName(file) != "__init__.py"); });
    if (ending == std::end(kEndings)) continue;
    const std::string_view stem = std::string_view(file).substr(0, file.size() - ending->size());
    int taken = 0;
    for (std::string_view root = FolderName(stem);; root = FolderName(root)) {
      if (!root.empty() && !(taken < kMostRoots && roots.contains(root))) continue;
      ++taken;
      const std::tuple one{root, static_cast<size_t>(ending - std::begin(kEndings)), std::string_view(file)};
      const auto [have, fresh] = best.try_emplace(std::string(stem.substr(root.empty() ? 0 : root.size() + 1)), one);
      if (!fresh) have->second = std::min(have->second, one);
      if (root.empty()) break;
    }
  }
  Modules out;
  for (const auto& [stem, one] : best) out.emplace(stem, std::get<2>(one));
  return out;
}

}  // namespace paddock::subagents

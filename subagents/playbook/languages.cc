#include "subagents/playbook/languages.h"

#include <algorithm>
#include <map>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

const std::map<std::string_view, std::string_view>& Extensions() {
  static const std::map<std::string_view, std::string_view> kTable = {
      {".c", "C"},        {".cc", "C++"},      {".cpp", "C++"},        {".cxx", "C++"},     {".c++", "C++"},      {".hpp", "C++"},
      {".hh", "C++"},     {".hxx", "C++"},     {".ipp", "C++"},        {".h", "C header"},  {".cs", "C#"},        {".fs", "F#"},
      {".py", "Python"},  {".pyx", "Cython"},  {".js", "JavaScript"},  {".mjs", "JavaScript"}, {".cjs", "JavaScript"}, {".jsx", "JavaScript"},
      {".ts", "TypeScript"}, {".tsx", "TypeScript"}, {".mts", "TypeScript"}, {".go", "Go"}, {".rs", "Rust"},      {".java", "Java"},
      {".kt", "Kotlin"},  {".kts", "Kotlin"},  {".scala", "Scala"},    {".groovy", "Groovy"}, {".clj", "Clojure"}, {".pl", "Perl"},
      {".pm", "Perl"},    {".t", "Perl"},      {".rb", "Ruby"},        {".php", "PHP"},     {".hs", "Haskell"},   {".lhs", "Haskell"},
      {".ml", "OCaml"},   {".mli", "OCaml"},   {".ex", "Elixir"},      {".exs", "Elixir"},  {".erl", "Erlang"},   {".hrl", "Erlang"},
      {".zig", "Zig"},    {".lua", "Lua"},     {".swift", "Swift"},    {".m", "Objective-C"}, {".mm", "Objective-C++"}, {".d", "D"},
      {".nim", "Nim"},    {".jl", "Julia"},    {".r", "R"},            {".f90", "Fortran"}, {".f", "Fortran"},    {".pas", "Pascal"},
      {".sh", "Shell"},   {".bash", "Shell"},  {".vala", "Vala"},      {".dart", "Dart"},   {".el", "Emacs Lisp"}, {".lisp", "Lisp"},
      {".scm", "Scheme"}, {".rkt", "Racket"},  {".v", "Verilog"},      {".adb", "Ada"},     {".tcl", "Tcl"},      {".cr", "Crystal"}};
  return kTable;
}

// Shell scripts come in hundreds as the test cases and the glue of programs in other languages: a quarter each.
int64_t Weight(const LanguageShare& share) { return share.name == "Shell" ? share.files : share.files * 4; }

std::string_view LanguageOfExtension(std::string_view extension) {
  auto found = Extensions().find(extension);
  return found == Extensions().end() ? std::string_view() : found->second;
}

// Of the root's build files none is for C or C++, and one is for another language.
bool BuildsSomethingElse(const RepoView& view) {
  bool other = false;
  for (const auto& path : view.files()) {
    if (PathDepth(path) > 0) continue;
    if (MatchesWhole(path, R"(CMakeLists\.txt|configure(\.(ac|in))?|Makefile\.(am|in)|meson\.build|SConstruct|wscript|WORKSPACE(\.bazel)?|MODULE\.bazel|xmake\.lua|premake\d?\.lua|.*\.(sln|vcxproj|pro|gyp))")) return false;
    other = other || MatchesWhole(path, R"(pyproject\.toml|setup\.(py|cfg)|package\.json|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?|.*\.gemspec|composer\.json|Makefile\.PL|mix\.exs|.*\.cabal|dune-project|Package\.swift)");
  }
  return other;
}

// In a folder of documentation, at any depth.
bool IsPagesPath(std::string_view path) { return MatchesPart(path, R"((?i)(^|/)(docs?|documentation|_site|javadoc|doxygen|api-?docs?)/)"); }

}  // namespace

std::string LanguageOf(std::string_view path) {
  std::string_view base = BaseName(path);
  size_t dot = base.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return "";
  std::string extension(base.substr(dot));
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return std::string(LanguageOfExtension(extension));
}

std::vector<LanguageShare> RankLanguages(const RepoView& view) {
  std::map<std::string, int64_t> counts, outside;  // outside: of documentation and tests
  if (view.listing_cut() && !view.by_extension().empty()) {
    for (const auto& [extension, files] : view.by_extension())
      if (auto name = LanguageOfExtension(extension); !name.empty()) counts[std::string(name)] += files;
  } else {
    // Scripts of documentation come with the pages, and copies from elsewhere, unless there is nothing else.
    for (const bool all : {false, true}) {
      if (!counts.empty()) break;
      for (const auto& path : view.files()) {
        auto name = LanguageOf(path);
        if (name.empty() || (!all && (IsForeignPath(path) || IsPagesPath(path)))) continue;
        ++counts[name];
        if (!IsSidePath(path)) ++outside[name];
      }
    }
  }
  if (auto headers = counts.find("C header"); headers != counts.end()) {
    int64_t n = headers->second;
    counts.erase(headers);
    auto files = [&](const char* name) { return counts.contains(name) ? counts[name] : 0; };
    // Where something else is what is built, headers without as many sources are what it works on.
    if (!view.listing_cut() && BuildsSomethingElse(view)) n = std::min(n, outside["C"] + outside["C++"]);
    counts[files("C++") > files("C") || (files("C++") + files("C") == 0) ? "C++" : "C"] += n;
  }
  std::vector<LanguageShare> out;
  for (const auto& [name, files] : counts)
    if (files > 0) out.push_back({name, files});
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return Weight(a) > Weight(b); });
  return out;
}

std::set<std::string> CodeFolders(const RepoView& view) {
  std::set<std::string> out, pages;
  const auto languages = RankLanguages(view);
  if (languages.empty()) return out;
  for (const auto& path : view.files())
    if (MatchesWhole(BaseName(path), R"((?i)conf\.py|mkdocs\.ya?ml|.*\.(html?|s?css|rst))"))
      for (std::string_view folder = FolderName(path); !folder.empty(); folder = FolderName(folder)) pages.emplace(folder);
  const std::string& main = languages[0].name;
  for (const auto& path : view.files()) {
    const std::string language = LanguageOf(path);
    if (language != main && !(language == "C header" && (main == "C" || main == "C++"))) continue;
    if (!IsHelperPath(path) || IsTrialPath(path) || IsForeignPath(path)) continue;
    bool site = false;
    for (std::string_view folder = FolderName(path); !folder.empty(); folder = FolderName(folder)) site = site || (IsHelperPath(std::string(folder) + "/") && pages.contains(std::string(folder)));
    if (!site) out.emplace(FolderName(path));
  }
  return out;
}

std::string LanguageFamily(std::string_view language) {
  if (MatchesWhole(language, "C|C\\+\\+|C header|Objective-C.*")) return "C";
  if (MatchesWhole(language, "JavaScript|TypeScript")) return "JavaScript";
  if (MatchesWhole(language, "Java|Kotlin|Scala|Groovy")) return "Java";
  if (MatchesWhole(language, "Python|Cython")) return "Python";
  return std::string(language);
}

}  // namespace paddock::subagents

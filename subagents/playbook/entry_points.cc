#include "subagents/playbook/entry_points.h"

#include <algorithm>
#include <set>

#include "subagents/playbook/cmake_options.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

struct EntryRule {
  LineRule rule;
  const char* where;  // FillTemplate
  const char* what;   // FillTemplate
  int score;
  const char* language;
  bool library = false;
};

#define C_FILES R"(.*\.(c|cc|cpp|cxx|c\+\+|C)$)"
constexpr EntryRule kRules[] = {
    // Declared in a manifest
    {{"pyproject\\.toml", R"re(^\s*"?([\w.-]+)"?\s*=\s*"([\w.]+:[\w.]+)")re", "project\\.(gui-)?scripts|tool\\.poetry\\.scripts"}, "{2}", "command {1}, declared in {base}", 90, "Python"},
    {{"setup\\.cfg", R"(^\s+([\w.-]+)\s*=\s*([\w.]+:[\w.]+))", "options\\.entry_points"}, "{2}", "command {1}, declared in {base}", 90, "Python"},
    {{"setup\\.py", R"(["']([\w.-]+)\s*=\s*([\w.]+:[\w.]+)["'])"}, "{2}", "command {1}, declared in {base}", 88, "Python"},
    {{"package\\.json", R"re(^\s*"bin"\s*:\s*"\.?/?([\w./-]+)")re"}, "{1}", "the command, \"bin\" of {base}", 90, "JavaScript"},
    {{"package\\.json", R"re(^\s*"([\w@./-]+)"\s*:\s*"\.?/?([\w./-]+)")re", "bin"}, "{2}", "command {1}, \"bin\" of {base}", 90, "JavaScript"},
    {{"package\\.json", R"re("main"\s*:\s*"\.?/?([\w./-]+)")re"}, "{1}", "what a user of the package loads, \"main\" of {base}", 70, "JavaScript", true},
    {{"package\\.json", R"re("(?:module|exports)"\s*:\s*"\.?/?([\w./-]+)")re"}, "{1}", "what a user of the package loads, by {base}", 66, "JavaScript", true},
    {{"index\\.(js|mjs|ts)", R"(^\s*(module\.exports|export\b|exports\.))"}, "{file}", "what a user of the package loads", 64, "JavaScript", true},
    {{"([\\w.-]+/)*Cargo\\.toml", R"re(^\s*path\s*=\s*"([\w./-]+\.rs)")re", "bin"}, "{dir/}{1}", "[[bin]] of {file}", 92, "Rust"},
    {{"(.*/)?src/(main|bin/[\\w/-]+)\\.rs", R"(^\s*(pub )?(async )?fn main\s*\()"}, "{file}", "main()", 84, "Rust"},
    {{"(.*/)?main\\.rs", R"(^\s*(pub )?(async )?fn main\s*\()"}, "{file}", "main()", 78, "Rust"},
    {{"src/lib\\.rs", R"(^\s*(pub (mod|use|fn|struct|trait)|#!\[|//!))"}, "{file}", "root of the library crate", 66, "Rust", true},
    {{"Makefile\\.PL", R"(EXE_FILES.*?['"]([\w./-]+)['"])"}, "{1}", "program, EXE_FILES of {base}", 86, "Perl"},
    {{"(script|scripts|bin)/[\\w.-]+", R"(^#!.*perl)"}, "{file}", "Perl program", 74, "Perl"},
    {{"lib/[\\w]+\\.pm|lib/\\w+/\\w+\\.pm", R"(^package\s+([\w:]+))"}, "{file}", "module {1}", 50, "Perl", true},
    {{"[\\w.-]+\\.gemspec", R"(executables\s*=\s*.*?["'\[ (]([\w-]+)["'\])])", nullptr, "grep|Dir|files"}, "{1}", "program, executables of {base}", 84, "Ruby"},
    {{"(bin|exe)/[\\w.-]+", R"(^#!.*ruby)"}, "{file}", "Ruby program", 76, "Ruby"},
    {{"lib/[\\w-]+\\.rb", R"(^\s*(module|class|require|require_relative|autoload)\b)"}, "{file}", "what a user of the gem loads", 60, "Ruby", true},
    {{"composer\\.json", R"re(^\s*"([\w./-]+)",?\s*$)re", "bin"}, "{1}", "program, \"bin\" of {base}", 84, "PHP"},
    {{"(public/|web/)?index\\.php|artisan", R"(<\?php|^#!)"}, "{file}", "front controller", 60, "PHP"},
    {{"(.*/)?[\\w.-]+\\.cabal", R"((?i)^\s*main-is\s*:\s*([\w./-]+))"}, "{1}", "executable of {base}", 86, "Haskell"},
    {{"(.*/)?dune", R"(\(\s*(?:public_)?names?\s+([\w.-]+))"}, "{dir}/{1}.ml", "named in {file}", 70, "OCaml"},
    {{"mix\\.exs", R"(\bmod:\s*\{\s*([\w.]+))"}, "{1}", "application module of {base}", 84, "Elixir"},
    {{"(.*/)?pom\\.xml", R"(<(?:mainClass|Main-Class)>([\w.$]+)<)"}, "{1}", "main class of {file}", 88, "Java"},
    {{"(.*/)?build\\.gradle(\\.kts)?", R"(\b(?:mainClass|mainClassName)(?:\.set)?\s*[=(]\s*\(?["']([\w.$]+)["'])"}, "{1}", "main class of {file}", 86, "Java"},
    {{"(.*/)?MANIFEST\\.MF", R"(^Main-Class:\s*([\w.$]+))"}, "{1}", "main class of {file}", 84, "Java"},
    {{"(.*/)?meson\\.build", R"(^\s*(?:\w+\s*=\s*)?executable\s*\(\s*'([\w.-]+)')"}, "{1}", "executable of {file}", 40, "C"},
    {{"CMakeLists\\.txt|src/CMakeLists\\.txt", R"((?i)^\s*add_executable\s*\(\s*([\w.-]+)\s)"}, "{1}", "executable of {file}", 44, "C++"},
    // In the source
    {{C_FILES, R"(^\s*(?:static\s+|extern\s+(?:"C"\s+)?)?(?:int|void|auto|signed)\s+(?:\w+\s+)?w?main\s*\()", nullptr, R"(;\s*$)"}, "{file}", "main()", 76, "C|C++"},
    {{C_FILES, R"(^main\s*\()", nullptr, R"(;\s*$)"}, "{file}", "main()", 74, "C|C++"},
    {{".*\\.go", R"(^func main\(\))"}, "{file}", "main()", 80, "Go"},
    {{"[\\w-]+\\.go", R"(^package\s+(\w+))", nullptr, R"(^package main\b|_test\b)"}, "{file}", "package {1}", 46, "Go", true},
    {{".*/__main__\\.py|__main__\\.py", R"(^\s*(from|import|if|def|\w+\s*\())"}, "{file}", "what `python -m` of its package runs", 72, "Python"},
    {{"manage\\.py", R"(execute_from_command_line)"}, "{file}", "Django project", 70, "Python"},
    {{"(.*/)?(main|app|cli|run|server|wsgi|asgi)\\.py", R"(^if __name__\s*==)"}, "{file}", "run as a program", 60, "Python"},
    {{".*\\.py", R"(^if __name__\s*==)"}, "{file}", "run as a program", 40, "Python"},
    {{"(src/)?\\w+/__init__\\.py", R"(^(from \.\S* import|__all__\b|__version__\b|VERSION\b|(async )?def |class ))"}, "{file}", "what a user of the package imports", 48, "Python", true},
    {{"(src/)?\\w+/__init__\\.py", R"(^\s*(from \S+ import|import|def |"""))"}, "{file}", "what a user of the package imports", 48, "Python", true},
    {{".*\\.java", R"(\bstatic\s+(?:final\s+)?void\s+main\s*\()"}, "{file}", "main()", 78, "Java"},
    {{".*\\.kt", R"(^\s*(suspend )?fun main\s*\()"}, "{file}", "main()", 76, "Kotlin"},
    {{".*\\.scala", R"(\bobject\s+\w+\s+extends\s+\w*App\b|\bdef main\s*\(|@main)"}, "{file}", "main()", 74, "Scala"},
    {{".*\\.(cs|fs)", R"(\bstatic\s+(async\s+)?(void|int|Task(<int>)?)\s+Main\s*\(|\[<EntryPoint>\])"}, "{file}", "Main()", 78, "C#"},
    {{"(.*/)?app/\\w+\\.hs|(.*/)?Main\\.hs", R"(^main\s*::)"}, "{file}", "main", 74, "Haskell"},
    {{".*\\.zig", R"(^pub fn main\s*\()"}, "{file}", "main()", 78, "Zig"},
    {{".*\\.swift", R"(^@main\b)"}, "{file}", "@main", 76, "Swift"},
    {{"(.*/)?(main|init)\\.lua", R"(\S)"}, "{file}", "Lua start file", 50, "Lua"},
    {{"(.*/)?[\\w.-]+\\.sh", R"(^main "\$@")"}, "{file}", "main of a shell program", 30, "Shell"},
    // Last resort: what is built says it
    {{"pom\\.xml", R"(^\s*<artifactId>([\w.-]+)</artifactId>)", "project"}, "{file}", "library {1}", 24, "Java", true},
    {{"settings\\.gradle(\\.kts)?", R"(^\s*(include|rootProject\.name)\b.*)"}, "{file}", "modules of the build", 24, "Kotlin", true},
    {{R"(.*\.(h|hh|hpp|hxx)$)", R"(^\s*#\s*(ifndef|pragma once|include|if)\b)"}, "{file}", "header that users of the library include", 46, "C|C++", true},
    {{"go\\.mod", R"(^module\s+(\S+))"}, "{file}", "module {1}", 22, "Go", true},
    {{"CMakeLists\\.txt", R"((?i)^\s*add_library\s*\(\s*([\w.${}-]+))"}, "{file}", "library {1}", 22, "C++", true},
};

int LanguageRank(std::string_view names, const std::vector<LanguageShare>& languages) {
  for (size_t i = 0; i < languages.size() && i < 5; ++i) {
    std::string_view rest = names;
    while (!rest.empty()) {
      size_t bar = rest.find('|');
      std::string_view name = rest.substr(0, bar);
      bool same = name == languages[i].name || (name == "JavaScript" && languages[i].name == "TypeScript") || (name == "Java" && languages[i].name == "Kotlin");
      if (same) return static_cast<int>(i);
      rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
    }
  }
  return 5;
}

// The name that must be defined for this line to be compiled, "0" for one that never is; empty where it always is, or on some systems, or where that isn't known.
std::string ConditionOf(const SeenLines& lines, int64_t number) {
  static constexpr const char* kSystems = R"((?i)_*(win(32|64|dows|ce|rt)?|msc_ver|unix|linux|apple|posix|darwin|android|emscripten|wasm|cplusplus|unicode|mingw\w*|cygwin|gnuc|clang)\d*_*\w*|have_\w+|_\w+)";
  struct Open {
    std::string name;  // must be defined
    std::string not_defined;
  };
  std::vector<Open> open, around;
  bool taken = false;
  for (const auto& [at, line] : lines) {
    if (at > number && !taken) around = open, taken = true;
    const auto word = FirstGroup(line.text, R"(^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b)");
    if (!word) continue;
    if (*word == "endif") {
      if (open.empty()) return "";  // its beginning wasn't seen
      open.pop_back();
    } else if (*word == "else" || *word == "elif") {
      if (open.empty()) return "";
      open.back() = {*word == "else" ? open.back().not_defined : "", ""};
    } else {
      const auto name = FirstGroup(line.text, *word == "if" ? R"(^\s*#\s*if\s+(?:defined\s*\(?\s*)?(\w+)\s*\)?\s*(?:/[/*].*)?$)" : R"(^\s*#\s*ifn?def\s+(\w+))");
      const std::string known = name && !MatchesWhole(*name, kSystems) && (*name == "0" || !MatchesWhole(*name, "\\d+")) ? *name : "";
      open.push_back(*word == "ifndef" ? Open{"", known} : Open{known, ""});
    }
  }
  if (!open.empty()) return "";  // its end wasn't seen: nor may be others
  for (const Open& one : around)
    if (!one.name.empty()) return one.name;
  return "";
}

// "{dir/}" is the folder with its slash, or nothing at the root.
std::string Where(const char* text, const LineHit& hit) {
  std::string out = FillTemplate(text, hit);
  std::string folder(FolderName(hit.path));
  if (size_t at = out.find("{dir/}"); at != std::string::npos) out.replace(at, 6, folder.empty() ? "" : folder + "/");
  if (out.starts_with("/")) out.erase(0, 1);
  return out;
}

// A pom.xml that only holds others together makes no library.
bool IsAggregator(const RepoView& view, const std::string& path) {
  const SeenLines* lines = view.LinesOf(path);
  return lines != nullptr && std::any_of(lines->begin(), lines->end(), [](const auto& line) { return MatchesPart(line.second.text, R"(^\s*<packaging>\s*pom\s*<|^\s*<modules>)"); });
}

// "org.oven.Main" as a build file names it, of a file of the repository: others are tools that the build starts.
bool IsOwnClass(const RepoView& view, std::string name) {
  std::replace(name.begin(), name.end(), '.', '/');
  name = "/" + name.substr(0, name.find('$'));
  // Of Kotlin the functions of App.kt are in a class AppKt.
  const std::string of_functions = name.ends_with("Kt") ? name.substr(0, name.size() - 2) + ".kt" : "";
  const auto is_its = [&](const std::string& path) { return ("/" + path).find(name + ".") != std::string::npos || (!of_functions.empty() && ("/" + path).ends_with(of_functions)); };
  return view.listing_cut() || std::any_of(view.files().begin(), view.files().end(), is_its);
}

// What the rule found is no entry, whatever its score.
bool IsNone(const RepoView& view, const EntryRule& entry, const LineHit& hit, std::string_view project) {
  if (hit.path == "pom.xml" && entry.library && IsAggregator(view, hit.path)) return true;
  // Of headers only the one that is named as the project is: the others were read for something else.
  const bool header = LanguageOf(hit.path) == "C header" || hit.path.ends_with(".hpp") || hit.path.ends_with(".hh");
  if (entry.library && header && NameAffinity(hit.path, project) == 0) return true;
  // What tests import of each other is nobody's entry.
  if (entry.library && IsTestPath(hit.path)) return true;
  return std::string_view(entry.what).starts_with("main class of") && hit.path.ends_with("pom.xml") && !IsOwnClass(view, hit.groups[0]);
}

// Whether it is aside, and what it is only with. `rank`: LanguageRank.
void Qualify(const RepoView& view, const CMakeOptions& cmake, const EntryRule& entry, const LineHit& hit, int rank, EntryPoint* point) {
  const std::string_view what = entry.what;
  // What a second language's program, or a file that may be run too, does in a folder of tools or the like is no start of the project.
  point->aside = (rank > 0 || what == "run as a program") && !point->library && entry.score < 82 && MatchesPart(point->where, "(?i)(^|/)(utils?|internal|tools?|scripts?|hack|misc|maint|dev)/");
  // A program that only somebody who asks for it gets: a library's generator of tables, its self-test.
  if (std::string_view(entry.language) == "C|C++" && !point->library) {
    if (const std::string name = ConditionOf(*view.LinesOf(hit.path), hit.line); !name.empty()) point->aside = true, point->what += name == "0" ? ", switched off by #if 0" : ", only where " + name + " is defined";
  }
  if (what != "executable of {file}") return;
  // Built of a test's or an example's source, or called a test, or only built on demand.
  if (MatchesPart(hit.text, R"(\s["']?(tests?|examples?|samples?|bench\w*|fuzz\w*)/)")) point->aside = true;
  if (MatchesPart(point->where, R"((?i)(^|[-_.])(check|(unit)?tests?|bench\w*|examples?|samples?|demo|fuzz\w*)($|[-_.\d]))")) point->aside = true;
  if (auto option = hit.path.ends_with("CMakeLists.txt") ? cmake.Of(hit.path, hit.line) : std::nullopt) point->aside = true, point->what += ", only with -D" + *option + "=ON";
}

// What is added to the rule's score, by the place and the language.
int ScoreOfPlace(const EntryPoint& point, int rank, std::string_view project) {
  int score = point.aside ? -50 : 0;
  score += rank == 0 ? 20 : rank == 1 ? 8 : rank < 5 ? 0 : -10;
  score -= 2 * PathDepth(point.where);
  if (IsSidePath(point.where) || IsSidePath(point.evidence.path)) score -= 50;
  const std::string_view base = BaseName(point.where);
  if (base.starts_with("main.") || base.starts_with("Main.")) score += 8;
  if (!point.library && MatchesPart(base, "(^|[-_])main\\.\\w+$")) score += 4;
  if (MatchesPart(base, "(server|cli|daemon|app)\\.\\w+$") || NameAffinity(point.where, project) == 2) score += 4;
  if (MatchesPart(point.where, "(^|/)(cmd|src|app|bin|cli|core)/")) score += 3;
  return score;
}

// All that the rules find, best first.
std::vector<EntryPoint> AllEntries(const RepoView& view, const std::vector<LanguageShare>& languages, std::string_view project) {
  const CMakeOptions cmake(view);
  std::vector<EntryPoint> all;
  for (const auto& entry : kRules) {
    const int rank = LanguageRank(entry.language, languages);
    for (const auto& hit : FindLines(view, entry.rule, 60)) {
      if (std::any_of(all.begin(), all.end(), [&](const EntryPoint& have) { return have.where == hit.path && entry.score < 50; })) continue;
      auto citation = CiteHit(view, hit);
      if (!citation || IsNone(view, entry, hit, project)) continue;
      EntryPoint point{Where(entry.where, hit), FillTemplate(entry.what, hit), entry.library, entry.score, *citation};
      // A file of the package that bears its name, or where its documentation is; of the others none is more its beginning than the next.
      if (std::string_view(entry.what) == "package {1}") {
        const int affinity = BaseName(hit.path) == "doc.go" ? 2 : NameAffinity(hit.path, hit.groups[0]);
        if (affinity == 0) continue;
        point.score += affinity;
      }
      Qualify(view, cmake, entry, hit, rank, &point);
      point.score += ScoreOfPlace(point, rank, project);
      all.push_back(std::move(point));
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return all;
}

bool IsAtSide(const EntryPoint& point) { return point.aside || IsSidePath(point.where) || IsSidePath(point.evidence.path); }

}  // namespace

std::vector<std::string> FilesWithMain(const RepoView& view) {
  std::vector<std::string> out;
  for (const auto& path : view.ReadFiles()) {
    if (!MatchesWhole(path, C_FILES) || IsForeignPath(path) || IsSidePath(path) || out.size() >= 8) continue;
    const SeenLines& lines = *view.LinesOf(path);
    if (std::any_of(lines.begin(), lines.end(), [](const auto& line) { return MatchesPart(line.second.text, R"(^\s*(?:\w+\s+)*main\s*\([^;]*$)"); })) out.push_back(path);
  }
  return out;
}

std::vector<EntryPoint> RankEntryPoints(const RepoView& view, const std::vector<LanguageShare>& languages, std::string_view project) {
  std::vector<EntryPoint> all = AllEntries(view, languages, project), out;
  std::set<std::string> places, packages;
  const bool program = std::any_of(all.begin(), all.end(), [](const EntryPoint& p) { return !p.library && p.score >= 60; });
  const bool library = std::any_of(all.begin(), all.end(), [](const EntryPoint& p) { return p.library; });
  int libraries = 0, sides = 0;
  std::set<std::string> left;  // sides that are there and not shown
  for (auto& point : all) {
    // Tests' and examples' programs are where nothing starts; two of them where there is nothing else to show.
    const bool side = !point.library && IsAtSide(point);
    if (side && (library || program || (!places.contains(point.where) && ++sides > 2))) {
      if (!library && !program) left.insert(point.where);
      continue;
    }
    if (point.where.empty() || point.where.size() > 300 || out.size() >= 8 || places.contains(point.where)) continue;
    if (program && point.score < 45) continue;       // side programs, where there are real ones
    if (point.library && ++libraries > 2) continue;
    if (point.library && point.what.starts_with("package ") && !packages.insert(point.what).second) continue;
    if (point.library && point.what.starts_with("module ") && !packages.empty()) continue;  // go.mod, where the package is shown
    places.insert(point.where);
    out.push_back(std::move(point));
  }
  if (!left.empty() && !out.empty()) out.back().what += "; " + std::to_string(left.size()) + (left.size() == 1 ? " other such program was seen" : " other such programs were seen");
  return out;
}

std::string EntryTitle(const RepoView& view, const EntryPoint& point) {
  if (point.library && IsBuildPath(point.where)) return "Declares the " + point.what + ": " + point.where;
  if (point.library) return "Library entry: " + point.where + (view.HasFile(point.where) || view.listing_cut() || point.where.find('.') == std::string::npos ? "" : " (not in the tree: it is made)");
  return (IsAtSide(point) ? "Program of tests, examples or tools: " : "Starts at ") + point.where;
}

}  // namespace paddock::subagents

#include "subagents/playbook/test_plan.h"

#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

// The first line of a Rust file's own tests; 0 where none was seen.
int64_t RustTestsFrom(const RepoView& view, const std::string& path) {
  for (const auto& [number, line] : *view.LinesOf(path))
    if (MatchesPart(line.text, R"(^\s*#\[cfg\((all\()?test\b)")) return number;
  return 0;
}

std::string With(std::string_view text, const char* from, const std::string& to) {
  std::string out(text);
  if (const size_t at = out.find(from); at != std::string::npos) out.replace(at, std::string_view(from).size(), to);
  return out;
}

std::string PascalOf(const std::string& stem) {
  std::string out;
  bool upper = true;
  for (char c : stem) {
    if (c == '_' || c == '-') upper = true;
    else out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c, upper = false;
  }
  return out;
}

// A test's name by the way another test of the language is named.
std::string NameLike(std::string_view example, const std::string& stem) {
  const std::string base(BaseName(example));
  const size_t dot = base.find('.');
  const std::string rest = dot == std::string::npos ? "" : base.substr(dot);
  if (base.starts_with("test_")) return "test_" + stem + rest;
  if (base.starts_with("test-")) return "test-" + stem + rest;
  if (MatchesPart(base, R"(_test\.)")) return stem + "_test" + rest;
  if (MatchesPart(base, R"(_spec\.)")) return stem + "_spec" + rest;
  if (MatchesPart(base, R"(-test\.)")) return stem + "-test" + rest;
  if (MatchesPart(base, R"(Tests\.)")) return PascalOf(stem) + "Tests" + rest;
  if (MatchesPart(base, R"(Test\.)")) return PascalOf(stem) + "Test" + rest;
  return stem + rest;
}

// Where tests have folders of their own, "src/test_plan.cc" is a source about tests. Python's and Go's tests are known by their names.
std::set<std::string> SourcesNamedAsTests(const RepoView& view) {
  std::set<std::string> beside;
  size_t in_folders = 0;
  for (const auto& path : view.files()) {
    if (!IsTestPath(path) || LanguageOf(path).empty() || IsForeignPath(path)) continue;
    if (IsTestPath(std::string(FolderName(path)) + "/-")) ++in_folders;
    // Of Python's only those that help to test: "test_tools.py".
    else if (MatchesPart(BaseName(path), LanguageOf(path) == "Python" ? R"(^tests?_(tools?|utils?|helpers?|support|base|common)\.)" : R"(^tests?[_-])")) beside.insert(path);
  }
  return in_folders >= 4 * beside.size() ? beside : std::set<std::string>();
}

TestPlace NewOrNot(const RepoView& view, TestPlace place) {
  place.exists = view.HasFile(place.path);
  return place;
}

}  // namespace

TestNames NamesInTests(const RepoView& view, const std::vector<PublicFunction>& functions) {
  std::set<std::string> wanted;
  for (const auto& function : functions) wanted.insert(function.name);
  static const RE2 kWord(R"(([A-Za-z_$~][\w$]*[?!]?))");
  TestNames out;
  const auto no_tests = SourcesNamedAsTests(view);
  for (const auto& path : view.ReadFiles()) {
    if (IsForeignPath(path) || no_tests.contains(path)) continue;
    const bool rust = LanguageOf(path) == "Rust" && !IsTestPath(path);
    const int64_t from = rust ? RustTestsFrom(view, path) : 1;
    if ((!IsTestPath(path) && !rust) || from == 0) continue;
    for (const auto& [number, line] : *view.LinesOf(path)) {
      if (number < from) continue;
      re2::StringPiece rest(line.text);
      std::string word;
      while (RE2::FindAndConsume(&rest, kWord, &word)) {
        // "oven.heat = 3" calls the method "heat=".
        if (wanted.contains(word + "=") && MatchesPart(std::string_view(rest.data(), rest.size()), R"(^\s*=[^=~>])")) {
          out.files_of[word + "="].insert(path);
          out.names_of[path].insert(word + "=");
        }
        if (!wanted.contains(word)) continue;
        out.files_of[word].insert(path);
        out.names_of[path].insert(word);
      }
    }
  }
  return out;
}

std::vector<PublicFunction> RankUntested(const RepoView& /*view*/, const TestPlanSeen& seen, const std::vector<PublicFunction>& functions, const TestNames& names) {
  std::vector<PublicFunction> out;
  for (const auto& function : functions) {
    if (names.files_of.contains(function.name) || seen.unknown.contains(function.name)) continue;
    out.push_back(function);
    if (auto commits = seen.commits.find(function.path); commits != seen.commits.end()) out.back().commits = commits->second;
  }
  auto score = [](const PublicFunction& function) { return std::min<int64_t>(std::max(function.lines, function.most_lines), 120) * (4 + std::min<int64_t>(function.commits, 20)); };
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return score(a) > score(b); });
  return out;
}

TestPlace PlaceOfTest(const RepoView& view, const PublicFunction& function, const std::vector<PublicFunction>& functions, const TestNames& names) {
  const std::string stem = TestedStem(function.path);
  const auto no_tests = SourcesNamedAsTests(view);
  const bool in_header = MatchesPart(function.path, R"(\.(h|hh|hpp|hxx)$)");
  std::string best, example;
  int best_score = 0, neighbours = 0;
  for (const auto& path : view.files()) {
    if (no_tests.contains(path)) continue;
    const std::string language = LanguageOf(path);
    const bool inline_tests = path == function.path && names.names_of.contains(path);
    if ((!IsTestPath(path) && !inline_tests) || IsForeignPath(path)) continue;
    int named = 0;
    if (auto in = names.names_of.find(path); in != names.names_of.end())
      for (const auto& other : functions) named += other.path == function.path && in->second.contains(other.name) ? 1 : 0;
    // Tests in C++ can call C. Those in C can call what a header declares for them, if they do.
    if (language != function.language && !(function.language == "C" && language == "C++") && !(function.language == "C++" && language == "C" && in_header && named > 0) &&
        !(language == "TypeScript" && function.language == "JavaScript"))
      continue;
    const std::string tests = TestedStem(path);
    const bool same = tests == stem;
    const bool near = FolderName(path) == FolderName(function.path);
    const int score = 2 * std::min(named, 20) + (same ? 30 : 0) + (inline_tests ? 40 : 0) + (named > 0 && near ? 3 : 0) + (!same && stem.size() > 3 && tests.find(stem) != std::string::npos ? 8 : 0);
    if (score > best_score) best = path, best_score = score, neighbours = named;
    const bool named_as_test = MatchesPart(BaseName(path), R"((?i)test|spec)");
    if (example.empty() || (near && FolderName(example) != FolderName(function.path)) || (named_as_test && !MatchesPart(BaseName(example), R"((?i)test|spec)"))) example = path;
  }
  if (!best.empty())
    return {best, true, best == function.path ? "it has its own tests" : neighbours > 0 ? "it names " + std::to_string(neighbours) + " other functions of " + function.path : "it is named as " + std::string(BaseName(function.path)) + " is"};
  if (function.language == "Go") return NewOrNot(view, {(FolderName(function.path).empty() ? "" : std::string(FolderName(function.path)) + "/") + std::string(BaseName(function.path)).substr(0, BaseName(function.path).rfind('.')) + "_test.go", false, "Go's convention"});
  if (function.language == "Rust" && example.empty()) return {function.path, true, "in a module of its own, `#[cfg(test)] mod tests`"};
  if (example.empty()) return {"", false, "the repository has no test in " + function.language};
  if (function.path.find("src/main/") != std::string::npos) {
    const std::string test = With(function.path, "src/main/", "src/test/");
    return NewOrNot(view, {(FolderName(test).empty() ? "" : std::string(FolderName(test)) + "/") + NameLike(example, std::string(BaseName(test)).substr(0, BaseName(test).rfind('.'))), false, "as " + example + " is"});
  }
  return NewOrNot(view, {(FolderName(example).empty() ? "" : std::string(FolderName(example)) + "/") + NameLike(example, stem), false, "as " + example + " is"});
}

}  // namespace paddock::subagents

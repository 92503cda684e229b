#include "subagents/playbook/test_plan.h"

#include <algorithm>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/test_words.h"

namespace paddock::subagents {
namespace {

// A test's own functions: their names, by themselves, are theirs.
std::set<std::string> DefinedIn(const SeenLines& lines, const std::string& path) {
  std::set<std::string> out;
  for (const auto& [number, line] : lines)
    if (const auto defined = DefinedOn(path, line.text); defined && defined->kind == "function") out.insert(defined->name);
  return out;
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
  // Of "door.open.test.js" the end alone is the way: ".test.js".
  const std::string rest = FirstGroup(base, R"(((?:\.(?:test|tests|spec|unit|e2e))*\.\w+)$)").value_or("");
  if (base.starts_with("test_")) return "test_" + stem + rest;
  if (base.starts_with("test-")) return "test-" + stem + rest;
  if (MatchesPart(base, R"(_test\.)")) return stem + "_test" + rest;
  if (MatchesPart(base, R"(_spec\.)")) return stem + "_spec" + rest;
  if (MatchesPart(base, R"(-test\.)")) return stem + "-test" + rest;
  if (MatchesPart(base, R"(Tests\.)")) return PascalOf(stem) + "Tests" + rest;
  if (MatchesPart(base, R"(Test\.)")) return PascalOf(stem) + "Test" + rest;
  return stem + rest;
}

// What a file is about: where its name is the same in every folder, the folder's.
std::string SubjectOf(std::string_view path) {
  const std::string stem = TestedStem(path);
  return MatchesWhole(stem, "__init__|__main__|index|mod|lib|main") && !FolderName(path).empty() ? TestedStem(BaseName(FolderName(path))) : stem;
}

// For the name of a new test: as the source has it, but for the sign of a private module.
std::string StemOf(std::string_view path) {
  if (SubjectOf(path) != TestedStem(path)) return SubjectOf(path);
  std::string stem(BaseName(path));
  stem = stem.substr(0, stem.find('.', 1));
  return MatchesWhole(stem, R"(_[A-Za-z0-9].*)") ? stem.substr(1) : stem;
}

// Is `word` one of the words of a name: "ipython" of "load_ipython_extension" and of "loadIpython"?
bool IsWordOf(const std::string& word, const std::string& name) {
  std::string words;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') words += std::string("_") + static_cast<char>(c - 'A' + 'a');
    else words += c == '-' || c == '.' ? '_' : c;
  }
  const size_t at = ("_" + words + "_").find("_" + word + "_");
  return word.size() > 3 && at != std::string::npos;
}

// A line of a doc comment that is code rather than prose; "" where it isn't.
std::string CodeOfDoc(std::string_view text) {
  const auto code = FirstGroup(text, R"(^\s*//[/!]\s*(?:#\s)?(.*)$)");
  return code && MatchesPart(*code, R"(^(let|use|assert\w*!|match|if|for|while)\b|^\w+!\(|[;{}]\s*$|\)\?$)") ? *code : "";
}

TestPlace NewOrNot(const RepoView& view, TestPlace place) {
  place.exists = view.HasFile(place.path);
  return place;
}

}  // namespace

TestNames NamesInTests(const RepoView& view, const std::vector<PublicFunction>& functions) {
  std::map<std::string, std::vector<const PublicFunction*>> wanted;
  for (const auto& function : functions) wanted[function.name].push_back(&function);
  TestNames out;
  out.tests = TestFiles(view);
  for (const auto& path : view.files())
    if (out.tests.Has(path)) out.families.insert(LanguageFamily(LanguageOf(path)));
  for (const auto& path : view.ReadFiles()) {
    const bool types = IsTypeTestPath(path) && !IsForeignPath(path);
    if (LanguageOf(path) == "Rust" && IsOwnSource(path))
      for (const auto& [number, line] : *view.LinesOf(path))
        for (const auto& word : WordsOfTest(path, CodeOfDoc(line.text)))
          if (wanted.contains(word.word) && word.in_code && word.is_used) out.docs_of.emplace(word.word, path + ":" + std::to_string(number));
    const InlineTests within(path, *view.LinesOf(path));
    const bool source = !out.tests.Has(path) && !types && !IsForeignPath(path) && !within.empty();
    if (!out.tests.Has(path) && !source && !types) continue;
    if (!types) out.families.insert(LanguageFamily(LanguageOf(path)));
    const std::set<std::string> own = types || source ? std::set<std::string>() : DefinedIn(*view.LinesOf(path), path);
    for (const auto& [number, line] : *view.LinesOf(path)) {
      if (source && !within.Has(number)) continue;
      for (const auto& word : WordsOfTest(path, line.text)) {
        const auto named = wanted.find(word.word);
        if (named == wanted.end()) continue;
        const bool fits = (word.dotted || !own.contains(word.word)) && std::any_of(named->second.begin(), named->second.end(), [&](const auto* function) { return CanName(word, *function, path); });
        if (!fits) {
          if (!types) out.words_of[word.word].insert(path);
        } else if (types) {
          out.types_of[word.word].insert(path);
        } else {
          out.files_of[word.word].insert(path);
          out.names_of[path].insert(word.word);
        }
      }
    }
  }
  return out;
}

std::vector<PublicFunction> RankUntested(const RepoView& /*view*/, const TestPlanSeen& seen, const std::vector<PublicFunction>& functions, const TestNames& names) {
  std::vector<PublicFunction> out;
  for (const auto& function : functions) {
    if (names.files_of.contains(function.name) || names.IsWordOnly(function.name) || seen.unknown.contains(function.name)) continue;
    out.push_back(function);
    if (auto commits = seen.commits.find(function.path); commits != seen.commits.end()) out.back().commits = commits->second;
  }
  auto score = [](const PublicFunction& function) { return std::min<int64_t>(std::max(function.lines, function.most_lines), 120) * (4 + std::min<int64_t>(function.commits, 20)); };
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return score(a) > score(b); });
  return out;
}

TestPlace PlaceOfTest(const RepoView& view, const PublicFunction& function, const std::vector<PublicFunction>& functions, const TestNames& names) {
  const std::string stem = SubjectOf(function.path);
  const bool in_header = MatchesPart(function.path, R"(\.(h|hh|hpp|hxx)$)");
  std::string best, example, why;
  int best_score = 0;
  bool sure = false;
  for (const auto& path : view.files()) {
    const std::string language = LanguageOf(path);
    const bool inline_tests = path == function.path && names.names_of.contains(path);
    if (!names.tests.MayHold(path) && !inline_tests) continue;
    int named = 0;
    if (auto in = names.names_of.find(path); in != names.names_of.end())
      for (const auto& other : functions) named += other.path == function.path && in->second.contains(other.name) ? 1 : 0;
    // Tests in C++ can call C. Those in C can call what a header declares for them, if they do.
    if (language != function.language && !(function.language == "C" && language == "C++") && !(function.language == "C++" && language == "C" && in_header && named > 0) &&
        !(language == "TypeScript" && function.language == "JavaScript"))
      continue;
    const std::string tests = TestedStem(path);
    const bool same = tests == stem, near = FolderName(path) == FolderName(function.path), mirrored = FolderName(path) == FolderName(With(function.path, "src/main/", "src/test/"));
    const bool alike = !same && stem.size() > 3 && IsWordOf(stem, tests), of_name = !function.name.starts_with(tests) && IsWordOf(tests, function.name);  // what begins it may begin all
    const int score = 2 * std::min(named, 20) + (same ? 30 : 0) + (same && mirrored ? 12 : 0) + (inline_tests ? 40 : 0) + (named > 0 && near ? 3 : 0) + (alike ? 8 : 0) + (of_name ? 5 : 0);
    if (score > best_score) {
      best = path, best_score = score;
      sure = inline_tests || (same && stem != "main" && IsTestPath(BaseName(path)));
      why = inline_tests ? "it has its own tests" : named > 0 ? "it names at least " + std::to_string(named) + " other " + (named == 1 ? "function" : "functions") + " of " + function.path : of_name ? "`" + tests + "` is a part of the function's name" : "it is named as " + std::string(BaseName(function.path)) + " is";
    }
    if (!IsTestPath(path)) continue;
    const bool named_as_test = MatchesPart(BaseName(path), R"((?i)test|spec)");
    if (example.empty() || (near && FolderName(example) != FolderName(function.path)) || (named_as_test && !MatchesPart(BaseName(example), R"((?i)test|spec)"))) example = path;
  }
  if (!best.empty()) return {best, true, why, sure};
  if (function.language == "Go") return NewOrNot(view, {(FolderName(function.path).empty() ? "" : std::string(FolderName(function.path)) + "/") + std::string(BaseName(function.path)).substr(0, BaseName(function.path).rfind('.')) + "_test.go", false, "Go's convention"});
  if (function.language == "Rust" && example.empty()) return {function.path, true, "in a module of its own, `#[cfg(test)] mod tests`"};
  if (example.empty()) return {"", false, "the repository has no test in " + function.language};
  if (function.path.find("src/main/") != std::string::npos) {
    const std::string test = With(function.path, "src/main/", "src/test/");
    return NewOrNot(view, {(FolderName(test).empty() ? "" : std::string(FolderName(test)) + "/") + NameLike(example, std::string(BaseName(test)).substr(0, BaseName(test).rfind('.'))), false, "as " + example + " is"});
  }
  return NewOrNot(view, {(FolderName(example).empty() ? "" : std::string(FolderName(example)) + "/") + NameLike(example, StemOf(function.path)), false, "as " + example + " is"});
}

}  // namespace paddock::subagents

#include "subagents/playbook/test_files.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kMostLines = 60;  // of a statement
constexpr char kTestName[] = R"((?i)(^|[^a-z])(unit)?(tests?|checks?|specs?)([^a-z]|$)|unittest)";
// Whatever they are given in a script of package.json is a test.
constexpr char kJsRunner[] = R"((?:^|[\s/])(?:_?mocha|jest|vitest|ava|tap|tape|jasmine|uvu|lab|qunit)(?:\s|$))";

std::string Inside(const std::string& folder, std::string_view path) {
  if (path.starts_with("./")) path.remove_prefix(2);
  return folder.empty() ? std::string(path) : folder + "/" + std::string(path);
}

std::vector<std::string> AllOf(const std::string& text, const char* pattern) {
  std::vector<std::string> out;
  const RE2 compiled(pattern);
  re2::StringPiece rest(text);
  for (std::string word; RE2::FindAndConsume(&rest, compiled, &word);) out.push_back(word);
  return out;
}

// "x = executable('a', ...)", from a line that `begins` one to where its brackets close.
std::vector<std::string> Statements(const SeenLines& lines, const char* begins) {
  std::vector<std::string> out;
  for (const auto& [number, line] : lines) {
    if (!MatchesPart(line.text, begins)) continue;
    std::string text;
    int64_t depth = 0;
    for (int64_t n = number; n < number + kMostLines && lines.contains(n); ++n) {
      const std::string& next = lines.at(n).text;
      if (MatchesPart(next, R"(^\s*#)")) continue;
      text += next + " ";
      depth += std::count(next.begin(), next.end(), '(') - std::count(next.begin(), next.end(), ')');
      if (depth <= 0) break;
    }
    out.push_back(std::move(text));
  }
  return out;
}

// What "NAME = a b" gives to each variable of a Makefile, over lines that end in a backslash. Each line is a part of one.
std::map<std::string, std::set<std::string>> VariablesOf(const SeenLines& lines) {
  static const RE2 kAssigns(R"(^\s*([\w-]+)\s*\+?=(.*)$)");
  std::map<std::string, std::set<std::string>> out;
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    std::string name, text;
    if (!RE2::FullMatch(line->second.text, kAssigns, &name, &text)) continue;
    for (auto next = std::next(line); text.ends_with("\\") && next != lines.end() && next->first == line->first + 1; line = next++) text.back() = ' ', text += next->second.text;
    for (auto& word : AllOf(text, R"((\S+))")) out[name].insert(std::move(word));
  }
  return out;
}

bool HasWord(const std::vector<std::string>& texts, const std::string& word) {
  const RE2 pattern("(^|[^\\w.-])" + RE2::QuoteMeta(word) + "($|[^\\w.-])");
  return !word.empty() && std::any_of(texts.begin(), texts.end(), [&](const auto& text) { return RE2::PartialMatch(text, pattern); });
}

class Registers {
 public:
  explicit Registers(const RepoView& view) : view_(view) {}

  std::set<std::string> Take() {
    for (const auto& path : view_.ReadFiles()) {
      if (IsForeignPath(path)) continue;
      folder_ = FolderName(path);
      lines_ = view_.LinesOf(path);
      const std::string_view base = BaseName(path);
      if (base == "meson.build") Executables(R"(^\s*test\s*\()", R"(^\s*(?:\w+\s*=\s*)?executable\s*\()", R"(^\s*(\w+)\s*=)", R"('([\w./+-]+)')");
      else if (base == "CMakeLists.txt") Executables(R"(^\s*(?:add_test|gtest_discover_tests|catch_discover_tests)\s*\()", R"((?i)^\s*add_executable\s*\()", R"(\(\s*([\w.+-]+))", R"(([\w./+-]+))");
      else if (base == "Makefile.am") Automake();
      else if (MatchesWhole(base, "(GNUm|M|m)akefile")) Recipes();
      else if (base == "package.json") Scripts();
      else if (MatchesPart(base, R"((?i)test.*\.sh$)")) Compiled();
    }
    return std::move(found_);
  }

 private:
  // A source of a program that a test runs. The program may be the project's own: so the source is one that is there to try things,
  // or the program is named a test and the source is where it begins.
  void Take(const std::string& path, const std::string& program) {
    if (!view_.HasFile(path) || LanguageOf(path).empty() || LanguageOf(path) == "C header" || IsForeignPath(path)) return;
    if (IsTrialPath(path) || MatchesPart(BaseName(path), kTestName) || (MatchesPart(program, kTestName) && BeginsProgram(path))) found_.insert(path);
  }

  bool BeginsProgram(const std::string& path) const {
    const SeenLines* lines = view_.LinesOf(path);
    return lines != nullptr && std::any_of(lines->begin(), lines->end(), [](const auto& line) { return MatchesPart(line.second.text, R"(\bmain\s*\(|^\s*TEST\w*\s*\()"); });
  }

  void Executables(const char* test, const char* executable, const char* name, const char* source) {
    const auto tests = Statements(*lines_, test);
    if (tests.empty()) return;
    for (const auto& statement : Statements(*lines_, executable)) {
      const std::string program = FirstGroup(statement, name).value_or("");
      if (!HasWord(tests, program)) continue;
      for (const auto& word : AllOf(statement, source)) Take(Inside(folder_, word), statement.substr(0, 80));
    }
    for (const auto& statement : tests)  // an executable within the test
      for (const auto& word : AllOf(statement, source)) Take(Inside(folder_, word), statement.substr(0, 80));
  }

  void Automake() {
    auto variables = VariablesOf(*lines_);
    for (const char* list : {"TESTS", "check_PROGRAMS"})
      for (const auto& program : variables[list]) {
        std::string variable = program;
        for (char& c : variable)
          if (c == '-' || c == '.' || c == '/') c = '_';
        const auto sources = variables.find(variable + "_SOURCES");
        for (const auto& source : sources == variables.end() ? std::set{program + ".c"} : sources->second) Take(Inside(folder_, source), std::string(list) == "TESTS" ? program : "check");
      }
  }

  // What the target "test" needs or runs.
  void Recipes() {
    bool inside = false;
    for (const auto& [number, line] : *lines_) {
      if (!line.text.starts_with("\t")) inside = MatchesPart(line.text, R"(^(test|tests|check)\s*:([^=]|$))");
      if (!inside) continue;
      for (const auto& word : AllOf(line.text, R"(([\w./+-]+))"))
        for (const char* extension : {"", ".c", ".cc", ".cpp"}) Take(Inside(folder_, word + extension), word);
    }
  }

  void Scripts() {
    for (const auto& [number, line] : *lines_) {
      const auto script = FirstGroup(line.text, R"re(^\s*"test(?::[\w:-]+)?"\s*:\s*"(.*)",?\s*$)re");
      if (!script) continue;
      for (const auto& command : AllOf(*script, R"(([^&|;]+))")) {
        const bool runner = MatchesPart(command, kJsRunner);
        if (!runner && !MatchesPart(command, R"((?:^|\s)(?:node|tsx|ts-node|bun|deno)\s)")) continue;
        for (auto word : AllOf(command, R"(([\w./@*-]+))")) {
          while (word.ends_with("/") || word.ends_with("*")) word.pop_back();
          const std::string path = Inside(folder_, word);
          Take(path, word);
          // A folder of the sources holds more than tests.
          if (!runner || !view_.HasFolder(path) || MatchesPart(path, R"((^|/)(src|lib|libs|app|dist|build|bin|packages|source)(/|$))")) continue;
          for (const auto& file : view_.files())
            if (file.starts_with(path + "/") && MatchesWhole(LanguageOf(file), "JavaScript|TypeScript")) found_.insert(file);
        }
      }
    }
  }

  void Compiled() {
    for (const auto& [number, line] : *lines_) {
      if (MatchesPart(line.text, R"(^\s*#)") || !MatchesPart(line.text, kCompiles)) continue;
      for (const auto& word : AllOf(line.text, R"(([\w./+-]+\.(?:c|cc|cpp|cxx))\b)")) Take(Inside(folder_, word), "");
    }
  }

  const RepoView& view_;
  std::string folder_;
  const SeenLines* lines_ = nullptr;  // borrowed, of the file at hand
  std::set<std::string> found_;
};

}  // namespace

std::set<std::string> RegisteredTests(const RepoView& view) { return Registers(view).Take(); }

InlineTests::InlineTests(std::string_view path, const SeenLines& lines) {
  const std::string language = LanguageOf(path);
  if (language == "Rust") TakeItems(lines);
  if (MatchesWhole(language, "C|C\\+\\+|C header|Objective-C.*")) TakeBlocks(path, lines);
}

void InlineTests::TakeItems(const SeenLines& lines) {
  for (const auto& [number, line] : lines) {
    if (!MatchesPart(line.text, kTestItem) || Has(number)) continue;
    const bool of_tests = MatchesPart(line.text, R"(\bcfg\()");
    int64_t item = number + 1;
    while (lines.contains(item) && MatchesPart(lines.at(item).text, R"(^\s*(#\[|//|$))")) ++item;
    // What is marked wasn't seen: behind the mark of a module of tests there is seldom anything else.
    if (!lines.contains(item)) {
      if (of_tests) ranges_.emplace_back(number, INT64_MAX);
      continue;
    }
    const int64_t last = EndOfBody(lines, item);
    const bool seen = lines.contains(last + 1) || !MatchesPart(lines.at(item).text, R"(\{\s*$)");
    ranges_.emplace_back(number, of_tests && !seen ? INT64_MAX : last);
  }
}

void InlineTests::TakeBlocks(std::string_view path, const SeenLines& lines) {
  std::set<std::string> called;
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    if (!MatchesPart(line->second.text, kTestBlock) || Has(line->first)) continue;
    int64_t last = line->first, depth = 1;
    for (; depth > 0 && lines.contains(last + 1); ++last) {
      const std::string& text = lines.at(last + 1).text;
      if (MatchesPart(text, R"(^\s*#\s*if)")) ++depth;
      if (MatchesPart(text, R"(^\s*#\s*endif)") || (depth == 1 && MatchesPart(text, R"(^\s*#\s*el(se|if))"))) --depth;
      for (auto& name : AllOf(text, R"(\b(\w+Tests?|test_\w+|\w+_tests?)\s*\()")) called.insert(std::move(name));
    }
    ranges_.emplace_back(line->first, last);
  }
  if (called.empty()) return;
  for (const auto& [number, line] : lines)
    if (const auto defined = DefinedOn(path, line.text); defined && defined->kind == "function" && called.contains(defined->name) && !Has(number)) ranges_.emplace_back(number, EndOfBody(lines, number));
}

bool InlineTests::Has(int64_t line) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const auto& range) { return range.first <= line && line <= range.second; });
}

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

bool TestFiles::Has(const std::string& path) const {
  if (IsForeignPath(path) || IsTypeTestPath(path) || MatchesPart(path, R"(\.d\.[cm]?ts$|\.pyi$)")) return false;
  return registered_.contains(path) || (IsTestPath(path) && !sources_.contains(path));
}

bool TestFiles::MayHold(const std::string& path) const { return Has(path) && !MatchesWhole(BaseName(path), R"(__(init|main)__\.py|conftest\.py)"); }

}  // namespace paddock::subagents

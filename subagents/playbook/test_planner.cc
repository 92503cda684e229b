// The test-planner: public functions, then which of their names stand in tests, then the bodies of those that don't.
#include <algorithm>

#include "subagents/playbook/class_parts.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/survey.h"
#include "subagents/playbook/test_files.h"
#include "subagents/playbook/test_plan.h"
#include "subagents/playbook/visibility.h"

namespace paddock::subagents {
namespace {

constexpr size_t kNamesBytes = 3000;  // of one pattern
constexpr size_t kMaxSearches = 24;
constexpr size_t kBodies = 24;
// Of a class in JavaScript; statements look the same.
constexpr char kMethods[] = R"(^(\t| {2}| {4})((public|static|async|get|set|override)\s+)*\*?[A-Za-z$][\w$]*\s*(<[^()]*>)?\s*\([\w$,.\s={}\[\]'":?<>|&]*\)\s*(:[^=]+)?\{\s*$)";
constexpr size_t kLists = 10, kLinesOfList = 800;  // of exports
constexpr size_t kRegisters = 12, kRegistered = 12;
constexpr int64_t kLinesOfRegister = 400, kLinesOfTest = 2000;
constexpr size_t kTagged = 16;
constexpr int64_t kLinesOfTagged = 2000;
constexpr size_t kListsOfPython = 24, kLinesOfAll = 400;

class TestPlanner : public PacedPlaybook {
  void Take(const agentcore::CallOutcome& outcome) override {
    seen_.symbols.Take(outcome);
    for (const auto& artifact : outcome.result.artifacts) {
      if (artifact.kind == "commits") seen_.listed_commits = static_cast<int64_t>(artifact.lines.size());
      if (artifact.kind != "changes") continue;
      for (const auto& row : artifact.lines) {
        const auto fields = SplitTabs(row, 2);
        seen_.commits[fields[0]] = std::max<int64_t>(0, std::atoll(fields[1].substr(0, 9).c_str()));
      }
    }
    if (outcome.call.tool == "search_text" && function_searches_.contains(outcome.call.arguments.value("pattern", std::string()))) seen_.functions_cut = seen_.functions_cut || !outcome.result.success || (!outcome.result.artifacts.empty() && IsCut(outcome.result));
    const auto asked = asked_.find(outcome.call.arguments.is_object() ? outcome.call.arguments.value("pattern", std::string()) : std::string());
    if (asked == asked_.end() || outcome.call.tool != "search_text") return;
    seen_.searched = seen_.searched || outcome.result.success;
    const bool cut = IsCut(outcome.result);
    const bool listing = !outcome.result.artifacts.empty() && outcome.result.artifacts.front().kind == "listing";
    // A test's line with a match that was shown in part may hold any of the names.
    const bool shown_cut = std::any_of(outcome.result.artifacts.begin(), outcome.result.artifacts.end(), [](const auto& artifact) { return !LanguageOf(artifact.path).empty() && !IsForeignPath(artifact.path) && !IsMadePath(artifact.path) && !MatchesShownCut(artifact).empty(); });
    if ((listing && cut) || shown_cut) again_.insert(again_.end(), asked->second.begin(), asked->second.end());
    if (!outcome.result.success) seen_.unknown.insert(asked->second.begin(), asked->second.end());
  }

  static bool IsCut(const agentcore::ToolResult& result) {
    return !result.success || result.artifacts.empty() || result.artifacts.front().facts.value("truncated", Json(false)) == Json(true) || result.artifacts.front().facts.value("complete", Json(true)) == Json(false);
  }

  void Plan(const ModelRequestFrame& /*request*/) override {
    survey_.Next(view_, &queue_);
    if (stage_ == 0) {
      queue_.Add("git_log", Json{{"limit", 500}, {"changes", true}});
      queue_.Add("outline", Json{{"path", "."}, {"limit", 2000}});
      ++stage_;
    }
    while (queue_.empty() && stage_ < 8) {
      switch (stage_++) {
        case 1: AskForFunctions(); break;
        case 2: ReadExports(); ReadRegisters(); ReadTestBlocks(); ReadTagged(); break;
        case 3: ReadRegistered(); break;
        case 4: AskForNames(Names()); break;
        case 5:
        case 6: AskAgain(); break;
        case 7: ReadBodies(); break;
      }
    }
  }

  void AskForFunctions() {
    survey_.AskForTests(view_, &queue_);
    auto languages = RankLanguages(view_);
    size_t taken = 0;
    for (const auto& language : languages) {
      const std::string pattern = FunctionPattern(language.name), glob = GlobOf(language.name);
      if (pattern.empty() || glob.empty()) continue;
      if (language.files * 20 < languages[0].files || ++taken > 3) {
        seen_.left_out.push_back(language.name);
        continue;
      }
      const std::string visibility = VisibilityPattern(language.name);
      SearchFunctions(visibility.empty() ? pattern : pattern + "|" + visibility, glob);
      if (language.name == "JavaScript" || language.name == "TypeScript") SearchFunctions(kMethods, glob);
      queue_.Add("search_text", Json{{"pattern", kPrivateTags}, {"glob", glob}, {"limit", 500}});
      if (language.name == "C++") SearchFunctions(kClassParts, "*.{h,hh,hpp,hxx}");
      if (language.name == "C" || language.name == "C++") SearchFunctions(R"(^\s*[A-Za-z_][^#/]*\()", "*.{h,hh,hpp,hxx}");
      if (language.name == "C" || language.name == "C++") queue_.Add("search_text", Json{{"pattern", kTestBlock}, {"glob", "*.{c,cc,cpp,cxx,h,hh,hpp,hxx}"}, {"limit", 200}});
      if (language.name == "C" || language.name == "C++") queue_.Add("search_text", Json{{"pattern", kCompiles}, {"glob", "*test*.sh"}, {"limit", 40}});
    }
  }

  void SearchFunctions(const std::string& pattern, const std::string& glob) {
    function_searches_.insert(pattern);
    queue_.Add("search_text", Json{{"pattern", pattern}, {"glob", glob}, {"limit", 1000}});
  }

  // Names that a file of JavaScript exports stand in the lines behind "module.exports = {", and those of Python behind "__all__ = [".
  void ReadExports() {
    size_t lists = 0, lists_of_python = 0;
    for (const auto& path : view_.ReadFiles()) {
      if (LanguageOf(path) == "Python" && IsOwnSource(path))
        for (const auto& [number, line] : *view_.LinesOf(path))
          if (MatchesPart(line.text, R"(^\s*__all__\b[^\])]*$|^\s*from\s.*\bimport\s*\([^)]*$)") && lists_of_python++ < kListsOfPython) queue_.ReadFrom(path, number, kLinesOfAll);
      if (!MatchesWhole(LanguageOf(path), "JavaScript|TypeScript") || !IsOwnSource(path)) continue;
      for (const auto& [number, line] : *view_.LinesOf(path))
        if (MatchesPart(line.text, R"(^\s*((const|let|var)\s+[\w$]+\s*=\s*)?((module\.)?exports\s*=|export(\s+default)?)\s*\{[^}]*$)") && lists++ < kLists) queue_.ReadFrom(path, number, kLinesOfList);
    }
  }

  // Where the survey's searches have found that tests are registered, all of the file says of which sources they are.
  void ReadRegisters() {
    size_t read = 0;
    for (const auto& path : view_.ReadFiles()) {
      if (!MatchesWhole(path, kTestRegisters) || IsForeignPath(path)) continue;
      const SeenLines& lines = *view_.LinesOf(path);
      const bool any = std::any_of(lines.begin(), lines.end(), [](const auto& line) { return MatchesPart(line.second.text, kRegistersTest); });
      if (any && read++ < kRegisters) queue_.Read(path, kLinesOfRegister);
    }
  }

  // Tests within the sources: each block of C, and of Rust all from the first on.
  void ReadTestBlocks() {
    size_t read = 0;
    for (const auto& path : view_.ReadFiles()) {
      const std::string family = LanguageFamily(LanguageOf(path));
      if ((family != "C" && family != "Rust") || !IsOwnSource(path)) continue;
      for (const auto& [number, line] : *view_.LinesOf(path)) {
        if (!MatchesPart(line.text, family == "C" ? kTestBlock : kTestItem)) continue;
        if (read++ < kRegistered) queue_.ReadFrom(path, number, kLinesOfTest);
        if (family == "Rust") break;
      }
    }
  }

  // What such a word is of is told by the lines behind it.
  void ReadTagged() {
    size_t read = 0;
    for (const auto& path : view_.ReadFiles()) {
      const SeenLines& lines = *view_.LinesOf(path);
      const bool any = std::any_of(lines.begin(), lines.end(), [](const auto& line) { return MatchesPart(line.second.text, kPrivateTags); });
      if (any && IsOwnSource(path) && !IsTrialPath(path) && read++ < kTagged) queue_.Read(path, kLinesOfTagged);
    }
  }

  void ReadRegistered() {
    size_t read = 0;
    for (const auto& path : RegisteredTests(view_))
      if (!IsTestPath(path) && read++ < kRegistered) queue_.Read(path, kLinesOfTest);
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& function : PublicFunctions(view_, seen_.symbols)) names.push_back(function.name);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

  // Fewer names a search give fewer lines each: where one was cut off, it is asked again in smaller parts.
  void AskForNames(const std::vector<std::string>& names, size_t most = 120) {
    size_t searches = 0;
    const auto functions = PublicFunctions(view_, seen_.symbols);
    const bool rust = std::any_of(functions.begin(), functions.end(), [](const auto& function) { return function.language == "Rust"; });
    for (size_t at = 0; at < names.size();) {
      std::vector<std::string> part;
      for (size_t bytes = 0; at < names.size() && part.size() < most && bytes + names[at].size() < kNamesBytes; ++at) {
        bytes += names[at].size() + 2;
        part.push_back(names[at]);
      }
      if (++searches > kMaxSearches || part.empty()) {
        seen_.unknown.insert(part.begin(), part.end());
        if (part.empty()) ++at;
        continue;
      }
      const std::string pattern = AnyOf(part);
      if (asked_.contains(pattern)) {
        seen_.unknown.insert(part.begin(), part.end());
        continue;
      }
      asked_[pattern] = part;
      queue_.Add("search_text", Json{{"pattern", pattern}, {"glob", kTestGlob}, {"limit", 1000}});
      if (rust) queue_.Add("search_text", Json{{"pattern", pattern}, {"glob", "*.rs"}, {"limit", 1000}});
    }
  }

  void AskAgain() {
    std::vector<std::string> names;
    const auto in_tests = NamesInTests(view_, PublicFunctions(view_, seen_.symbols));
    for (const auto& name : again_)
      if (!in_tests.files_of.contains(name)) names.push_back(name);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    again_.clear();
    if (stage_ > 6) seen_.unknown.insert(names.begin(), names.end());
    else AskForNames(names, 12);
  }

  void ReadBodies() {
    const auto functions = PublicFunctions(view_, seen_.symbols);
    const auto names = NamesInTests(view_, functions);
    size_t read = 0;
    for (const auto& function : RankUntested(view_, seen_, functions, names)) {
      if (++read > kBodies) break;
      queue_.ReadFrom(function.path, std::max<int64_t>(1, function.line - 1), std::clamp<int64_t>(std::max(function.lines, function.most_lines) + 4, 30, 160));
    }
  }

  Report Write(const PlaybookRun& run) override {
    seen_.unknown.insert(again_.begin(), again_.end());
    return WriteTestPlan(view_, seen_, run);
  }

  TestPlanSeen seen_;
  Survey survey_{2};
  std::map<std::string, std::vector<std::string>> asked_;  // pattern → names
  std::vector<std::string> again_;
  std::set<std::string> function_searches_;  // patterns
  int stage_ = 0;
};

}  // namespace

std::unique_ptr<Playbook> MakeTestPlanner() { return std::make_unique<TestPlanner>(); }

}  // namespace paddock::subagents

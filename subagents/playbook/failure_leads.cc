#include "subagents/playbook/failure_leads.h"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>

#include "subagents/playbook/called_names.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/environment.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/logged_files.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxHits = 200, kMaxTests = 24, kMaxCalled = 200;
constexpr int64_t kTestReach = 60;    // lines of a test above its check
constexpr int64_t kFunctionReach = 200;
constexpr size_t kMaxOnlyChanged = 3;
constexpr int64_t kTestLength = 60;   // where the check's line isn't known

// "pkg/mod::tests::name", "Suite.name", "TestX/case", "outer › inner" → the part that stands in the source.
std::string SourceName(std::string name) {
  for (const char* between : {" › ", " > ", "::", "/"})
    if (const size_t at = name.rfind(between); at != name.npos && at + std::string_view(between).size() < name.size()) {
      if (std::string_view(between) == "/" && name.starts_with("Test")) name.erase(name.find('/'));
      else name.erase(0, at + std::string_view(between).size());
    }
  if (const size_t bracket = name.find('['); bracket != name.npos && bracket > 0) name.erase(bracket);
  if (MatchesWhole(name, R"([\w.]+\.\w+)") && !MatchesWhole(name, R"(.*\.(py|js|ts|c|cc|cpp|go|rs|java|rb|sh|t|pl|mjs|cjs))")) name.erase(0, name.rfind('.') + 1);
  while (!name.empty() && (name.back() == ' ' || name.back() == ':')) name.pop_back();
  return name;
}

bool HasFrame(const std::vector<Hit>& hits, size_t trace) {
  return std::any_of(hits.begin(), hits.end(), [&](const Hit& hit) { return hit.trace == trace && hit.line > 0; });
}

std::vector<std::string> NamesOfTests(const LogFacts& log, const std::vector<Hit>& hits) {
  std::vector<std::string> names;
  for (size_t i = 0; i < log.traces.size() && names.size() < kMaxTests; ++i) {
    const Trace& trace = log.traces[i];
    if (trace.test.empty() || HasFrame(hits, i)) continue;
    std::string name = SourceName(trace.test);
    if (name.size() >= 3 && name.size() <= 160 && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string Lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// As DefinedOn, and functions in the midst of a line: `getter(req, 'ip', function ip() {`.
std::optional<DefinedName> DefinedHere(const std::string& path, const std::string& line) {
  auto defined = DefinedOn(path, line);
  if (!defined && MatchesPart(path, R"(\.[cm]?[jt]sx?$)"))
    if (auto name = FirstGroup(line, R"(\bfunction\s+([\w$]+)\s*\()")) return DefinedName{*name, "function", false};
  return defined;
}

std::string Where(const std::string& path, int64_t line) { return path + ":" + std::to_string(line); }

}  // namespace

std::vector<Hit> HitsOf(const LogFacts& log, const RepoView& view) {
  const LoggedFiles files(view);
  std::vector<Hit> hits;
  for (size_t i = 0; i < log.traces.size(); ++i) {
    size_t depth = 0;
    for (const Frame& frame : log.traces[i].frames) {
      if (hits.size() >= kMaxHits) return hits;
      const std::string path = files.Find(frame);
      if (path.empty()) continue;
      Hit hit{i, depth, path, frame.line, frame.function, IsTestPath(path)};
      if (!hit.is_test && IsOwnSource(path)) ++depth;
      hits.push_back(std::move(hit));
    }
  }
  return hits;
}

std::vector<std::string> PatternsOfTests(const LogFacts& log, const std::vector<Hit>& hits) {
  std::vector<std::string> patterns;
  for (const std::string& name : NamesOfTests(log, hits)) {
    const bool word = MatchesWhole(name, R"(\w+)");
    patterns.push_back(word ? "\\b" + name + "\\b" : RE2::QuoteMeta(name));
  }
  return patterns;
}

std::vector<std::string> FilesOfTests(const LogFacts& log, const std::vector<Hit>& hits, const RepoView& view) {
  std::vector<std::string> paths;
  for (size_t i = 0; i < log.traces.size(); ++i) {
    const Trace& trace = log.traces[i];
    for (const Hit& hit : hits)  // of a test of which only the file is said
      if (hit.trace == i && hit.line == 0) paths.push_back(hit.path);
    if (trace.test.empty() || HasFrame(hits, i)) continue;
    const std::string stem = TestedStem(trace.test);
    for (const std::string& path : view.files()) {
      if (paths.size() >= kMaxTests) break;
      if (path == trace.test || BaseName(path) == BaseName(trace.test) || (IsTestPath(path) && stem.size() >= 3 && TestedStem(path) == stem)) paths.push_back(path);
    }
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

std::vector<TestRange> TestRanges(const LogFacts& log, const std::vector<Hit>& hits, const RepoView& view) {
  std::vector<TestRange> ranges;
  std::set<std::string> seen;
  const auto add = [&](TestRange range) {
    if (ranges.size() < kMaxTests && seen.insert(Where(range.path, range.last)).second) ranges.push_back(std::move(range));
  };
  for (const Hit& hit : hits)
    if (hit.is_test && hit.line > 0) add({hit.path, log.traces[hit.trace].test, BeginOfTest(view, hit.path, hit.line, kTestReach), hit.line});
  for (const std::string& name : NamesOfTests(log, hits))
    for (const std::string& path : view.ReadFiles()) {
      if (!IsTestPath(path)) continue;
      for (const auto& [number, line] : *view.LinesOf(path))
        if (line.text.find(name) != line.text.npos) add({path, name, number, number + kTestLength});
    }
  for (const std::string& path : FilesOfTests(log, hits, view))
    if (const SeenLines* lines = view.LinesOf(path); lines && IsTestPath(path)) add({path, std::string(BaseName(path)), lines->begin()->first, lines->rbegin()->first});
  return ranges;
}

CalledNames CalledByTests(const std::vector<TestRange>& tests, const RepoView& view) {
  CalledNames called;
  for (const TestRange& test : tests)
    for (const auto& [name, near] : CalledBefore(view, test.path, test.first, test.last)) {
      if (called.size() >= kMaxCalled && !called.contains(name)) continue;
      Called& one = called[name];
      if (near > one.near) one.near = near, one.first_by = Where(test.path, test.last);
      one.by.insert(test.name.empty() ? Where(test.path, test.first) : test.name);
    }
  return called;
}

std::vector<std::string> Foremost(const CalledNames& names, size_t most) {
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, called] : names) order.emplace_back(-called.near - 0.05 * static_cast<double>(std::min<size_t>(called.by.size(), 8)), name);
  std::sort(order.begin(), order.end());
  std::vector<std::string> out;
  for (size_t i = 0; i < order.size() && i < most; ++i) out.push_back(order[i].second);
  return out;
}

std::map<std::string, std::vector<DefinitionPlace>> DefinitionsOf(const CalledNames& names, const RepoView& view) {
  std::map<std::string, std::vector<DefinitionPlace>> found;
  for (const std::string& path : view.ReadFiles()) {
    if (!IsOwnSource(path)) continue;
    DefinitionPlace* open = nullptr;
    for (const auto& [number, line] : *view.LinesOf(path)) {
      const auto defined = DefinedHere(path, line.text);
      if (open && (defined && defined->kind == "function")) open->end = number, open = nullptr;
      if (open) open->end = number + 1;
      if (!defined || defined->kind == "declaration" || !names.contains(defined->name)) continue;
      std::vector<DefinitionPlace>& places = found[defined->name];
      if (places.size() >= 20) continue;
      places.push_back({path, number, number + 1});
      open = &places.back();
    }
  }
  return found;
}

CalledNames CalledByDefinitions(const std::map<std::string, std::vector<DefinitionPlace>>& definitions, const CalledNames& known, const RepoView& view) {
  CalledNames called;
  for (const auto& [name, places] : definitions)
    for (const DefinitionPlace& place : places)
      for (const auto& [callee, near] : CalledBefore(view, place.path, place.line + 1, place.end - 1)) {
        if (known.contains(callee) || callee == name || (called.size() >= kMaxCalled && !called.contains(callee))) continue;
        Called& one = called[callee];
        const auto caller = known.find(name);
        const double weight = caller == known.end() ? 0.4 : caller->second.near;
        if (weight > one.near) one.near = weight, one.first_by = name;
        one.by.insert(name);
      }
  return called;
}

int64_t BeginOfFunction(const RepoView& view, const std::string& path, int64_t line, std::string* name) {
  const SeenLines* lines = view.LinesOf(path);
  if (lines == nullptr) return 0;
  for (int64_t n = line; n > 0 && n > line - kFunctionReach; --n) {
    const auto found = lines->find(n);
    if (found == lines->end()) return 0;
    if (const auto defined = DefinedHere(path, found->second.text); defined && defined->kind == "function") {
      if (name) *name = defined->name;
      return n;
    }
  }
  return 0;
}

Suspects FindSuspects(const FailureLeads& leads, const RepoView& view) {
  Suspects suspects;
  for (const Hit& hit : leads.hits) {
    const Trace& trace = leads.log.traces[hit.trace];
    const std::string what = trace.format + (trace.message.empty() ? "" : ": " + trace.message.substr(0, 160));
    const double depth = static_cast<double>(hit.depth), order = static_cast<double>(std::min<size_t>(hit.trace, 5));
    if (hit.is_test) suspects.Add(hit.path, hit.line, hit.function, 18, "the failing check stands here (" + what + ")");
    else if (trace.kind == TraceKind::kWeak || !IsOwnSource(hit.path)) suspects.Add(hit.path, hit.line, hit.function, IsOwnSource(hit.path) ? 40 : 12, "the log names it (" + what + ")");
    else if (trace.kind == TraceKind::kCompile) suspects.Add(hit.path, hit.line, hit.function, 120 - 8 * order, "the compiler stopped here (" + what + ")");
    else suspects.Add(hit.path, hit.line, hit.function, std::max(30.0, 100 - 14 * depth), (hit.depth == 0 ? "the deepest frame of this project (" : "a frame of this project (") + what + ")");
  }
  const auto add_called = [&](const CalledNames& names, bool direct) {
    for (const auto& [name, places] : DefinitionsOf(names, view)) {
      const Called& called = names.at(name);
      const double alike = std::sqrt(static_cast<double>(places.size())), often = static_cast<double>(std::min<size_t>(called.by.size(), 6) - 1);
      for (const DefinitionPlace& place : places) {
        const double points = direct ? 30 + 30 * called.near + 5 * often : 14 + 10 * called.near + 3 * often;
        suspects.Add(place.path, place.line, name, points / alike,
                     direct ? "`" + name + "` is called by the failing test before its check (" + called.first_by + ")" + (called.by.size() > 1 ? ", and by " + std::to_string(called.by.size() - 1) + " more" : "")
                            : "`" + name + "` is called by `" + called.first_by + "`, which the failing test calls");
        if (!direct) continue;
        const auto words = WordsOfName(name);
        std::set<std::string> tests = called.by;
        tests.insert(called.first_by.substr(0, called.first_by.rfind('.')));  // its file
        for (const std::string& test : tests) {
          const auto of_test = WordsOfName(test);
          if (!words.empty() && std::all_of(words.begin(), words.end(), [&](const std::string& word) { return std::find(of_test.begin(), of_test.end(), word) != of_test.end(); })) {
            suspects.Add(place.path, place.line, name, 24 / alike, "the failing test is named after `" + name + "`");
            break;
          }
        }
      }
    }
  };
  add_called(leads.called, true);
  add_called(leads.further, false);
  // By name, the more so the more of a file's tests fail; "test_utils/test_a.py" is about utils as well.
  std::map<std::string, int> stems;
  for (const TestRange& test : leads.tests) {
    ++stems[TestedStem(test.path)];
    const std::string_view folder = FolderName(test.path);
    if (!folder.empty() && TestedStem(folder) != BaseName(folder)) ++stems[TestedStem(folder)];
  }
  for (const std::string& path : view.files())
    if (const auto found = stems.find(TestedStem(path)); found != stems.end() && IsOwnSource(path))
      suspects.Add(path, 0, "", 36 + 5 * std::min(found->second - 1, 8), "it is named as the failing test's file is" + (found->second > 1 ? ", of which " + std::to_string(found->second) + " tests fail" : std::string()));
  // Of the goal's words what defines them.
  CalledNames wanted, plain;
  for (const GoalName& name : leads.goal.names)
    for (const std::string& spelling : name.spellings) wanted[spelling].near = 1;
  for (const auto& [name, places] : DefinitionsOf(wanted, view))
    for (const DefinitionPlace& place : places) suspects.Add(place.path, place.line, name, 45, "the goal names `" + name + "`");
  for (const std::string& word : leads.goal.words)
    if (!wanted.contains(word)) plain[word].near = 1;
  if (leads.log.traces.empty())
    for (const auto& [name, places] : DefinitionsOf(plain, view))
      for (const DefinitionPlace& place : places) suspects.Add(place.path, place.line, name, 35 / std::sqrt(static_cast<double>(places.size())), "the goal has the word `" + name + "`, which is defined here");
  for (const GoalName& name : leads.goal.names)
    for (const std::string& path : view.files())
      if (IsOwnSource(path) && (path == name.name || BaseName(path) == name.name)) suspects.Add(path, 0, "", 40, "the goal names it");
  if (leads.hits.empty() && leads.tests.empty() && !OnlyLacks(leads.log))
    for (const std::string& path : view.ReadFiles()) {
      if (!IsOwnSource(path)) continue;
      for (const auto& [number, line] : *view.LinesOf(path))
        for (const std::string& stem : leads.goal.stems)
          if (stem.size() >= 4 && Lower(line.text).find(stem) != std::string::npos) {
            const auto defined = DefinedOn(path, line.text);
            suspects.Add(path, number, defined ? defined->name : "", defined ? 16 : 8, "the symptom's word \"" + stem + "\" stands there");
          }
    }
  if (OnlyLacks(leads.log)) return suspects;
  for (const auto& [path, lines] : leads.changes.uncommitted)
    for (const int64_t line : lines) {
      if (!IsOwnSource(path)) continue;
      std::string function;
      BeginOfFunction(view, path, line, &function);
      suspects.Add(path, line, function, 40, "changed, not committed");
    }
  // That it is new makes a suspect more of one, and nobody to one.
  const bool nobody = suspects.empty();
  std::vector<std::pair<int, std::string>> by_age;
  for (const auto& [path, ago] : leads.changes.ago)
    if (IsOwnSource(path) && (nobody || suspects.Has(path))) by_age.emplace_back(ago, path);
  std::sort(by_age.begin(), by_age.end());
  if (nobody && by_age.size() > kMaxOnlyChanged) by_age.resize(kMaxOnlyChanged);
  for (const auto& [ago, path] : by_age)
    suspects.Add(path, 0, "", ago == 0 ? 14 : std::max(2.0, 10.0 - ago), ago == 0 ? "the last commit changed it" : "changed " + std::to_string(ago) + (ago == 1 ? " commit ago" : " commits ago"));
  return suspects;
}

}  // namespace paddock::subagents

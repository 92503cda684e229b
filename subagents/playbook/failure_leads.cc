#include "subagents/playbook/failure_leads.h"

#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/called_names.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/logged_files.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxHits = 200, kMaxTests = 24, kMaxCalled = 200;
constexpr int64_t kTestReach = 60;    // lines of a test above its check
constexpr int64_t kFunctionReach = 200;
constexpr size_t kMaxHelpers = 400, kMaxHelperNames = 20;
constexpr int64_t kHelperLength = 60;  // lines
constexpr int kHelperDepth = 2;
constexpr double kHelpersShare = 0.9;
constexpr int64_t kTestLength = 60;   // where the check's line isn't known

bool IsCheck(const std::string& name);

// "pkg/mod::tests::name", "Suite.name", "TestX/case", "outer › inner" → the part that stands in the source.
std::string SourceName(std::string name) {
  if (IsCheck(name)) return name;
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

// A place of the trace, or of another one of the same test or of a subtest of it, is known.
bool HasFrame(const LogFacts& log, const std::vector<Hit>& hits, size_t trace) {
  const std::string& test = log.traces[trace].test;
  return std::any_of(hits.begin(), hits.end(), [&](const Hit& hit) { return hit.line > 0 && (hit.trace == trace || (hit.is_test && !test.empty() && (log.traces[hit.trace].test == test || log.traces[hit.trace].test.starts_with(test + "/")))); });
}

// A check as it is written, and no test's name: "is_gap(c) == 1".
bool IsCheck(const std::string& name) { return name.find('(') != name.npos || name.find(" == ") != name.npos || name.find(" != ") != name.npos; }

// As a whole word, where it begins and ends as one.
bool StandsIn(const std::string& line, const std::string& name) {
  const auto word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  for (size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    const size_t end = at + name.size();
    if (!(at > 0 && word(line[at - 1]) && word(name.front())) && !(end < line.size() && word(line[end]) && word(name.back()))) return true;
  }
  return false;
}

std::vector<std::string> NamesOfTests(const LogFacts& log, const std::vector<Hit>& hits) {
  std::vector<std::string> names;
  for (size_t i = 0; i < log.traces.size() && names.size() < kMaxTests; ++i) {
    const Trace& trace = log.traces[i];
    if (trace.test.empty() || HasFrame(log, hits, i)) continue;
    std::string name = SourceName(trace.test);
    if (name.size() >= 3 && name.size() <= 160 && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
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
    if (trace.test.empty() || HasFrame(log, hits, i)) continue;
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
        if (!StandsIn(line.text, name)) continue;
        else if (IsCheck(name)) add({path, name, BeginOfTest(view, path, number, kTestReach), number, true});
        else add({path, name, number, number + kTestLength, true});
    }
  // A file as such where nothing of it is said more closely: else its other tests, which passed, would accuse what they call.
  for (const std::string& path : FilesOfTests(log, hits, view))
    if (const SeenLines* lines = view.LinesOf(path); lines && IsTestPath(path) && std::none_of(ranges.begin(), ranges.end(), [&](const TestRange& range) { return range.path == path; })) add({path, std::string(BaseName(path)), lines->begin()->first, lines->rbegin()->first});
  return ranges;
}

namespace {

struct Helper {
  std::string path;
  int64_t first = 0, last = 0;  // of its body, as far as it was seen
};

// Functions that stand among the tests, by name.
std::map<std::string, Helper> HelpersOf(const RepoView& view) {
  std::map<std::string, Helper> helpers;
  for (const std::string& path : view.ReadFiles()) {
    if (!IsTestPath(path)) continue;
    const SeenLines& lines = *view.LinesOf(path);
    for (const auto& [number, line] : lines) {
      const auto defined = DefinedHere(path, line.text);
      if (!defined || (defined->kind != "function" && defined->kind != "macro")) continue;
      if (helpers.size() < kMaxHelpers) helpers.try_emplace(defined->name, Helper{path, number + 1, std::min(EndOfBody(lines, number), number + kHelperLength)});
    }
  }
  return helpers;
}

}  // namespace

std::set<std::string> HelpersCalled(const std::vector<TestRange>& tests, const RepoView& view) {
  std::set<std::string> names;
  for (const TestRange& test : tests)
    if (const SeenLines* lines = view.LinesOf(test.path))
      for (auto at = lines->lower_bound(test.first); at != lines->end() && at->first <= test.last; ++at)
        for (const std::string& name : AllNamesCalled(at->second.text)) {
          const auto plain = NamesCalled(name + "(");
          if (plain.empty() && name.size() > 6 && names.size() < kMaxHelperNames) names.insert(name);
        }
  return names;
}

CalledNames CalledByTests(const std::vector<TestRange>& tests, const RepoView& view) {
  CalledNames called;
  const auto helpers = HelpersOf(view);
  for (const TestRange& test : tests) {
    const auto add = [&](const std::string& name, double near) {
      if (called.size() >= kMaxCalled && !called.contains(name)) return;
      Called& one = called[name];
      if (near > one.near) one.near = near, one.first_by = Where(test.path, test.last);
      one.by.insert(test.name.empty() ? Where(test.path, test.first) : test.name);
      one.files.insert(test.path);
    };
    for (const auto& [name, near] : CalledBefore(view, test.path, test.first, test.last)) add(name, near);
    // What a helper of the tests calls, the test calls.
    std::vector<Helper> open{{test.path, test.first, test.last}};
    std::set<std::string> known;
    for (int depth = 0; depth < kHelperDepth; ++depth) {
      std::vector<Helper> next;
      for (const Helper& one : open) {
        const SeenLines* lines = view.LinesOf(one.path);
        if (lines == nullptr) continue;
        for (auto at = lines->lower_bound(one.first); at != lines->end() && at->first <= one.last; ++at)
          for (const std::string& name : AllNamesCalled(at->second.text)) {
            const auto helper = helpers.find(name);
            // The test itself is one of the functions there.
            if (helper == helpers.end() || !known.insert(name).second || (helper->second.path == test.path && helper->second.first >= test.first && helper->second.first <= test.last + 1)) continue;
            next.push_back(helper->second);
            for (const auto& [callee, near] : CalledBefore(view, helper->second.path, helper->second.first, helper->second.last)) add(callee, kHelpersShare * near);
          }
      }
      open = std::move(next);
    }
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

}  // namespace paddock::subagents

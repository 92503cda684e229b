#include "subagents/playbook/failure_leads.h"

#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/called_names.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/logged_files.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxHits = 200, kMaxUnclear = 8, kMaxTests = 24, kMaxCalled = 200;
constexpr int64_t kTestReach = 60;    // lines of a test above its check
constexpr size_t kMaxHelpers = 400, kMaxHelperNames = 20;
constexpr int64_t kHelperLength = 60;  // lines
constexpr int kHelperDepth = 2;
constexpr double kHelpersShare = 0.9;
constexpr int64_t kTestLength = 60;   // where the check's line isn't known, at most
constexpr size_t kMaxSites = 8;       // of a name

bool IsCheck(const std::string& name);

// "pkg/mod::tests::name", "Suite.name", "TestX/case", "outer › inner" → the part that stands in the source.
std::string SourceName(std::string name) {
  if (MatchesWhole(name, R"([\w.:]+\[.*\])")) name.erase(name.find('['));  // pytest's parameters
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

std::string Where(const std::string& path, int64_t line) { return path + ":" + std::to_string(line); }

// Of one that is only known by its name, in this line: what begins there; else the lines of the function around it, as far as the name.
TestRange RangeOfName(const RepoView& view, const std::string& path, int64_t line, const std::string& name) {
  const int64_t length = SeenLinesOfBody(view, path, line);
  std::string function;
  if (length == 0 && !MayBeginTest(view, path, line)) {
    const int64_t begin = BeginOfFunction(view, path, line, &function);
    return {path, name, begin > 0 ? begin : line, line, true};
  }
  return {path, name, line, line + std::min(length > 0 ? length - 1 : kTestLength, kTestLength), true};
}

// A framework for tests that lies among them as one file: what it calls is its own.
bool IsFramework(std::string_view path) {
  return MatchesWhole(BaseName(path), R"((?i)(catch|catch2|catch_amalgamated|doctest|gtest|gtest-all|gmock|munit|minunit|greatest|utest|acutest|unity|snitch\w*|tap)\.(h|hh|hpp|c|cc|cpp))");
}

// Files that the log names beside the test, without a line.
std::set<std::string> FilesSaid(const LogFacts& log, const std::vector<Hit>& hits, const std::string& name) {
  std::set<std::string> files;
  for (const Hit& hit : hits)
    if (hit.line == 0 && SourceName(log.traces[hit.trace].test) == name) files.insert(hit.path);
  return files;
}

// Where tests of this name begin. A title of several words may stand anywhere else; of one word that is another thing of that name.
std::vector<std::pair<std::string, int64_t>> PlacesOfTest(const std::string& name, const std::set<std::string>& files, const RepoView& view) {
  std::vector<std::pair<std::string, int64_t>> begins, others;
  for (const std::string& path : view.ReadFiles()) {
    if (!IsTestPath(path) || IsFramework(path) || (!files.empty() && !files.contains(path))) continue;
    for (const auto& [number, line] : *view.LinesOf(path))
      if (StandsIn(line.text, name)) (BeginsTestNamed(path, line.text, name) ? begins : others).emplace_back(path, number);
  }
  return begins.empty() && !MatchesWhole(name, R"(\w+)") ? others : begins;
}

// Of a stack those frames that what caught the failure added: in Go they stand above the panic's own.
size_t FramesOfCatcher(const Trace& trace) {
  for (size_t i = trace.frames.size(); i-- > 0;)
    if (MatchesPart(trace.frames[i].file, R"((^|/)runtime/(panic|signal_\w+)\.go$)")) return i + 1;
  return 0;
}

}  // namespace

bool IsTestHelper(std::string_view path) {
  if (MatchesPart(path, R"((^|/)tests?/(.*/)?test_\w+\.py$)")) return false;  // tests of helpers, by pytest's own names
  return MatchesPart(path, R"((?i)(^|/)(test|testing|tests)[_-]?(utils?|utilities|helpers?|support|kit|lib|fixtures?|base)(/|\.\w+$))");
}

std::vector<Hit> HitsOf(const LogFacts& log, const RepoView& view, std::vector<UnclearFile>* unclear) {
  const LoggedFiles files(view, log);
  unclear->clear();
  std::vector<Hit> hits;
  for (size_t i = 0; i < log.traces.size(); ++i) {
    size_t depth = 0;
    const size_t caught = FramesOfCatcher(log.traces[i]);
    for (size_t n = 0; n < log.traces[i].frames.size(); ++n) {
      const Frame& frame = log.traces[i].frames[n];
      if (hits.size() >= kMaxHits) return hits;
      std::vector<std::string> several;
      const std::string path = files.Find(log.traces[i], frame, &several);
      if (!several.empty() && unclear->size() < kMaxUnclear && std::none_of(unclear->begin(), unclear->end(), [&](const UnclearFile& one) { return one.name == frame.file; })) unclear->push_back({frame.file, frame.line, several});
      if (path.empty()) continue;
      Hit hit{i, depth, path, frame.line, frame.function, IsTestPath(path), n < caught || IsTestHelper(path)};
      if (!hit.is_test && !hit.is_aside && IsOwnSource(path)) ++depth;
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
  for (const std::string& name : NamesOfTests(log, hits)) {
    const auto places = PlacesOfTest(name, FilesSaid(log, hits, name), view);
    for (const auto& [path, number] : places) {
      TestRange range = IsCheck(name) ? TestRange{path, name, BeginOfTest(view, path, number, kTestReach), number, true} : RangeOfName(view, path, number, name);
      range.is_one_of_many = places.size() > 1;
      add(std::move(range));
    }
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
    if (!IsTestPath(path) || IsFramework(path)) continue;
    const SeenLines& lines = *view.LinesOf(path);
    for (const auto& [number, line] : lines) {
      const auto defined = DefinedHere(path, line.text);
      if (!defined || (defined->kind != "function" && defined->kind != "macro") || IsOnlyDeclared(lines, number) == true) continue;
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
    const auto add = [&](const std::string& name, const std::string& path, NearCall call) {
      if (called.size() >= kMaxCalled && !called.contains(name)) return;
      Called& one = called[name];
      one.near = std::max(one.near, call.near);
      one.by.insert(test.name.empty() ? Where(test.path, test.first) : test.name);
      one.files.insert(test.path);
      if (one.sites.size() < kMaxSites) one.sites.push_back({path, call.line, call.near, ""});
    };
    for (const auto& [name, call] : CalledBefore(view, test.path, test.first, test.last)) add(name, test.path, call);
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
            for (const auto& [callee, call] : CalledBefore(view, helper->second.path, helper->second.first, helper->second.last)) add(callee, helper->second.path, {kHelpersShare * call.near, call.line});
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

}  // namespace paddock::subagents

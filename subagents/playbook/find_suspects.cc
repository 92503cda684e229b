// Which files may be at fault: what the log, the failing tests' calls and names, the goal and the last changes say, each with its weight.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "subagents/playbook/changed_suspects.h"
#include "subagents/playbook/code_lines.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/environment.h"
#include "subagents/playbook/failure_leads.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kMaxFailing = 100'000;

// Does a word of the text begin with the stem? "goTable" has "tabl", "notably" hasn't.
bool HasStem(const std::string& text, const std::string& stem) {
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto big = [](char c) { return c >= 'A' && c <= 'Z'; };
  const std::string lower = Lower(text);
  for (size_t at = lower.find(stem); at != lower.npos; at = lower.find(stem, at + 1))
    if (at == 0 || !(small(text[at - 1]) || big(text[at - 1])) || (small(text[at - 1]) && big(text[at]))) return true;
  return false;
}

// Of many files of tests that fail, what only one of them leads to explains little of it.
double ShareOf(size_t files, size_t all) { return all < 3 ? 1 : 0.5 + 0.5 * std::sqrt(static_cast<double>(std::min(files, all)) / static_cast<double>(all)); }

// A frame of the tests says where a check stands, if it is the deepest one there is.
std::string FrameOfTests(const FailureLeads& leads, const Hit& hit) {
  const Trace& trace = leads.log.traces[hit.trace];
  const bool deepest = std::none_of(leads.hits.begin(), leads.hits.end(), [&](const Hit& other) { return other.trace == hit.trace && &other < &hit; });
  if (hit.line < 1) return "a test that fails stands in this file";
  if (hit.is_aside) return "a helper of the tests, through which the failure was seen";
  const std::string line = std::to_string(hit.line);
  if (trace.kind == TraceKind::kTest) return "the failing test begins in line " + line;
  return trace.kind == TraceKind::kAssertion && deepest && trace.frames.size() > 0 ? "the failing check stands in line " + line : "line " + line + " is a frame of the failing test";
}

void AddFrames(const FailureLeads& leads, Suspects* suspects) {
  for (const Hit& hit : leads.hits) {
    const Trace& trace = leads.log.traces[hit.trace];
    const std::string what = " (" + trace.format + (trace.message.empty() ? "" : ": " + std::string(TruncateUtf8(trace.message, 160))) + ")";
    const double depth = static_cast<double>(hit.depth), order = static_cast<double>(std::min<size_t>(hit.trace, 5));
    if (hit.is_test || hit.is_aside) suspects->Add(hit.path, hit.line, hit.function, hit.is_test ? 18 : 12, FrameOfTests(leads, hit) + what);
    else if (trace.kind == TraceKind::kWeak || !IsOwnSource(hit.path)) suspects->Add(hit.path, hit.line, hit.function, IsOwnSource(hit.path) ? 40 : 12, "the log names it" + what);
    else if (trace.kind == TraceKind::kCompile) suspects->Add(hit.path, hit.line, hit.function, 120 - 8 * order, "the compiler stopped here" + what);
    else suspects->Add(hit.path, hit.line, hit.function, std::max(30.0, 100 - 14 * depth), (hit.depth == 0 ? "the deepest frame of this project" : "a frame of this project") + what);
  }
}

// What makes or asks an object is called before what fails, mostly: options, constructors, what gets and sets.
bool IsOfSetup(const std::string& name) { return MatchesPart(name, R"(^(With|New|Make|Create|Set|Get|Is|Has|Add|Use)[A-Z]|^(with|new|make|create|set|get|is|has|add|use)(_|[A-Z])|^New$|Option$|_options?$)"); }

// In the lines of a test that failed, or elsewhere? What its helpers call it calls as well, but they stand elsewhere.
std::string WhoCalls(const FailureLeads& leads, const CallSite& site) {
  const auto test = std::find_if(leads.tests.begin(), leads.tests.end(), [&](const TestRange& one) { return one.path == site.path && site.line >= one.first && site.line <= one.last; });
  return test == leads.tests.end() ? "a helper among the tests" : test->is_one_of_many ? "a test of the failing one's name" : "the failing test";
}

const char* DefinedOrDeclared(const DefinitionPlace& place) { return place.is_declared ? "declared" : "defined"; }

std::string WordsOfLink(const FailureLeads& leads, const std::string& name, const DefinitionPlace& place, bool direct) {
  const std::string where = " (" + place.site.path + ":" + std::to_string(place.site.line) + ")";
  const std::string by = !direct ? "`" + place.site.caller + "`" : WhoCalls(leads, place.site);
  if (place.link == Link::kCall) return "`" + name + "` is called by " + by + where;
  return "the name `" + name + "` stands in " + by + where + ", and one is " + DefinedOrDeclared(place) + " in line " + std::to_string(place.line);
}

void AddCalled(const FailureLeads& leads, const RepoView& view, const CalledNames& names, bool direct, Suspects* suspects) {
  std::set<std::string> failing;
  for (const TestRange& test : leads.tests) failing.insert(test.path);
  for (const auto& [name, places] : LinkedDefinitions(names, view)) {
    const Called& called = names.at(name);
    const double alike = std::sqrt(static_cast<double>(places.size())) / (direct ? ShareOf(called.files.size(), failing.size()) : 1), often = static_cast<double>(std::min<size_t>(called.by.size(), 6) - 1);
    for (const DefinitionPlace& place : places) {
      if (place.link != Link::kCall && MatchesWhole(name, R"(__\w+__)")) continue;  // every class may have one
      const double sure = (place.link == Link::kCall ? 1 : 0.7) * (direct && IsOfSetup(name) && place.site.near < 1 ? 0.6 : 1);
      const double points = direct ? 30 + 30 * place.site.near + 5 * often : 14 + 10 * place.site.near + 3 * often;
      suspects->Add(place.path, place.line, name, sure * points / alike, WordsOfLink(leads, name, place, direct));
      if (!direct) continue;
      auto words = WordsOfName(name);
      // Where many have one of that name, the test's name has that of its file as well.
      if (place.link != Link::kCall)
        for (std::string& word : WordsOfName(TestedStem(place.path))) words.push_back(std::move(word));
      std::set<std::string> tests = called.by;
      tests.insert(called.files.begin(), called.files.end());
      for (const std::string& test : tests) {
        const auto of_test = WordsOfName(test);
        if (!words.empty() && std::all_of(words.begin(), words.end(), [&](const std::string& word) { return std::find(of_test.begin(), of_test.end(), word) != of_test.end(); })) {
          suspects->Add(place.path, place.line, name, 24 * sure / alike, "the failing test is named after `" + name + "`");
          break;
        }
      }
    }
  }
}

void AddNamedAsTests(const FailureLeads& leads, const RepoView& view, Suspects* suspects) {
  // By name, the more so the more of a file's tests fail; "test_utils/test_a.py" is about utils as well.
  std::map<std::string, std::set<std::string>> stems;  // → its tests
  for (const TestRange& test : leads.tests) {
    // A test that is only known by its name may stand in several places, and one whose checks fail may be named or not.
    const std::string one = test.by_name ? test.name.substr(0, test.name.find('/')) : test.path + ":" + std::to_string(test.first);
    stems[TestedStem(test.path)].insert(one);
    const std::string_view folder = FolderName(test.path);
    if (!folder.empty() && TestedStem(folder) != BaseName(folder)) stems[TestedStem(folder)].insert(one);
  }
  for (const std::string& path : view.files()) {
    const auto found = stems.find(TestedStem(path));
    // Files that every folder may have are named after nothing.
    if (found == stems.end() || !IsOwnSource(path) || MatchesPart(BaseName(path), R"(^(__init__|__main__|index|main|mod)\.)")) continue;
    int count = static_cast<int>(found->second.size());
    // All of them where the runner counts and there is but one such file, and no more than there are.
    const int64_t all = CountOfFailures(leads.log);
    const bool counted = leads.log.failed_tests >= 0 && stems.size() == 1;
    if (counted || count > all) count = static_cast<int>(std::max<int64_t>(1, std::min<int64_t>(all, kMaxFailing)));
    suspects->Add(path, 0, "", (36 + 5 * std::min(count - 1, 8)) * (stems.size() < 3 ? 1 : ShareOf(static_cast<size_t>(count), leads.tests.size())),
                  "it is named as the failing test's file is" + (counted && count > 1 ? ", of which " + std::to_string(count) + " tests fail" : std::string()));
  }
}

void AddOfGoal(const FailureLeads& leads, const RepoView& view, Suspects* suspects) {
  // Of the goal's words what defines them.
  CalledNames wanted, plain;
  for (const GoalName& name : leads.goal.names)
    for (const std::string& spelling : name.spellings) wanted[spelling].near = 1;
  for (const auto& [name, places] : DefinitionsOf(wanted, view))
    for (const DefinitionPlace& place : places) suspects->Add(place.path, place.line, name, leads.log.traces.empty() ? 90 : 45, "the goal names `" + name + "`");
  for (const std::string& word : leads.goal.words)
    if (!wanted.contains(word)) plain[word].near = 1;
  if (leads.log.traces.empty())
    for (const auto& [name, places] : DefinitionsOf(plain, view))
      for (const DefinitionPlace& place : places) suspects->Add(place.path, place.line, name, 35 / std::sqrt(static_cast<double>(places.size())), "the goal has the word `" + name + "`, which is " + DefinedOrDeclared(place) + " in line " + std::to_string(place.line));
  for (const GoalName& name : leads.goal.names)
    for (const std::string& path : view.files())
      if (IsOwnSource(path) && (path == name.name || BaseName(path) == name.name)) suspects->Add(path, 0, "", 40, "the goal names it");
  if (leads.hits.empty() && leads.tests.empty() && !OnlyLacks(leads.log))
    for (const std::string& path : view.ReadFiles()) {
      if (!IsOwnSource(path)) continue;
      const SeenLines& lines = *view.LinesOf(path);
      for (const int64_t number : WorkingLines(path, lines))
        for (const std::string& stem : leads.goal.stems)
          if (const std::string& text = lines.at(number).text; IsTelling(leads.goal, stem) && HasStem(text, stem)) {
            const auto defined = DefinedOn(path, text);
            suspects->Add(path, number, defined ? defined->name : "", defined ? 16 : 8, "the symptom's word \"" + stem + "\" stands there");
          }
    }
}

}  // namespace

Suspects FindSuspects(const FailureLeads& leads, const RepoView& view) {
  Suspects suspects;
  AddFrames(leads, &suspects);
  AddCalled(leads, view, leads.called, true, &suspects);
  AddCalled(leads, view, leads.further, false, &suspects);
  AddNamedAsTests(leads, view, &suspects);
  AddOfGoal(leads, view, &suspects);
  if (OnlyLacks(leads.log)) return suspects;
  leads.compared.AddTo(view, &suspects);
  AddChanged(leads, view, &suspects);
  return suspects;
}

}  // namespace paddock::subagents

#include "subagents/playbook/changed_suspects.h"

#include <algorithm>
#include <cmath>

#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxOnlyChanged = 3;
constexpr int kMaxChanges = 6;  // commits that changed code

// How near to the failing tests a change of code is.
enum class Nearness { kFunction, kFile, kImports, kUnknown, kApart };

class Reached {
 public:
  Reached(const FailureLeads& leads, const RepoView& view, const Suspects& suspects) : leads_(leads), view_(view), suspects_(suspects) {
    for (const TestRange& test : leads.tests) tests_.insert(test.path);
    for (const Hit& hit : leads.hits) logged_.insert(hit.path);
    starts_ = tests_;
    starts_.insert(logged_.begin(), logged_.end());
    for (const std::string& path : starts_) families_.insert(LanguageFamily(LanguageOf(path)));
    somewhere_ = !starts_.empty();
    for (const std::string& path : suspects.Paths()) starts_.insert(path);
  }

  // What leads there by imports, of the tests and the log's files themselves and not of what else is suspected.
  std::string WayTo(const std::string& path) const {
    if (Leads(tests_, path)) return ", which the failing test reaches by its imports";
    return Leads(logged_, path) && !logged_.contains(path) ? ", which a file that the log names reaches by its imports" : "";
  }

  Nearness Of(const std::string& path, const std::string& function) const {
    if (!function.empty() && suspects_.Has(path, function)) return Nearness::kFunction;
    if (suspects_.Has(path)) return Nearness::kFile;
    if (!somewhere_) return Nearness::kUnknown;
    const auto [known, fresh] = by_imports_.try_emplace(path);
    if (fresh) known->second = leads_.reach.Reaches(starts_, path, view_);
    const auto reached = known->second;
    if (reached == ImportReach::Answer::kYes) return Nearness::kImports;
    // That no import leads there says little where modules can be loaded by a name that is made at run time, and of tests in another language nothing.
    const std::string language = LanguageOf(path);
    return reached == ImportReach::Answer::kUnknown || MatchesWhole(language, "Python|JavaScript|TypeScript|Ruby|PHP|Perl|Lua") || families_ != std::set<std::string>{LanguageFamily(language)} ? Nearness::kUnknown : Nearness::kApart;
  }

 private:
  bool Leads(const std::set<std::string>& from, const std::string& path) const { return leads_.reach.Reaches(from, path, view_) == ImportReach::Answer::kYes; }

  const FailureLeads& leads_;
  const RepoView& view_;
  const Suspects suspects_;  // as they were before
  std::set<std::string> tests_, logged_, starts_, families_;
  mutable std::map<std::string, ImportReach::Answer> by_imports_;
  bool somewhere_ = false;
};

double WeightOf(Nearness near) {
  switch (near) {
    case Nearness::kFunction: return 105;
    case Nearness::kFile: return 90;
    case Nearness::kImports: return 85;
    case Nearness::kUnknown: return 60;
    case Nearness::kApart: return 50;  // what is linked, registered or loaded by a name is reached without an import
  }
  return 0;
}

// The one of these lines that is nearest to the failing tests, and its function.
struct Place {
  int64_t line = 0;
  std::string function;
  Nearness near = Nearness::kApart;
};
Place NearestOf(const std::vector<int64_t>& lines, const std::string& path, const Reached& reached, const RepoView& view) {
  Place best;
  for (const int64_t line : lines) {
    Place one{line, "", Nearness::kApart};
    BeginOfFunction(view, path, line, &one.function);
    one.near = reached.Of(path, one.function);
    if (best.line == 0 || one.near < best.near) best = one;
  }
  return best;
}

std::string WordsOfChange(const CodeChange& change, int64_t line) {
  const auto among = [line](const std::vector<int64_t>& lines) { return std::find(lines.begin(), lines.end(), line) != lines.end(); };
  const std::string number = std::to_string(line);
  if (among(change.gone)) return ", removed lines before line " + number + " of this file";
  if (among(change.behind)) return std::string(change.only_adds ? ", changed" : ", removed or changed") + " lines behind line " + number + " of this file";
  return ", changed code of this file " + (among(change.again) ? "where line " + number + " is now, which was changed again since" : "in line " + number);
}

// Of each commit, how many files that it changed the failing tests reach.
std::map<int, int> OnTheWay(const FailureLeads& leads, const Reached& reached, const RepoView& view) {
  std::map<int, int> count;
  for (const auto& [path, changes] : leads.changes.code)
    for (const CodeChange& change : changes) count[change.order] += NearestOf(change.lines, path, reached, view).near <= Nearness::kImports ? 1 : 0;
  for (auto& [order, files] : count) files = std::max(files, 1);
  return count;
}

// What was changed lately and the failing tests reach: most of what fails was broken by one of the last changes, and what isn't
// committed yet is the last one.
void AddRecentCode(const FailureLeads& leads, const RepoView& view, std::set<std::string>* apart, Suspects* suspects) {
  const Reached reached(leads, view, *suspects);
  bool at_work = false;
  for (const auto& [path, lines] : leads.changes.uncommitted) {
    if (!IsOwnSource(path)) continue;
    const Place nearest = NearestOf(lines, path, reached, view);
    at_work = at_work || nearest.near <= Nearness::kImports;
    if (nearest.near == Nearness::kApart) apart->insert(path);
    for (const int64_t line : lines) {
      std::string function;
      BeginOfFunction(view, path, line, &function);
      const Nearness near = reached.Of(path, function);
      suspects->Add(path, line, function, (line == nearest.line ? 1.3 : 1.2) * WeightOf(near), "changed, not committed");
    }
  }
  if (leads.log.traces.empty()) return;
  std::map<int, int> place;  // order of a commit → among those that changed code
  for (const auto& [path, changes] : leads.changes.code)
    for (const CodeChange& change : changes) place[change.order] = 0;
  int next = 0;
  for (auto& [order, at] : place) at = next++;
  const std::map<int, int> on_the_way = OnTheWay(leads, reached, view);
  for (const auto& [path, changes] : leads.changes.code)
    for (const CodeChange& change : changes) {
      if (place[change.order] >= kMaxChanges) continue;
      const bool telling = change.kind == ChangeKind::kTelling, idle = change.kind == ChangeKind::kIdle;
      const Place nearest = NearestOf(telling ? change.telling : change.lines, path, reached, view);
      if (nearest.near == Nearness::kApart) apart->insert(path);
      // What only adds breaks less often what there was, and of many files each is the less likely.
      // The newest commit's count among themselves where the test reaches them: most of what it changed does nothing for this test.
      const bool newest = place[change.order] == 0 && nearest.near <= Nearness::kImports;
      const int files = newest ? std::min(change.files, on_the_way.at(change.order)) : change.files;
      const double weight = WeightOf(nearest.near) * (newest && leads.passed_before ? 1.3 : 1) * (at_work ? 0.6 : 1) * (change.only_adds ? 0.85 : 1) * (IsSidePath(path) ? 0.5 : 1) / std::sqrt(std::max(1.0, files / 2.0));
      // What can do much is suspect for longer.
      suspects->Add(path, nearest.line, nearest.function, weight * (change.only_text ? 0.5 : idle ? 0.3 : 1) * std::pow(telling ? 0.95 : 0.75, place[change.order]),
                    "commit " + change.commit + ", " + leads.changes.AgeOf(change.order) + WordsOfChange(change, nearest.line) + " (" + change.subject + ")" + (nearest.near == Nearness::kImports ? reached.WayTo(path) : ""));
    }
}

// That it is new makes a suspect more of one, and nobody to one.
void AddAge(const FailureLeads& leads, Suspects* suspects) {
  const bool nobody = suspects->empty();
  std::vector<std::pair<int, std::string>> by_age;
  for (const auto& [path, ago] : leads.changes.ago)
    if (IsOwnSource(path) && (nobody || suspects->Has(path))) by_age.emplace_back(ago, path);
  std::sort(by_age.begin(), by_age.end());
  if (nobody && by_age.size() > kMaxOnlyChanged) by_age.resize(kMaxOnlyChanged);
  for (const auto& [ago, path] : by_age) {
    const auto code = leads.changes.code.find(path);
    const bool told = code != leads.changes.code.end() && std::any_of(code->second.begin(), code->second.end(), [&](const CodeChange& change) { return change.order == ago; });
    const std::string commit = leads.changes.commits[static_cast<size_t>(ago)].substr(0, 12);
    suspects->Add(path, 0, "", ago == 0 ? 14 : std::max(2.0, 10.0 - ago), told && !nobody ? "" : "its last change of any kind: commit " + commit + ", " + leads.changes.AgeOf(ago));
  }
}

// What no way leads to comes behind the failing test's own line, unless there is nobody else.
void SetApart(const FailureLeads& leads, const std::set<std::string>& apart, Suspects* suspects) {
  const auto paths = suspects->Paths();
  if (std::none_of(paths.begin(), paths.end(), [&](const std::string& path) { return IsOwnSource(path) && !IsTestPath(path) && !apart.contains(path); })) return;
  std::set<std::string> tests;
  for (const Hit& hit : leads.hits)
    if (hit.is_test && hit.line > 0 && !hit.is_aside) tests.insert(hit.path);
  for (const std::string& path : apart) suspects->PutBehind(path, tests);
}

}  // namespace

bool SaysItPassedBefore(std::string_view goal) {
  return MatchesPart(goal, R"((?i)\b(since|after|with|by|in)\s+(the|my|our|this|that|a)?\s*(very\s+)?(last|latest|newest|recent|previous)\s+(commit|change|merge|pull)|\b(passed|worked|was\s+(fine|green))\s+(before|until|yesterday)|\bused\s+to\s+(pass|work)|\bregress|\bbisect|\bstopped\s+(working|passing)|\bno\s+longer\s+(pass|work)|\b(which|what|recent)\s+(commit|change)\b)");
}

void AddChanged(const FailureLeads& leads, const RepoView& view, Suspects* suspects) {
  std::set<std::string> apart;
  AddRecentCode(leads, view, &apart, suspects);
  AddAge(leads, suspects);
  SetApart(leads, apart, suspects);
}

}  // namespace paddock::subagents

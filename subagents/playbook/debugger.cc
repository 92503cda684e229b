// The debugger: from a log (given, or a file that the goal names, or the goal's words) to places, from tests to what they call, from there to suspects. With no log it finds
// out how the tests are run, and asks for that.
#include <algorithm>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/changed_suspects.h"
#include "subagents/playbook/debugger_report.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/definition_searches.h"
#include "subagents/playbook/empty_submodules.h"
#include "subagents/playbook/environment.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/log_files.h"
#include "subagents/playbook/logged_files.h"
#include "subagents/playbook/paced.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/survey.h"
#include "subagents/playbook/symbols.h"
#include "subagents/playbook/test_command.h"

namespace paddock::subagents {
namespace {

constexpr size_t kNamesInSearch = 10;
constexpr int64_t kTurnsForCommands = 6, kFunctionLines = 200;
constexpr size_t kMostBlamed = 3, kCommitsShown = 12, kTestFilesRead = 6, kSuspectsRead = 8;
constexpr int64_t kTestFileLines = 400, kFunctionOfTests = 40, kLinesAbove = 30, kImportsAbove = 150;

class Debugger : public PacedPlaybook {
  enum class Step { kBegin, kLogs, kLogEnds, kLogRest, kReadLogs, kCommands, kPlaces, kTests, kHelpers, kCalls, kBodies, kFurther, kSuspects, kBlame, kDone };

  void Take(const agentcore::CallOutcome& outcome) override {
    leads_.changes.Take(outcome);
    leads_.reach.Take(outcome);
    leads_.compared.Take(outcome);
    logs_.Take(outcome);
  }

  void Plan(const ModelRequestFrame& request) override {
    if (step_ == Step::kBegin) Begin(request);
    // A report of its own before the last turn is worth more than one more look.
    if (request.turn + 3 >= request.max_turns && step_ < Step::kSuspects) SkipTo(Step::kSuspects);
    if (request.turn + 1 >= request.max_turns) {
      hasty_ = hasty_ || !queue_.empty();
      (void)queue_.Take(SIZE_MAX);
      SkipTo(Step::kDone);
    }
    while (queue_.empty() && step_ != Step::kDone) {
      if (step_ == Step::kCommands) {
        // The turns are those of the leg with the log as well; what the words of the goal lead to is looked at beside it.
        if (may_ask_ && request.turn < kTurnsForCommands) survey_.Next(view_, &queue_);
        if (may_ask_ && !queue_.empty()) LookBeside(), survey_.AskForTests(view_, &queue_);
        if (!queue_.empty()) return;
        if (may_ask_ && !TestCommand(view_, goal_).empty()) {
          step_ = Step::kDone;
          return;
        }
      } else {
        Look(step_);
      }
      const bool hurry = (step_ == Step::kTests || step_ == Step::kHelpers || step_ == Step::kSuspects) && TurnsFrom(step_) > request.max_turns - request.turn;
      step_ = static_cast<Step>(static_cast<int>(step_) + 1);
      // Two steps in one turn: the second sees less, but the last ones are taken.
      if (hurry && !queue_.empty()) Look(step_), step_ = static_cast<Step>(static_cast<int>(step_) + 1);
    }
  }

  // Leaves steps out. Had they anything to ask, the report says that not all was looked at.
  void SkipTo(Step step) {
    const CallQueue asked = queue_;
    for (Step skipped = std::max(step_, Step::kPlaces); skipped < step && !hasty_; skipped = static_cast<Step>(static_cast<int>(skipped) + 1)) {
      Look(skipped);
      hasty_ = queue_.size() > asked.size();
    }
    queue_ = asked;
    step_ = step;
  }

  // Those that the step and all behind it take, with the report's.
  static int64_t TurnsFrom(Step step) { return static_cast<int64_t>(Step::kDone) - static_cast<int64_t>(step) + 1; }

  Report Write(const PlaybookRun& run) override {
    Follow();
    leads_.changes.Judge(view_);
    leads_.named_command = QuotedCommand(goal_);
    if (may_ask_) leads_.not_taken = NotTaken(view_, goal_);
    PlaybookRun whole = run;
    whole.cut_short = whole.cut_short || hasty_;
    return WriteDebuggerReport(leads_, view_, whole, may_ask_ ? TestCommand(view_, goal_) : "");
  }

  void Begin(const ModelRequestFrame& request) {
    leads_.log = ReadLog(request.context);
    leads_.log_given = !leads_.log.last_lines.empty();
    if (leads_.log.traces.empty()) {
      LogFacts of_goal = ReadLog(request.goal);
      leads_.log.traces = std::move(of_goal.traces);
    }
    leads_.goal = ReadGoal(request.goal);
    may_ask_ = request.may_ask_to_run && leads_.log.traces.empty() && leads_.log.lacks.empty() && leads_.log.exit_status < 0;
    goal_ = request.goal;
    leads_.passed_before = SaysItPassedBefore(goal_);
    queue_.Add("list_files", Json{{"limit", 2000}});
    queue_.Add("git_diff", Json::object());
    AskForSubmodules(&queue_);
    if (may_ask_) AskForBuildFolders(&queue_);
    step_ = Step::kLogs;
  }

  void FindLogs() {
    SetLacksAside(view_, &leads_.log);
    if (leads_.log.exit_status >= 0 || !leads_.log.traces.empty() || !leads_.log.lacks.empty()) return;
    logs_.Ask(LogsNamed(goal_, view_), &queue_);
  }

  void ReadLogs() {
    for (const std::string& path : logs_.paths())
      if (const size_t at = goal_.find(BaseName(path)); at != goal_.npos) goal_.erase(at, BaseName(path).size());
    const std::string text = logs_.Text(view_);
    if (text.empty()) return;
    leads_.log = ReadLog(text);
    leads_.log_given = leads_.log_given || !leads_.log.last_lines.empty();
    leads_.goal = ReadGoal(goal_);
    SetLacksAside(view_, &leads_.log);
    may_ask_ = may_ask_ && leads_.log.traces.empty() && leads_.log.lacks.empty();
  }

  // What has been seen so far, followed as far as it goes.
  void Follow() {
    leads_.hits = HitsOf(leads_.log, view_, &leads_.unclear);
    leads_.tests = TestRanges(leads_.log, leads_.hits, view_);
    leads_.called = CalledByTests(leads_.tests, view_);
    leads_.further = CalledByDefinitions(LinkedDefinitions(leads_.called, view_), leads_.called, view_);
  }

  void Look(Step step) {
    Follow();
    switch (step) {
      case Step::kLogs: return FindLogs();
      case Step::kLogEnds:
      case Step::kLogRest: return logs_.AskForEnds(view_, &queue_);
      case Step::kReadLogs: return ReadLogs();
      case Step::kPlaces: return LookAtPlaces();
      case Step::kTests: return LookAtTests();
      case Step::kHelpers: return LookAtHelpers();
      case Step::kCalls: return LookAtCalls();
      case Step::kBodies: return ReadBodies();
      case Step::kFurther: return SearchDefinitions(Foremost(leads_.further, 30));
      case Step::kSuspects: return LookAtSuspects();
      case Step::kBlame: return BlameSuspects();
      default: return;
    }
  }

  void LookAtPlaces() {
    size_t count = 0;
    for (const Hit& hit : leads_.hits) {
      if (hit.line < 1 || ++count > 10) continue;
      queue_.ReadFrom(hit.path, std::max<int64_t>(1, hit.line - (hit.is_test ? 60 : 30)), hit.is_test ? 70 : 50);
    }
    AskForUnclear(leads_.unclear, &queue_);
    for (const std::string& pattern : PatternsOfTests(leads_.log, leads_.hits)) queue_.Add("search_text", Json{{"pattern", pattern}, {"limit", 20}});
    for (const std::string& path : FilesOfTests(leads_.log, leads_.hits, view_)) queue_.Read(path, 400);
    // What a compiler or linker misses, by its name.
    for (const Trace& trace : leads_.log.traces)
      if (trace.kind == TraceKind::kCompile)
        if (auto name = FirstGroup(trace.message, R"([`'‘"](\w+)['’"(])")) queue_.Add("search_text", Json{{"pattern", DefinitionPattern(*name)}, {"limit", 20}});
    if (leads_.log.traces.empty()) SearchGoal();
    leads_.compared.Ask(leads_.log.differing, view_, &queue_);
    queue_.Add("git_log", Json{{"limit", 20}, {"changes", true}});
  }

  // In a turn that is taken anyway.
  void LookBeside() {
    Follow();
    leads_.changes.Judge(view_);
    SearchGoal();
    ReadSuspects(FindSuspects(leads_, view_).Ranked());
  }

  void SearchGoal() {
    SearchDefinitions(leads_.goal.words, 60);
    for (const GoalName& name : leads_.goal.names) {
      SearchDefinitions(name.spellings, 60);
      queue_.Add("search_text", Json{{"pattern", name.name}, {"literal", true}, {"limit", 40}});
    }
    for (const std::string& stem : leads_.goal.stems)
      if (IsTelling(leads_.goal, stem)) queue_.Add("search_text", Json{{"pattern", stem}, {"literal", true}, {"ignore_case", true}, {"limit", 40}});
  }

  // What was seen isn't read again from another line on.
  bool Seen(const std::string& path, int64_t first, int64_t last) const {
    const SeenLines* lines = view_.LinesOf(path);
    if (lines == nullptr) return false;
    for (int64_t n = first; n <= last; ++n)
      if (!lines->contains(n)) return false;
    return true;
  }

  void LookAtTests() {
    for (const TestRange& test : leads_.tests)
      if (!Seen(test.path, test.first, test.last)) queue_.ReadFrom(test.path, std::max<int64_t>(1, test.first - 5), std::min<int64_t>(test.last - test.first + 10, 200));
    // Helpers stand at their beginning, mostly.
    std::set<std::string> files;
    for (const TestRange& test : leads_.tests)
      if (IsTestPath(test.path) && files.size() < kTestFilesRead && files.insert(test.path).second) queue_.Read(test.path, kTestFileLines);
  }

  // The project's own checks, and what the last commits did.
  void LookAtHelpers() {
    const auto names = HelpersCalled(leads_.tests, view_);
    SearchDefinitions({names.begin(), names.end()});
    for (size_t i = 0; i < leads_.changes.commits.size() && i < kCommitsShown; ++i) queue_.Add("git_show", Json{{"commit", leads_.changes.commits[i]}, {"context", 1}});
    if (!leads_.changes.commits.empty()) leads_.reach.Ask(view_, &queue_);
  }

  void LookAtCalls() {
    leads_.changes.Ask(view_, &queue_);
    SearchDefinitions(Foremost(leads_.called, 40));
  }

  void SearchDefinitions(const std::vector<std::string>& names, int64_t limit = 120) {
    for (const auto& some : InPatterns(names, kNamesInSearch)) queue_.Add("search_text", Json{{"pattern", DefinitionPattern(AnyOf(some))}, {"limit", limit}});
  }

  void ReadBodies() {
    size_t count = 0;
    const auto definitions = DefinitionsOf(leads_.called, view_);
    for (const std::string& name : Foremost(leads_.called, 40))
      if (const auto found = definitions.find(name); found != definitions.end())
        for (const DefinitionPlace& place : found->second)
          if (!Seen(place.path, place.line, place.line + 40) && count++ < 14) {
            // With what is imported above it, where that is near.
            const int64_t first = place.line <= kImportsAbove ? 1 : place.line;
            queue_.ReadFrom(place.path, first, place.line - first + 70);
          }
    for (const std::string& name : HelpersCalled(leads_.tests, view_))
      for (const std::string& path : view_.ReadFiles())
        if (IsTestPath(path))
          for (const auto& [number, line] : *view_.LinesOf(path))
            if (const auto defined = DefinedOn(path, line.text); defined && defined->name == name && !Seen(path, number, number + 3)) queue_.ReadFrom(path, number, kFunctionOfTests);
  }

  // The first suspects whole enough to be cited, and who else uses them.
  void LookAtSuspects() {
    leads_.changes.Judge(view_);
    const auto ranked = FindSuspects(leads_, view_).Ranked();
    ReadSuspects(ranked);
    for (size_t i = 0; i < ranked.size() && i < 3; ++i)
      if (const Suspect& suspect = ranked[i]; suspect.function.size() > 2 && MatchesWhole(suspect.function, R"(\w+)"))
        queue_.Add("search_text", Json{{"pattern", "\\b" + suspect.function + "\\s*\\("}, {"limit", 30}});
  }

  void ReadSuspects(const std::vector<Suspect>& ranked) {
    for (size_t i = 0; i < ranked.size() && i < kSuspectsRead; ++i) {
      const Suspect& suspect = ranked[i];
      // With the beginning of its function, where that isn't known.
      const int64_t above = suspect.function.empty() ? kLinesAbove : 3;
      if (suspect.line > 0 && !Seen(suspect.path, suspect.line, suspect.line + 3)) queue_.ReadFrom(suspect.path, std::max<int64_t>(1, suspect.line - above), above + 37);
      // What is cited beside it.
      if (suspect.lines.size() > 1 && !Seen(suspect.path, suspect.lines[1], suspect.lines[1])) queue_.ReadFrom(suspect.path, std::max<int64_t>(1, suspect.lines[1] - 3), 20);
      if (suspect.line == 0 && view_.LinesOf(suspect.path) == nullptr) queue_.Read(suspect.path, 60);
      // What is cited of a file as such.
      if (const auto code = leads_.changes.code.find(suspect.path); suspect.line == 0 && code != leads_.changes.code.end() && !code->second.empty() && !code->second[0].lines.empty())
        if (const int64_t line = code->second[0].lines[0]; !Seen(suspect.path, line, line)) queue_.ReadFrom(suspect.path, std::max<int64_t>(1, line - 3), 20);
    }
  }

  // Who changed the first suspects' functions last.
  void BlameSuspects() {
    leads_.changes.Judge(view_);
    const auto ranked = FindSuspects(leads_, view_).Ranked();
    for (size_t i = 0; i < ranked.size() && i < kMostBlamed; ++i) {
      const Suspect& suspect = ranked[i];
      const SeenLines* lines = view_.LinesOf(suspect.path);
      if (suspect.line < 1 || lines == nullptr || leads_.changes.ago.empty()) continue;
      int64_t first = BeginOfFunction(view_, suspect.path, suspect.line, nullptr);
      if (first == 0) first = suspect.line;
      // BeginOfFunction reaches no further up, so that the suspect line is one of these.
      const int64_t last = std::min(std::max(EndOfBody(*lines, first), suspect.line), first + kFunctionLines);
      queue_.Add("git_blame", Json{{"path", suspect.path}, {"line_start", first}, {"line_end", last}});
    }
  }

  FailureLeads leads_;
  std::string goal_;
  LogFiles logs_;
  Survey survey_{2};
  Step step_ = Step::kBegin;
  bool may_ask_ = false;
  bool hasty_ = false;  // there was more to look at than turns
};

}  // namespace

std::unique_ptr<Playbook> MakeDebugger() { return std::make_unique<Debugger>(); }

}  // namespace paddock::subagents

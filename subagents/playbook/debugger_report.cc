#include "subagents/playbook/debugger_report.h"

#include <algorithm>
#include <cstdlib>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/environment.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/symbols.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxSuspects = 8, kMaxCallers = 6, kMaxPaths = 4, kMaxUnclear = 400, kAlwaysShown = 3, kMaxFailing = 4;

const char* WordOf(TraceKind kind) {
  switch (kind) {
    case TraceKind::kCrash: return "crash or exception";
    case TraceKind::kAssertion: return "failed check";
    case TraceKind::kCompile: return "compile error";
    case TraceKind::kTest: return "failed test";
    case TraceKind::kWeak: return "place";
  }
  return "?";
}

// Lines that were seen and call the function, but for those of its own definition: one more than are shown, where there are.
std::vector<std::string> CallersOf(const Suspect& suspect, const RepoView& view, CallLinks* links, std::string* function) {
  std::vector<std::string> callers;
  std::string& name = *function;
  const int64_t begin = BeginOfFunction(view, suspect.path, suspect.line, &name);
  if (begin == 0) return callers;
  CalledNames one;
  one[name];
  const Definitions defined = DefinitionsOf(one, view);
  const auto places = defined.find(name);
  const Callee callee{name, suspect.path, begin, places != defined.end() && std::count_if(places->second.begin(), places->second.end(), [](const DefinitionPlace& place) { return !place.is_value; }) == 1};
  for (const std::string& path : view.ReadFiles())
    for (const auto& [number, line] : *view.LinesOf(path)) {
      if (callers.size() > kMaxCallers) return callers;
      if ((path == suspect.path && number == begin) || line.text.find(name) == line.text.npos) continue;
      if (links->Of(path, number, callee) == Link::kCall) callers.push_back(path + ":" + std::to_string(number));
    }
  return callers;
}

// Was code of these lines changed later than blame says, which is blind for what is gone?
bool ChangedLater(const std::string& path, const LastChange& newest, const RecentChanges& changes) {
  const auto within = [&](const std::vector<int64_t>& lines) { return std::any_of(lines.begin(), lines.end(), [&](int64_t line) { return line >= newest.first && line <= newest.last; }); };
  if (const auto now = changes.uncommitted.find(path); now != changes.uncommitted.end() && within(now->second) && newest.date != "~") return true;
  const auto code = changes.code.find(path);
  return code != changes.code.end() && std::any_of(code->second.begin(), code->second.end(), [&](const CodeChange& one) { return within(one.lines) && newest.text.find(one.commit) == newest.text.npos && one.date.substr(0, 10) >= newest.date.substr(0, 10); });
}

std::string LastLines(const LogFacts& log) {
  std::string text;
  for (const std::string& line : log.last_lines) text += (text.empty() ? "Its last lines: \"" : "\", \"") + line;
  return text.empty() ? "" : text + "\". ";
}

// Those whose names the log gives; 0 where there may be more than are kept.
int64_t NamedTests(const LogFacts& log) {
  const bool all = log.traces.size() < kMaxTraces && std::all_of(log.traces.begin(), log.traces.end(), [](const Trace& trace) { return !trace.test.empty() || trace.kind == TraceKind::kWeak; });
  return all ? CountOfFailures(log) : 0;
}

bool NothingFailed(const LogFacts& log) { return log.exit_status == 0 && log.traces.empty(); }

class Writer {
 public:
  Writer(const FailureLeads& leads, const RepoView& view)
      : leads_(leads), view_(view), untested_(UntestedBecause(leads.log, leads.named_command)), ranked_(NothingFailed(leads.log) || !untested_.empty() ? std::vector<Suspect>{} : FindSuspects(leads, view).Ranked()) {}

  void AddSuspects() {
    Json list = Json::array();
    for (size_t i = 0; i < ranked_.size() && i < kMaxSuspects; ++i) {
      const Suspect& one = ranked_[i];
      list.push_back(Json{{"path", one.path}, {"line", one.line}, {"function", one.function}, {"score", static_cast<int64_t>(one.score)}, {"reasons", one.reasons}});
      ClaimedFinding finding;
      finding.title = "Suspect " + std::to_string(i + 1) + ": " + one.path + (one.line > 0 ? ":" + std::to_string(one.line) : "") +
                            (one.function.empty() ? "" : " (" + one.function + ")") + ": " + one.line_reason;
      for (const std::string& reason : one.reasons) finding.detail += "- " + reason + "\n";
      std::string function;
      if (const auto callers = CallersOf(one, view_, &links_, &function); !callers.empty()) {
        finding.detail += "- `" + function + "` is called in";
        for (size_t n = 0; n < callers.size() && n < kMaxCallers; ++n) finding.detail += (n > 0 ? ", " : " ") + callers[n];
        finding.detail += callers.size() > kMaxCallers ? ", and more\n" : ", as far as was read\n";
      }
      const std::string change = NewestChange(one);
      if (!change.empty()) finding.detail += "- " + change + "\n";
      // Where no failure was read, nothing says that there is a fault at all.
      const bool first = i == 0 && Main() != nullptr && Main()->kind != TraceKind::kWeak;
      finding.severity = first ? Severity::kHigh : i < 3 ? Severity::kMedium : Severity::kLow;
      finding.confidence = first && one.score >= 90 ? Confidence::kMedium : Confidence::kLow;
      for (const int64_t line : one.lines)
        if (auto citation = Cite(one.path, line); citation && finding.evidence.size() < 3) finding.evidence.push_back(*std::move(citation));
      if (!change.empty() && finding.evidence.size() < 4)
        if (const int64_t line = leads_.changes.last.at(one.path).line; auto citation = view_.Cite(one.path, line, line)) finding.evidence.push_back(*std::move(citation));
      if (finding.evidence.empty()) CiteFile(one, i < kAlwaysShown, &finding.evidence);
      if (finding.evidence.empty()) continue;
      report_.findings.push_back(std::move(finding));
      told_.push_back(i);
    }
    report_.data = Json{{"suspects", std::move(list)}};
  }

  // The check that failed, where it was seen.
  void AddFailure() {
    const LogFacts& log = leads_.log;
    Json failure{{"kind", nullptr}, {"format", nullptr}, {"message", nullptr}, {"test", nullptr}, {"command", nullptr}, {"exit_status", nullptr}, {"failures", CountOfFailures(log)}};
    if (log.exit_status >= 0) failure["exit_status"] = log.exit_status;
    if (!log.command.empty()) failure["command"] = log.command;
    if (const Trace* main = Main()) {
      failure["kind"] = WordOf(main->kind);
      failure["format"] = main->format;
      if (!main->message.empty()) failure["message"] = main->message;
      if (!main->test.empty()) failure["test"] = main->test;
    } else if (OnlyLacks(log)) {
      failure["kind"] = "environment";
      failure["message"] = NeedOf(log);
    }
    Json tests = Json::array();
    for (const Trace& trace : log.traces)
      if (!trace.test.empty() && tests.size() < 20 && std::find(tests.begin(), tests.end(), Json(trace.test)) == tests.end()) tests.push_back(trace.test);
    failure["tests"] = std::move(tests);
    report_.data["failure"] = std::move(failure);
    size_t shown = 0, more = 0;
    for (const Hit& hit : leads_.hits) {
      const Trace& trace = log.traces[hit.trace];
      if (!hit.is_test || hit.line < 1) continue;
      auto citation = view_.Cite(hit.path, hit.line, hit.line);
      if (!citation || ++shown > kMaxFailing) more += citation.has_value();
      if (!citation || shown > kMaxFailing) continue;
      report_.findings.push_back({"What fails: " + (trace.test.empty() ? std::string(WordOf(trace.kind)) : trace.test) + (trace.message.empty() ? "" : ": " + trace.message), Severity::kInfo,
                                  "By the log (" + trace.format + ").", Confidence::kHigh, {*std::move(citation)}});
    }
    if (more > 0) report_.findings.back().detail += " And " + std::to_string(more) + " more: places in tests that the log names.";
  }

  Report Finish(const PlaybookRun& run, const std::string& ask) {
    const LogFacts& log = leads_.log;
    std::string& text = report_.summary;
    const Trace* main = Main();
    if (main && main->kind == TraceKind::kWeak) {
      text = "No failure of a kind that is known here was recognised; the log names a place (" + main->format + ")" + (main->message.empty() ? "" : ": " + Short(main->message, 300)) + ". " + LastLines(log);
    } else if (main) {
      text = "What failed: " + std::string(WordOf(main->kind)) + " (" + main->format + ")" + (main->test.empty() ? "" : ", test " + Short(main->test, 200)) + (main->message.empty() ? "" : ": " + Short(main->message, 300)) + ". ";
      if (log.failed_tests >= 0) text += std::to_string(log.failed_tests) + (log.failed_tests == 1 ? " test fails" : " tests fail") + ", by " + (log.counted_programs.empty() ? "the test runner's count" : log.counted_programs + "'s count of what it runs") + ". ";
      else if (const int64_t named = NamedTests(log); named > 0) text += std::to_string(named) + (named == 1 ? " failing test is" : " failing tests are") + " named" + (log.cut ? " in what was read of the log. " : ". ");
      else if (log.traces.size() > 1) text += std::to_string(log.traces.size()) + " places of the log tell of failures. ";
      if (log.exit_status == 0) text += "The command ended with exit status 0 all the same. ";
    } else if (OnlyLacks(log)) {
      text = "The command could not do its work here: " + NeedOf(log) + ". That is no failure of this repository's code, and nobody is suspected for it. ";
      report_.next_actions.push_back(RemedyOf(log));
      if (ranked_.empty()) {
        report_.complete = false;
        return std::move(report_);
      }
    } else if (NothingFailed(log) || !untested_.empty()) {
      text = (log.exit_status < 0 ? "The log that was given tells of no failure" : "The command that was run ended with exit status " + std::to_string(log.exit_status)) +
             (untested_.empty() ? ": nothing failed there, so nobody is suspected. " : (log.exit_status > 0 ? ", and " : ", but ") + untested_ + ". Nobody is suspected for it. ") + OtherCommand();
      Ask(ask);
      report_.next_actions.push_back("give the log of what does fail with --context-file, or name it in the goal");
      report_.complete = false;
      return std::move(report_);
    } else if (log.exit_status > 0) {
      text = "The command ended with exit status " + std::to_string(log.exit_status) + ", and nothing in its output reads as a failure of a kind that is known here. " +
             (log.untested.empty() ? "" : "It says that it tested nothing: \"" + log.untested + "\". ") + LastLines(log);
    } else if (leads_.log_given) {
      text = "No failure was recognised in the log that was given: this is what " + Source() + ". " + LastLines(log);
    } else {
      text = "No log was read: this is what " + Source() + ". ";
    }
    text += leads_.not_taken + OtherCommand() + Unclear();
    // Only what is shown below with its lines.
    if (told_.empty()) text += ranked_.empty() ? "No file of the repository could be tied to it. " : "No line of a file could be shown for it. ";
    else text += "Most suspect: ";
    for (size_t i = 0; i < told_.size() && i < 3; ++i) {
      const Suspect& one = ranked_[told_[i]];
      text += (i > 0 ? ", then " : "") + one.path + (one.line > 0 ? ":" + std::to_string(one.line) : "") + (one.function.empty() ? "" : " (" + one.function + ")");
    }
    if (!told_.empty()) text += ". ";
    if (!told_.empty()) text += "The order is by rules, not by understanding: read the first ones with " + Told(main) + " in mind.";
    if (main && !log.lacks.empty()) text += " Some of what failed did so for another reason: " + NeedOf(log) + ".";
    if (log.cut) text += " The log was long: not all of its lines were read.";
    if (run.cut_short) text += " The time or the turns were over before all was looked at.";
    report_.complete = main != nullptr && !told_.empty() && !run.cut_short;
    Ask(ask);
    if (main && main->kind != TraceKind::kCompile && !told_.empty()) report_.next_actions.push_back("read " + ranked_[told_[0]].path + " around line " + std::to_string(std::max<int64_t>(1, ranked_[told_[0]].line)) + " with " + Told(main) + " in mind");
    return std::move(report_);
  }

 private:
  // What the suspects come from where no log does.
  std::string Source() const {
    return leads_.changes.uncommitted.empty() ? "the words of the goal" + std::string(leads_.log_given ? "" : " alone") + " lead to" : "the words of the goal and the changes that are not committed lead to";
  }

  // What to hold the suspects against.
  static std::string Told(const Trace* main) {
    if (main == nullptr) return "what is wrong";
    return main->kind == TraceKind::kAssertion || main->kind == TraceKind::kTest ? "the failing check's values" : "what the log says";
  }

  // The command whose output was read, where it isn't the one that the goal names.
  std::string OtherCommand() const {
    const std::string& ran = leads_.log.command;
    if (ran.empty() || leads_.named_command.empty() || ran.find(leads_.named_command) != ran.npos) return "";
    return "The command that ran is not `" + Short(leads_.named_command, 200) + "`, which the goal names, but: " + Short(ran, 300) + ". ";
  }

  // Names of files in the log that say too little.
  std::string Unclear() const {
    std::string text;
    for (const UnclearFile& one : leads_.unclear) {
      if (text.size() > kMaxUnclear) break;
      text += "The log's `" + Short(one.name, 100) + (one.line > 0 ? ":" + std::to_string(one.line) : "") + "` may be any of";
      for (size_t i = 0; i < one.paths.size() && i < kMaxPaths; ++i) text += (i > 0 ? ", " : " ") + one.paths[i];
      text += (one.paths.size() > kMaxPaths ? " and " + std::to_string(one.paths.size() - kMaxPaths) + " more" : "") + ": it doesn't say which. ";
    }
    return text;
  }

  // The first failure that says most.
  const Trace* Main() const {
    const Trace* best = nullptr;
    const auto rank = [](const Trace& trace) { return trace.kind == TraceKind::kWeak ? 0 : trace.kind == TraceKind::kTest ? 1 : 2; };
    for (const Trace& trace : leads_.log.traces)
      if (!best || rank(trace) > rank(*best)) best = &trace;
    return best;
  }

  void Ask(const std::string& command) {
    if (command.empty()) return;
    report_.needs_run = NeedsRun{command, "which test fails, with which values, and where: without its output only the words of the goal lead anywhere"};
    report_.next_actions.push_back("give the output of the failing test: --context-file FILE");
    report_.complete = false;
  }

  std::string NewestChange(const Suspect& one) const {
    const auto change = leads_.changes.last.find(one.path);
    if (change == leads_.changes.last.end() || change->second.line < 1 || ChangedLater(one.path, change->second, leads_.changes)) return "";
    return NewestSaid(one, change->second) + change->second.text;
  }

  // Of the function, where all of it was looked at; else of the lines that were.
  std::string NewestSaid(const Suspect& one, const LastChange& change) const {
    const std::string line = std::to_string(change.line);
    if (change.first == change.last) return "line " + line + " was changed last by ";
    const int64_t body = SeenLinesOfBody(view_, one.path, change.first);
    const bool whole = !one.function.empty() && body > 0 && BeginOfFunction(view_, one.path, change.line, nullptr) == change.first && change.first + body - 1 <= change.last;
    return "the newest change in " + (whole ? "`" + one.function + "`" : "lines " + std::to_string(change.first) + "-" + std::to_string(change.last)) + " is line " + line + ", by ";
  }

  // Of a file as such: the failing test that it is named as; else what the last commits changed there, or of one of the first, which a
  // person has to see, what it defines. Its first line would prove nothing.
  void CiteFile(const Suspect& one, bool always, std::vector<Citation>* evidence) const {
    const auto cite = [&](const std::string& path, int64_t line) {
      if (auto citation = view_.Cite(path, line, line); citation && evidence->empty()) evidence->push_back(*std::move(citation));
    };
    for (const TestRange& test : leads_.tests)
      if (TestedStem(test.path) == TestedStem(one.path))
        for (const int64_t line : {test.by_name ? test.first : test.last, test.first}) cite(test.path, line);
    if (const auto code = leads_.changes.code.find(one.path); code != leads_.changes.code.end())
      for (const CodeChange& change : code->second)
        for (const int64_t line : change.lines) cite(one.path, line);
    if (const SeenLines* lines = view_.LinesOf(one.path); lines != nullptr && always)
      for (const auto& [number, line] : *lines)
        if (evidence->empty() && DefinedOn(one.path, line.text)) cite(one.path, number);
  }

  std::optional<Citation> Cite(const std::string& path, int64_t line) const {
    for (int64_t last = line + 2; last >= line; --last)
      if (auto citation = view_.Cite(path, line, last)) return citation;
    return std::nullopt;
  }

  const FailureLeads& leads_;
  const RepoView& view_;
  CallLinks links_{view_};
  const std::string untested_;  // why no test ran
  const std::vector<Suspect> ranked_;
  std::vector<size_t> told_;  // of ranked_, those that are findings
  Report report_;
};

}  // namespace

Report WriteDebuggerReport(const FailureLeads& leads, const RepoView& view, const PlaybookRun& run, const std::string& ask) {
  Writer writer(leads, view);
  writer.AddSuspects();
  writer.AddFailure();
  return writer.Finish(run, ask);
}

}  // namespace paddock::subagents

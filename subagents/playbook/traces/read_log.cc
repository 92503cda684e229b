#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/traces/bare_line.h"
#include "subagents/playbook/traces/compared.h"
#include "subagents/playbook/traces/own_checks.h"
#include "subagents/playbook/traces/plain_failures.h"
#include "subagents/playbook/traces/room.h"
#include "subagents/playbook/traces/rule_match.h"
#include "subagents/playbook/traces/suites.h"
#include "subagents/playbook/traces/test_around.h"
#include "subagents/playbook/traces/untested.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostLines = 12'000, kHeadLines = 4'000, kLinesBefore = 6;
constexpr size_t kMaxLastLines = 3, kMaxLastLine = 160;

class LogReader {
 public:
  LogFacts Read(std::string_view log) {
    std::vector<std::string_view> lines;
    for (size_t begin = 0; begin < log.size();) {
      const size_t end = std::min(log.find('\n', begin), log.size());
      lines.push_back(log.substr(begin, end - begin));
      begin = end + 1;
    }
    for (number_ = 0; number_ < lines.size(); ++number_) {
      if (lines.size() > kMostLines && number_ == kHeadLines) {
        number_ = lines.size() - (kMostLines - kHeadLines);
        Gap();
      }
      if (lines[number_] == kLogGap) Gap();
      const std::string_view line = BareLine(lines[number_], &buffer_);
      const TestAround::Said said = tests_.Take(line, &facts_.traces);
      if (said == TestAround::Said::kTest) Close();
      if (said == TestAround::Said::kLeftOut) {
        Remember(line);
        continue;
      }
      changed_ = false;
      const size_t before = facts_.traces.size();
      Line(line);
      const bool unknown = !changed_ || (facts_.traces.size() > before && facts_.traces.back().kind == TraceKind::kWeak);
      const std::string_view behind = number_ + 1 < lines.size() ? lines[number_ + 1] : std::string_view();
      if (unknown) own_.Take(line, number_ > 0 ? lines[number_ - 1] : "", behind), plain_.Take(line);
      Remember(line);
      if (number_ >= before_) untested_.Take(line);
      const size_t first = number_ - std::min(number_, kLinesBefore);
      Lacking(line, std::span(lines).subspan(first, number_ - first), behind);
      AddWordsCompared(line, behind, &facts_.differing);
      Count(line);
    }
    Close();
    Tidy(&facts_.traces);
    own_.AddTo(&facts_);
    plain_.AddTo(&facts_);
    if (facts_.traces.empty()) facts_.untested = untested_.Line();
    return std::move(facts_);
  }

 private:
  // Lines aren't read.
  void Gap() {
    facts_.cut = true;
    Close();
    tests_.Gap(facts_.traces);
  }

  void Line(std::string_view line) {
    // A header of a run's log (delegation/needs_run.h).
    if (facts_.exit_status < 0 && line.starts_with("A command was run ")) return void(facts_.exit_status = StatusIn(line));
    if (facts_.exit_status >= 0 && facts_.command.empty() && line.starts_with("command: ")) facts_.command = Short(line.substr(9), kMaxMessage);
    if (facts_.exit_status >= 0 && before_ == 0 && line == "What it wrote:") before_ = number_ + 1;
    const bool blank = line.find_first_not_of(" \t=-") == line.npos;
    if (GoesOnWithTitle(line_ = line)) return;
    suites_.Take(line);
    if (Unindented(line) == "type: 'suite'" && !facts_.traces.empty() && facts_.traces.back().format == "TAP" && facts_.traces.back().kind == TraceKind::kTest) facts_.traces.pop_back();
    if (Open() && facts_.traces.back().format == "node:test" && Unindented(line) == "code: 'ERR_ASSERTION'") facts_.traces.back().kind = TraceKind::kAssertion;
    for (const CompiledRule& one : CompiledRules()) {
      const TraceRule& rule = *one.rule;
      if (blank || line.find(rule.hint) == line.npos || !Fits(rule)) continue;
      if (!MatchRule(one, line, &now_)) continue;
      if (IsNoFailure(rule)) return;
      if (rule.kind == TraceKind::kWeak && IsRemark()) return;
      Apply(rule);
      return;
    }
    // What the line before left open.
    if (!blank && wants_message_ && !facts_.traces.empty()) {
      std::string& message = facts_.traces.back().message;
      const bool goes_on = GoesOn(message);
      message = Short((goes_on ? message + " " : "") + std::string(Unindented(line)), kMaxMessage);
      wants_message_ = !goes_on && GoesOn(message);
      changed_ = true;
    }
  }

  // "due to unexpected exception with message:", "Expected equality of these values:"
  static bool GoesOn(std::string_view message) { return message.ends_with(':'); }

  bool GoesOnWithTitle(std::string_view line) {
    const std::string title = suites_.Next(line);
    if (title.empty() || facts_.traces.empty()) return false;
    facts_.traces.back().test = title;
    tests_.GoesOn(title, number_);
    return changed_ = true;
  }

  void Lacking(std::string_view line, std::span<const std::string_view> before, std::string_view next) {
    if (facts_.lacks.size() >= kMaxLacks) return;
    if (line.starts_with("command: ") || line.starts_with("A command was run ")) return;  // what was run, and not what it said
    auto lack = LackIn(line, before, next);
    if (!lack) return;
    lack->number = number_ + 1 - before_;
    if ((changed_ || lack->goes_on) && !facts_.traces.empty()) facts_.traces.back().lack = static_cast<int>(facts_.lacks.size());
    facts_.lacks.push_back(*std::move(lack));
  }

  // The runner's own count; of several that tell of failures the last run's holds.
  void Count(std::string_view line) {
    const FailedCount count = FailedBy(line);
    if (count.count < 1 || (counted_ && !count.of_runner)) return;
    facts_.failed_tests = count.count;
    facts_.counted_programs = count.of_programs;
    counted_ = count.of_runner;
  }

  // The last lines that a program wrote.
  void Remember(std::string_view line) {
    if (line.find_first_not_of(" \t=-#*_") == line.npos || (facts_.exit_status >= 0 && before_ == 0) || number_ + 1 == before_) return;
    if (facts_.last_lines.size() >= kMaxLastLines) facts_.last_lines.erase(facts_.last_lines.begin());
    facts_.last_lines.push_back(Short(Unindented(line), kMaxLastLine));
  }

  // Compilers say much in passing.
  bool IsRemark() const {
    for (const char* word : {"warning", "note", "info", "remark", "In file included", "In function", "In member"})
      if (now_.message.starts_with(word)) return true;
    return MatchesPart(now_.message, R"(^\w+Warning: )");  // Python's
  }

  // What TAP says is yet to be done, or was left out, may fail; "FAIL: 2" is a count.
  bool IsNoFailure(const TraceRule& rule) const {
    static const RE2 directive(R"((?i).* # ?(?:todo|skip)\b.*)"), digits(R"(\d+)");
    const std::string_view format = rule.format;
    if (rule.kind == TraceKind::kAssertion && format == "go test" && tests_.passed()) return true;
    // Names that no error of JavaScript has: of Python, whose own rules know what is around them.
    if (rule.role == TraceRole::kHead && format == "Node" && MatchesPart(now_.message, R"(^(Import|ModuleNotFound|Attribute|Key|Index|Value|Name|OS|FileNotFound|ZeroDivision|Indentation|UnicodeDecode)Error: )")) return true;
    return rule.kind == TraceKind::kTest && ((format == "TAP" && RE2::FullMatch(now_.test, directive)) || (format == "Automake" && RE2::FullMatch(now_.test, digits)) || (format == "node:test" && suites_.Has(now_.test)));
  }

  bool Open() const { return open_ && !facts_.traces.empty(); }
  bool Fits(const TraceRule& rule) const {
    if (rule.role == TraceRole::kEnd || rule.role == TraceRole::kMessage) return Open() && facts_.traces.back().format == rule.format;
    if (rule.role == TraceRole::kFunction) return Open() && facts_.traces.back().format == rule.format;
    if (rule.role == TraceRole::kFrame && std::string_view(rule.format) == "node:test") return Open() && facts_.traces.back().format == rule.format;
    return rule.role == TraceRole::kFrame || HasRoom(facts_.traces, rule.kind);
  }

  void Begin(const TraceRule& rule, bool reversed) {
    Close();
    Trace trace;
    trace.kind = rule.kind;
    trace.format = rule.format;
    trace.message = now_.message;
    trace.test = !now_.test.empty() ? now_.test : tests_.Of(number_);
    trace.folder = tests_.folder();
    PushTrace(&facts_.traces, std::move(trace));
    open_ = true;
    reversed_ = reversed;
    wants_message_ = rule.role == TraceRole::kHead && GoesOn(now_.message);
  }

  void Apply(const TraceRule& rule) {
    changed_ = rule.role != TraceRole::kFunction;
    switch (rule.role) {
      case TraceRole::kHead:
        Begin(rule, false);
        begins_ = now_.frame;
        return;
      case TraceRole::kHeadLast: return Begin(rule, true);
      case TraceRole::kFunction:
        function_ = now_.frame.function;
        return;
      case TraceRole::kMessage:
      case TraceRole::kEnd:
        if (facts_.traces.back().message.empty() || rule.role == TraceRole::kEnd) facts_.traces.back().message = now_.message;
        wants_message_ = now_.message.empty() || GoesOn(now_.message);
        if (rule.role == TraceRole::kEnd) Close();
        return;
      case TraceRole::kFrame:
        return AddFrame(rule);
      case TraceRole::kPlace:
        Begin(rule, false);
        if (!now_.frame.file.empty()) facts_.traces.back().frames.push_back(now_.frame);
        wants_message_ = now_.message.empty() || GoesOn(now_.message);
        open_ = std::string_view(rule.format) == "Rust";
        return;
      case TraceRole::kTestName:
        Close();
        while (std::string_view(rule.format) == "pytest" && RE2::Replace(&now_.test, R"(^([\w.]+)::)", R"(\1.)")) {}  // as above what it wrote
        tests_.Failed(now_.test, rule.format, number_, &facts_.traces);
        PushTrace(&facts_.traces, {rule.kind, rule.format, now_.message, now_.test, {}, -1});
        if (std::string_view(rule.format) == "mocha") suites_.Begin(line_);
        if (!now_.frame.file.empty()) facts_.traces.back().frames.push_back(now_.frame);
        return;
    }
  }

  void AddFrame(const TraceRule& rule) {
    const std::string_view format = rule.format;
    const bool same = Open() && (facts_.traces.back().format == format || facts_.traces.back().format.ends_with("Sanitizer"));
    if (!same && !HasRoom(facts_.traces, rule.kind)) return;
    if (!same) Begin(rule, false);
    Trace& trace = facts_.traces.back();
    wants_message_ = false;
    if (trace.message.empty()) trace.message = now_.message;
    if (now_.frame.function.empty()) now_.frame.function = function_;
    function_.clear();
    if (trace.frames.size() >= kMaxFrames) {
      if (!reversed_) return;
      trace.frames.erase(trace.frames.begin());
    }
    trace.frames.push_back(now_.frame);
  }

  void Close() {
    if (Open() && reversed_) std::reverse(facts_.traces.back().frames.begin(), facts_.traces.back().frames.end());
    // No frame says where the check stands.
    if (Open() && facts_.traces.back().frames.empty() && begins_.line > 0) facts_.traces.back().frames = {begins_}, facts_.traces.back().kind = TraceKind::kTest;
    begins_ = {};
    open_ = reversed_ = wants_message_ = false;
    function_.clear();
  }

  LogFacts facts_;
  std::string buffer_;
  size_t number_ = 0;
  size_t before_ = 0;  // lines of paddock's own before what a command wrote
  bool open_ = false, reversed_ = false, wants_message_ = false;
  bool changed_ = false;  // the line says something of the last trace
  std::string function_;
  TestAround tests_;
  Matched now_;   // of the line that was matched last
  Frame begins_;  // where the test of the open trace begins
  PlainFailures plain_;
  OwnChecks own_;
  bool counted_ = false;  // by a known runner
  Suites suites_;
  Untested untested_;
  std::string_view line_;  // that is read now
};

}  // namespace

LogFacts ReadLog(std::string_view log) { return LogReader().Read(log); }

}  // namespace paddock::subagents

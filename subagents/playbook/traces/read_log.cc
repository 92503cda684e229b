#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include "base/text.h"
#include "subagents/playbook/traces/bare_line.h"
#include "subagents/playbook/traces/compared.h"
#include "subagents/playbook/traces/own_checks.h"
#include "subagents/playbook/traces/plain_failures.h"
#include "subagents/playbook/traces/room.h"
#include "subagents/playbook/traces/suites.h"
#include "subagents/playbook/traces/trace_rules.h"
#include "subagents/playbook/traces/untested.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostLines = 12'000, kHeadLines = 4'000;
constexpr size_t kMaxFile = 512, kMaxFunction = 200, kMaxMessage = 400, kMaxLastLines = 3, kMaxLastLine = 160;
constexpr size_t kTestReaches = 60;                    // lines behind a test's name that are still its own

struct Compiled {
  const TraceRule* rule;
  std::unique_ptr<RE2> pattern;
};

// Patterns of a thread, compiled once.
const std::vector<Compiled>& Rules() {
  thread_local const std::vector<Compiled> rules = [] {
    std::vector<Compiled> all;
    RE2::Options options;
    options.set_log_errors(false);
    options.set_never_nl(true);
    // The narrower ones first.
    for (const auto& table : {NativeTraceRules(), CompiledTraceRules(), CompilerRules(), ScriptTraceRules()})
      for (const TraceRule& rule : table) all.push_back({&rule, std::make_unique<RE2>(rule.pattern, options)});
    return all;
  }();
  return rules;
}

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
        facts_.cut = true;
        number_ = lines.size() - (kMostLines - kHeadLines);
        Close();
      }
      if (lines[number_] == kLogGap) facts_.cut = true, Close();
      const std::string_view line = BareLine(lines[number_], &buffer_);
      changed_ = false;
      const size_t before = facts_.traces.size();
      Line(line);
      const bool unknown = !changed_ || (facts_.traces.size() > before && facts_.traces.back().kind == TraceKind::kWeak);
      const std::string_view behind = number_ + 1 < lines.size() ? lines[number_ + 1] : std::string_view();
      if (unknown) own_.Take(line, number_ > 0 ? lines[number_ - 1] : "", behind), plain_.Take(line);
      Remember(line);
      if (number_ >= before_) untested_.Take(line);
      Lacking(line, behind);
      AddWordsCompared(line, behind, &facts_.differing);
      Count(line);
    }
    Close();
    Tidy();
    own_.AddTo(&facts_);
    plain_.AddTo(&facts_);
    if (facts_.traces.empty()) facts_.untested = untested_.Line();
    return std::move(facts_);
  }

 private:
  void Line(std::string_view line) {
    // A header of a run's log (delegation/needs_run.h).
    if (facts_.exit_status < 0 && line.starts_with("A command was run ")) return void(facts_.exit_status = StatusIn(line));
    if (facts_.exit_status >= 0 && facts_.command.empty() && line.starts_with("command: ")) facts_.command = Short(line.substr(9), kMaxMessage);
    if (facts_.exit_status >= 0 && before_ == 0 && line == "What it wrote:") before_ = number_ + 1;
    const bool blank = line.find_first_not_of(" \t=-") == line.npos;
    if (GoesOnWithTitle(line_ = line)) return;
    suites_.Take(line);
    if (Unindented(line) == "type: 'suite'" && !facts_.traces.empty() && facts_.traces.back().format == "TAP" && facts_.traces.back().kind == TraceKind::kTest) facts_.traces.pop_back();
    for (const Compiled& one : Rules()) {
      const TraceRule& rule = *one.rule;
      if (blank || line.find(rule.hint) == line.npos || !Fits(rule)) continue;
      if (!Match(*one.pattern, line, rule)) continue;
      if (IsNoFailure(rule)) return;
      if (rule.kind == TraceKind::kWeak && IsRemark()) return;
      Apply(rule);
      return;
    }
    // What the line before left open.
    if (!blank && wants_message_ && !facts_.traces.empty()) {
      facts_.traces.back().message = Short(Unindented(line), kMaxMessage);
      // "due to unexpected exception with message:"
      wants_message_ = facts_.traces.back().message.ends_with(" with message:");
      changed_ = true;
    }
  }

  bool GoesOnWithTitle(std::string_view line) {
    const std::string title = suites_.Next(line);
    if (title.empty() || facts_.traces.empty()) return false;
    last_test_ = facts_.traces.back().test = title;
    test_line_ = number_;
    return changed_ = true;
  }

  void Lacking(std::string_view line, std::string_view next) {
    if (facts_.lacks.size() >= kMaxLacks) return;
    if (line.starts_with("command: ") || line.starts_with("A command was run ")) return;  // what was run, and not what it said
    auto lack = LackIn(line, next);
    if (!lack) return;
    lack->number = number_ + 1 - before_;
    if (changed_ && !facts_.traces.empty()) facts_.traces.back().lack = static_cast<int>(facts_.lacks.size());
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
      if (message_.starts_with(word)) return true;
    return false;
  }

  // What TAP says is yet to be done, or was left out, may fail; "FAIL: 2" is a count.
  bool IsNoFailure(const TraceRule& rule) const {
    static const RE2 directive(R"((?i).* # ?(?:todo|skip)\b.*)"), digits(R"(\d+)");
    const std::string_view format = rule.format;
    return rule.kind == TraceKind::kTest && ((format == "TAP" && RE2::FullMatch(test_, directive)) || (format == "Automake" && RE2::FullMatch(test_, digits)) || (format == "node:test" && suites_.Has(test_)));
  }

  bool Open() const { return open_ && !facts_.traces.empty(); }
  bool Fits(const TraceRule& rule) const {
    if (rule.role == TraceRole::kEnd || rule.role == TraceRole::kMessage) return Open() && facts_.traces.back().format == rule.format;
    if (rule.role == TraceRole::kFunction) return Open() && facts_.traces.back().format == rule.format;
    return rule.role == TraceRole::kFrame || HasRoom(facts_.traces, rule.kind);
  }

  bool Match(const RE2& pattern, std::string_view line, const TraceRule& rule) {
    const std::string_view takes = rule.takes;
    std::array<re2::StringPiece, 8> groups;
    std::array<RE2::Arg, 8> args;
    std::array<const RE2::Arg*, 8> pointers{};
    for (size_t i = 0; i < takes.size() && i < groups.size(); ++i) args[i] = &groups[i], pointers[i] = &args[i];
    if (!RE2::FullMatchN(re2::StringPiece(line.data(), line.size()), pattern, pointers.data(), static_cast<int>(takes.size()))) return false;
    frame_ = {};
    message_.clear();
    test_.clear();
    for (size_t i = 0; i < takes.size(); ++i) {
      const std::string_view text(groups[i].data() ? groups[i].data() : "", groups[i].size());
      switch (takes[i]) {
        case 'F': frame_.file = Short(text, kMaxFile); break;
        case 'L': frame_.line = text.size() > 8 ? 0 : std::atoll(std::string(text).c_str()); break;
        case 'N': frame_.function = Short(text, kMaxFunction); break;
        case 'M': message_ = Short(text, kMaxMessage); break;
        case 'T': test_ = Short(text, kMaxFunction); break;
        default: break;
      }
    }
    return true;
  }

  void Begin(const TraceRule& rule, bool reversed) {
    Close();
    Trace trace;
    trace.kind = rule.kind;
    trace.format = rule.format;
    trace.message = message_;
    trace.test = !test_.empty() ? test_ : number_ - test_line_ < kTestReaches ? last_test_ : "";
    PushTrace(&facts_.traces, std::move(trace));
    open_ = true;
    reversed_ = reversed;
    wants_message_ = false;
  }

  void Apply(const TraceRule& rule) {
    changed_ = rule.role != TraceRole::kFunction;
    switch (rule.role) {
      case TraceRole::kHead: return Begin(rule, false);
      case TraceRole::kHeadLast: return Begin(rule, true);
      case TraceRole::kFunction:
        function_ = frame_.function;
        return;
      case TraceRole::kMessage:
      case TraceRole::kEnd:
        if (facts_.traces.back().message.empty() || rule.role == TraceRole::kEnd) facts_.traces.back().message = message_;
        if (rule.role == TraceRole::kEnd) Close();
        return;
      case TraceRole::kFrame:
        return AddFrame(rule);
      case TraceRole::kPlace:
        Begin(rule, false);
        if (!frame_.file.empty()) facts_.traces.back().frames.push_back(frame_);
        wants_message_ = message_.empty();
        open_ = std::string_view(rule.format) == "Rust";
        return;
      case TraceRole::kTestName:
        Close();
        while (std::string_view(rule.format) == "pytest" && RE2::Replace(&test_, R"(^([\w.]+)::)", R"(\1.)")) {}  // as above what it wrote
        last_test_ = test_;
        test_line_ = number_;
        PushTrace(&facts_.traces, {rule.kind, rule.format, message_, test_, {}, -1});
        if (std::string_view(rule.format) == "mocha") suites_.Begin(line_);
        if (!frame_.file.empty()) facts_.traces.back().frames.push_back(frame_);
        return;
    }
  }

  void AddFrame(const TraceRule& rule) {
    const std::string_view format = rule.format;
    const bool same = Open() && (facts_.traces.back().format == format || facts_.traces.back().format.ends_with("Sanitizer"));
    if (!same && !HasRoom(facts_.traces, rule.kind)) return;
    if (!same) Begin(rule, false);
    Trace& trace = facts_.traces.back();
    if (trace.message.empty()) trace.message = message_;
    if (frame_.function.empty()) frame_.function = function_;
    function_.clear();
    if (trace.frames.size() >= kMaxFrames) {
      if (!reversed_) return;
      trace.frames.erase(trace.frames.begin());
    }
    trace.frames.push_back(frame_);
  }

  void Close() {
    if (Open() && reversed_) std::reverse(facts_.traces.back().frames.begin(), facts_.traces.back().frames.end());
    open_ = reversed_ = wants_message_ = false;
    function_.clear();
  }

  // Those that say nothing, and those that say the same again.
  void Tidy() {
    // The signal is told of before what it means is.
    static constexpr std::string_view kSignal = "DEADLYSIGNAL";
    const bool named = std::any_of(facts_.traces.begin(), facts_.traces.end(), [](const Trace& trace) { return trace.format == "sanitizer" && !trace.message.ends_with(kSignal); });
    static const RE2 check(R"((?:[\w.]*\.)?Assertion(?:Failed)?Error\b.*)");
    for (Trace& trace : facts_.traces)
      if (trace.kind == TraceKind::kCrash && RE2::FullMatch(trace.message, check)) trace.kind = TraceKind::kAssertion;
    std::set<std::string> seen;
    std::erase_if(facts_.traces, [&](const Trace& trace) {
      if (trace.frames.empty() && trace.message.empty() && trace.test.empty()) return true;
      if (named && trace.frames.empty() && trace.message.ends_with(kSignal)) return true;
      std::string key = std::to_string(static_cast<int>(trace.kind)) + "\n" + trace.test + "\n" + trace.message;
      if (!trace.frames.empty()) key += "\n" + trace.frames[0].file + ":" + std::to_string(trace.frames[0].line);
      return !seen.insert(key).second;
    });
  }

  LogFacts facts_;
  std::string buffer_;
  size_t number_ = 0, test_line_ = 0;
  size_t before_ = 0;  // lines of paddock's own before what a command wrote
  bool open_ = false, reversed_ = false, wants_message_ = false;
  bool changed_ = false;  // the line says something of the last trace
  std::string function_, last_test_;
  Frame frame_;  // of the line that was matched last
  std::string message_, test_;
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

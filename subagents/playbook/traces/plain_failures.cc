#include "subagents/playbook/traces/plain_failures.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>

#include "base/text.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxName = 200, kMaxCountLine = 200;
constexpr std::string_view kPlain = "plain";

struct CountRule {
  const char* runner;
  const char* pattern;  // RE2, the whole line; its groups are numbers that add up
  bool counts_programs = false;
};

constexpr CountRule kCounts[] = {
    {"pytest", R"(=*\s*(?:\d+ \w+, )*?(\d+) failed\b(?:.*?(\d+) errors?\b)?.* in [\d.]+s.*)"},
    {"pytest", R"(=+\s*(?:\d+ \w+, )*(\d+) errors? in [\d.]+s.*)"},
    {"unittest", R"(FAILED \((?:failures=(\d+))?(?:, )?(?:errors=(\d+))?.*\))"},
    {"TAP", R"([#ℹ] fail:?\s+(\d+))"},
    {"mocha", R"(\s+(\d+) failing)"},
    {"jest", R"(\s*Tests:?\s+(?:.*\D)?(\d+) failed\b.*)"},
    {"cargo test", R"(test result: FAILED\..*\b(\d+) failed;.*)"},
    {"GoogleTest", R"(\s*(\d+) FAILED TESTS?)"},
    {"CTest", R"(\d+% tests passed, (\d+) tests? failed out of \d+)", true},
    {"Surefire", R"((?:\[\w+\] )?Tests run: \d+, Failures: (\d+), Errors: (\d+).*)"},
    {"Gradle", R"(\d+ tests? completed, (\d+) failed.*)"},
    {"RSpec", R"(\d+ examples?, (\d+) failures?(?:,.*)?)"},
    {"Minitest", R"(\d+ (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors.*)"},
    {"Catch2", R"(test cases:.*\|\s*(\d+) failed.*)"},
    {"doctest", R"(\[doctest\] test cases:.*\|\s*(\d+) failed.*)"},
    {"Automake", R"(# FAIL:\s+(\d+))", true},
    {"meson", R"(Fail:\s+(\d+))", true},
    {"PHPUnit", R"(Tests: \d+, Assertions: \d+.*\bFailures: (\d+).*)"},
    {"plain", R"((?i)[-=*# ]*(?:number of )?(?:tests?|checks?|cases?|test cases) (?:that )?failed\s*[:=]\s*(\d+)\W*)"},
    {"plain", R"((?i)[-=*# ]*(?:tests? )?(?:fail|failed|failures?)\s*[:=]\s*(\d+)\W*)"},
    {"plain", R"((?i)[-=*# ]*(\d+)(?: of \d+| out of \d+|/\d+)? (?:tests?|checks?|cases?|test cases) (?:have )?failed\W*)"},
    {"plain", R"((?i)[-=*# ]*(?:\d+ (?:tests? )?passed, )(\d+) (?:tests? )?failed\W*)"},
};

// One who said that it failed, at the end of its line or at its beginning.
constexpr const char* kFailed[] = {
    R"(\s*(\S.*?)(?:\s*\.{2,}|\s+-+|\s*…|:|\s*=+>|\s+->|\s{2,}|\t)\s*\[?\s*(?:FAILED|FAILURE|FAIL)\s*\]?[.!]*(?:\s*[(\[].*[)\]])?\s*)",
    R"(\s*\[\s*(?:FAILED|FAILURE|FAIL)\s*\]:?\s+(\S.*?)\s*)",
    R"(\s*(?:FAILED|FAILURE|TEST FAILED):?\s+([^\s(=].*?)\s*)",
    R"(\s*(?:fail|failed|failure|Fail|Failed|Failure):\s+([^\s(=].*?)\s*)",
    R"((?:.*\s)?["']([^"']+)["'] (?:test|check) failed(?:[,:;] .*)?\W*)",
    R"(\*{3} (?:Error|Failure): (\S.*?) \*{3})",
};

using Patterns = std::vector<std::unique_ptr<RE2>>;

const Patterns& CountPatterns() {
  thread_local const Patterns patterns = [] {
    Patterns all;
    for (const CountRule& rule : kCounts) all.push_back(std::make_unique<RE2>(rule.pattern, RE2::Quiet));
    return all;
  }();
  return patterns;
}

const Patterns& FailedPatterns() {
  thread_local const Patterns patterns = [] {
    Patterns all;
    for (const char* pattern : kFailed) all.push_back(std::make_unique<RE2>(pattern, RE2::Quiet));
    return all;
  }();
  return patterns;
}

bool SpeaksOfFailure(std::string_view line) { return line.find("ail") != line.npos || line.find("AIL") != line.npos || line.starts_with("*** Error: "); }

// A line's number or a test's before it, which are no part of a name.
std::string NameIn(std::string_view text) {
  static const RE2 number(R"((?:#?\d+[:.)]?\s+|[-*>]+\s+|(?i:test(?: case)?|check)\s*#?\d*:?\s+))");
  re2::StringPiece rest(text.data(), text.size());
  const std::string all(text);
  while (RE2::Consume(&rest, number)) {}
  std::string name(rest.empty() ? re2::StringPiece(all) : rest);
  while (!name.empty() && (name.back() == ' ' || name.back() == ':' || name.back() == '-' || name.back() == '.' || name.back() == '\t')) name.pop_back();
  return std::string(TruncateUtf8(name, kMaxName));
}

bool SaysLittle(std::string_view name) {
  static const RE2 words(R"((?i)(?:overall|(?:the )?(?:build|tests?|result|results|status|total|summary|all|suite|final result|test result|test run|conclusion)|\W*)(?: (?:result|results|status))?)");
  return RE2::FullMatch(re2::StringPiece(name.data(), name.size()), words);
}

// A test by an outer runner's word: what the test itself wrote says more.
bool IsOfOuter(const Trace& trace) { return trace.kind == TraceKind::kTest && (trace.format == "CTest" || trace.format == "Automake" || trace.format == "meson"); }

// "f(1, 2) (expected 1)" → its name and what was wrong.
Trace TraceOf(const std::string& text) {
  Trace trace{TraceKind::kTest, "its own words", "", text, {}, -1};
  if (const size_t at = text.find(" ("); at != text.npos && at > 0 && text.ends_with(")")) {
    trace.test = text.substr(0, at);
    trace.message = text.substr(at + 2, text.size() - at - 3);
  }
  return trace;
}

}  // namespace

FailedCount FailedBy(std::string_view line) {
  if (line.size() > kMaxCountLine || !(SpeaksOfFailure(line) || line.find(" error") != line.npos)) return {};
  const Patterns& patterns = CountPatterns();
  for (size_t i = 0; i < patterns.size(); ++i) {
    std::string first, second;
    const re2::StringPiece text(line.data(), line.size());
    const bool both = patterns[i]->NumberOfCapturingGroups() > 1;
    if (both ? !RE2::FullMatch(text, *patterns[i], &first, &second) : !RE2::FullMatch(text, *patterns[i], &first)) continue;
    if ((first.empty() && second.empty()) || first.size() > 8 || second.size() > 8) continue;
    return {std::atoll(first.c_str()) + std::atoll(second.c_str()), kCounts[i].runner != kPlain, kCounts[i].counts_programs ? kCounts[i].runner : ""};
  }
  return {};
}

void PlainFailures::Take(std::string_view line) {
  // "test (name): ", and its end some lines below.
  static const RE2 begun(R"((?i)\s*(?:test|case|check|running|testing)\b\W*(\w.*?)\W*(?::|\.\.\.)\s*)"), alone(R"(\W*(?:FAILED|FAILURE|FAIL)\W*)"), well(R"((?i)\W*(?:success|succeeded|passed|pass|ok|done)\W*)");
  const re2::StringPiece whole(line.data(), line.size());
  if (line.size() <= kMaxName && RE2::FullMatch(whole, begun, &begun_)) return;
  if (!begun_.empty() && RE2::FullMatch(whole, well)) begun_.clear();
  if (!SpeaksOfFailure(line)) return;
  if (!begun_.empty() && RE2::FullMatch(whole, alone)) {
    if (tests_.size() < kMaxTraces) tests_.push_back(std::exchange(begun_, ""));
    return;
  }
  if (const int64_t count = FailedBy(line).count; count >= 0) {
    if (count > 0) count_line_ = std::string(TruncateUtf8(line, kMaxName));
    return;
  }
  for (const auto& pattern : FailedPatterns()) {
    std::string text;
    if (!RE2::FullMatch(re2::StringPiece(line.data(), line.size()), *pattern, &text)) continue;
    std::string name = NameIn(text);
    if (!SaysLittle(name) && tests_.size() < kMaxTraces) tests_.push_back(std::move(name));
    return;
  }
}

void PlainFailures::AddTo(LogFacts* facts) const {
  const auto known = [](const Trace& trace) { return trace.kind != TraceKind::kWeak; };
  if (std::none_of(facts->traces.begin(), facts->traces.end(), [&](const Trace& trace) { return known(trace) && !IsOfOuter(trace); })) {
    std::vector<Trace> own;
    std::set<std::string> seen;
    for (const std::string& name : tests_)
      if (seen.insert(name).second) own.push_back(TraceOf(name));
    if (own.empty() && !count_line_.empty() && std::none_of(facts->traces.begin(), facts->traces.end(), known)) own.push_back({TraceKind::kTest, "its own words", count_line_, "", {}, -1});
    facts->traces.insert(facts->traces.begin(), own.begin(), own.end());
    if (facts->traces.size() > kMaxTraces) facts->traces.resize(kMaxTraces);
  }
  if (std::any_of(facts->traces.begin(), facts->traces.end(), known))
    std::erase_if(facts->traces, [](const Trace& trace) { return trace.kind == TraceKind::kWeak && std::string_view(trace.format) == "make"; });
}

int64_t CountOfFailures(const LogFacts& log) {
  if (log.failed_tests >= 0) return log.failed_tests;
  std::set<std::string> names;
  for (const Trace& trace : log.traces)
    if (!trace.test.empty()) names.insert(trace.test);
  if (names.empty()) return static_cast<int64_t>(log.traces.size());
  // "TestA/one" beside "TestA".
  return std::count_if(names.begin(), names.end(), [&](const std::string& name) {
    for (size_t at = name.find('/'); at != name.npos; at = name.find('/', at + 1))
      if (names.contains(name.substr(0, at))) return false;
    return true;
  });
}

}  // namespace paddock::subagents

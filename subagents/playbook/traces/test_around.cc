#include "subagents/playbook/traces/test_around.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"

namespace paddock::subagents {
namespace {

constexpr size_t kReaches = 60;  // lines behind a failing test's name that are still its own
constexpr size_t kMaxName = 200, kMaxFolders = 16;

constexpr std::string_view kGo = "go test";

bool Is(std::string_view line, const RE2& pattern) { return RE2::FullMatch(re2::StringPiece(line.data(), line.size()), pattern); }

bool Is(std::string_view line, const RE2& pattern, std::string* name) {
  if (!RE2::FullMatch(re2::StringPiece(line.data(), line.size()), pattern, name)) return false;
  *name = std::string(TruncateUtf8(*name, kMaxName));
  return true;
}

// Its runner names a test behind what it says.
bool NamesBehind(std::string_view format) { return format == "GoogleTest" || format == "cmocka"; }

// With "-v" what a test logged stands before its end; what it said where it failed before, in another run of it, stays.
void TakeBack(const std::string& test, std::vector<Trace>* traces) {
  auto from = traces->end();
  while (from != traces->begin() && !(std::prev(from)->kind == TraceKind::kTest && std::prev(from)->test == test)) --from;
  traces->erase(std::remove_if(from, traces->end(), [&](const Trace& trace) { return trace.test == test && trace.format == kGo; }), traces->end());
}

}  // namespace

TestAround::Said TestAround::Take(std::string_view line, std::vector<Trace>* traces) {
  static const RE2 left_out(R"((?:SKIPPED|XFAIL|XPASS|PASSED|RERUN)\s+(?:\[\d+\]\s+)?\S+\.py(?:::|:\d|\s|$).*)");  // pytest's summary
  if (Is(line, left_out)) return Said::kLeftOut;
  Folder(line, traces);
  return Begins(line) || Passes(line, traces) ? Said::kTest : Said::kNothing;
}

bool TestAround::Begins(std::string_view line) {
  static const RE2 go(R"(=== (?:RUN|CONT|NAME)\s+(\S+))"), native(R"(\[ RUN      \] (\S+))"), doctest(R"(TEST CASE:\s+(\S.*))");
  std::string name;
  if (!(line.starts_with("=== ") && Is(line, go, &name)) && !(line.starts_with("[ RUN ") && Is(line, native, &name)) && !(line.starts_with("TEST CASE:") && Is(line, doctest, &name))) return false;
  names_before_ = names_before_ || line.front() == '[';
  test_ = name;
  begun_ = true;
  passed_ = false;
  return true;
}

bool TestAround::Passes(std::string_view line, std::vector<Trace>* traces) {
  static const RE2 go(R"(\s*--- (?:PASS|SKIP): (\S+).*)");
  static const RE2 others(R"(\[ +(?:OK|SKIPPED) +\] .*|\s+Start\s+\d+: .*|\s*\d+/\d+ Test\s+#\d+: .* Passed\b.*|\s*ok \d+\b.*|\s*[✓✔√] .*|test \S+ \.\.\. (?:ok|ignored)|(?:PASS|SKIP|XFAIL): \S+)");
  std::string name;
  const bool of_go = line.find("--- ") != line.npos && Is(line, go, &name);
  if (!of_go && !Is(line, others)) return false;
  if (of_go) TakeBack(name, traces);
  test_.clear();
  begun_ = false;
  passed_ = of_go;
  return true;
}

void TestAround::Folder(std::string_view line, std::vector<Trace>* traces) {
  static const RE2 package(R"(FAIL\s+(\S+)\s+(?:[\d.]+s|\(cached\)|\[).*)"), enters(R"(\S*make(?:\[\d+\])?: Entering directory ['`](.+)')"), leaves(R"(\S*make(?:\[\d+\])?: Leaving directory ['`](.+)')");
  std::string name;
  if (line.starts_with("FAIL") && Is(line, package, &name)) {
    for (size_t i = first_; i < traces->size(); ++i)
      if (std::string_view(traces->at(i).format) == kGo || traces->at(i).format == "Go" || traces->at(i).format == "testify") traces->at(i).folder = name;
    first_ = traces->size();
    passed_ = false;
  } else if (line.starts_with("ok ")) {
    passed_ = false;  // another package's, which has nothing that failed
  } else if (line.find("ing directory ") == line.npos) {
    return;
  } else if (Is(line, enters, &name)) {
    if (folders_.size() < kMaxFolders) folders_.push_back(name);
  } else if (Is(line, leaves, &name)) {
    if (const auto last = std::find(folders_.rbegin(), folders_.rend(), name); last != folders_.rend()) folders_.erase(std::next(last).base());
  }
}

void TestAround::Failed(const std::string& test, std::string_view format, size_t number, std::vector<Trace>* traces) {
  if (NamesBehind(format)) {
    for (size_t i = first_; !names_before_ && i < traces->size(); ++i)
      if (traces->at(i).test.empty() && traces->at(i).format == format) traces->at(i).test = test;
    test_.clear();
  } else {
    test_ = test;
  }
  line_ = number;
  begun_ = passed_ = false;
}

void TestAround::GoesOn(const std::string& title, size_t number) {
  test_ = title;
  line_ = number;
}

void TestAround::Gap(const std::vector<Trace>& traces) {
  first_ = traces.size();
  test_.clear();
  folders_.clear();
  begun_ = passed_ = false;
}

std::string TestAround::Of(size_t number) const { return begun_ || number - line_ < kReaches ? test_ : ""; }

std::string TestAround::folder() const {
  // Several at once, side by side: any of them.
  for (size_t i = 1; i < folders_.size(); ++i)
    if (!folders_[i].starts_with(folders_[i - 1])) return "";
  return folders_.empty() ? "" : folders_.back();
}

}  // namespace paddock::subagents

#include "subagents/playbook/traces/untested.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"
#include "subagents/playbook/traces/bare_line.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxShown = 160;

std::string Shown(std::string_view line) { return std::string(TruncateUtf8(Unindented(line), kMaxShown)); }

}  // namespace

// node's, which says "ok" of what it skips as well.
bool Untested::Counts(std::string_view line) {
  static const RE2 count(R"([#ℹ] (pass|fail|skipped) (\d{1,8}))");
  std::string what;
  int number = 0;
  if (!RE2::FullMatch(re2::StringPiece(line.data(), line.size()), count, &what, &number)) return false;
  if (what != "skipped") ran_ = std::max(ran_, 0) + number;
  else if (number > 0) skipped_ = Shown(line);
  return true;
}

std::string Untested::Line() const {
  if (ran_ == 0 && !skipped_.empty()) return skipped_;
  return tested_ ? "" : line_;
}

void Untested::Take(std::string_view line) {
  static const RE2 nothing(
      R"re((?i)(?:.*nothing to be done for ['`](?:test|check)\w*['.].*|.*\bno tests? (?:were )?(?:ran|run|found|collected|executed|to run)\b.*|.*\bno test (?:files|cases|suites)(?: were)? (?:found|to run)\b.*|\W*(?:\d+ skipped, )?\d+ deselected(?:, \d+ (?:deselected|skipped|warnings?))* in [\d.]+s\W*|\W*\d+ skipped(?:, \d+ (?:deselected|warnings?))* in [\d.]+s\W*|\W*(?:\d+/)?\d+ tests? collected\b.*|test result: ok\. 0 passed; 0 failed;.*|tests:\s+(?:\d+ (?:skipped|todo), )+\d+ total|pytest \d+\.\d+\S*|.*\[no test files\].*|.*\[no tests to run\].*|\W*(?:ran |collected )?0 (?:tests?|items|examples|passing|specs)\b.*))re");
  static const RE2 something(R"((?i)(?:ok|---|===|pass(?:ed)?:?)\s+.*|.*\b[1-9]\d* (?:tests?|passed|passing|failed|failing|examples|assertions|runs|specs|checks)\b.*|.*\bok \d+\b.*|.*: (?:success|passed|ok)\W*)");
  if (Counts(line)) return;
  const re2::StringPiece text(line.data(), line.size());
  if (RE2::FullMatch(text, nothing)) {
    line_ = Shown(line);
  } else if (RE2::FullMatch(text, something)) {
    tested_ = true;
  }
}

}  // namespace paddock::subagents

#include "subagents/playbook/traces/untested.h"

#include <re2/re2.h>

#include "base/text.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxShown = 160;

}  // namespace

void Untested::Take(std::string_view line) {
  static const RE2 nothing(
      R"re((?i)(?:.*nothing to be done for ['`](?:test|check)\w*['.].*|.*\bno tests? (?:were )?(?:ran|run|found|collected|executed|to run)\b.*|.*\bno test (?:files|cases|suites)(?: were)? (?:found|to run)\b.*|.*\[no test files\].*|.*\[no tests to run\].*|\W*(?:ran |collected )?0 (?:tests?|items|examples|passing|specs)\b.*))re");
  static const RE2 something(R"((?i)(?:ok|---|===|pass(?:ed)?:?)\s+.*|.*\b[1-9]\d* (?:tests?|passed|passing|failed|failing|examples|assertions|runs|specs|checks)\b.*|.*\bok \d+\b.*|.*: (?:success|passed|ok)\W*)");
  const re2::StringPiece text(line.data(), line.size());
  if (RE2::FullMatch(text, nothing)) {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    line_ = std::string(TruncateUtf8(line, kMaxShown));
  } else if (RE2::FullMatch(text, something)) {
    tested_ = true;
  }
}

}  // namespace paddock::subagents

// "pattern" of a JSON Schema: a search anywhere in the text, in linear time and bounded memory (RE2's syntax: no look-around, no references).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace paddock::agentcore {

inline constexpr size_t kMaxMatchedText = 16u << 10;  // bytes

struct PatternMatch {
  bool matches = false;
  size_t steps = 0;  // at most so many were needed: the pattern's size by the text's
};
// kInvalid: RE2's own message, also for a pattern whose program is too large. kLimit: the text is longer than kMaxMatchedText.
// A match takes 0.2 s at most, whatever both are.
Result<PatternMatch> MatchPattern(const std::string& pattern, std::string_view text);

}  // namespace paddock::agentcore

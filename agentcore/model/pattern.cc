#include "agentcore/model/pattern.h"

#include <re2/re2.h>

namespace paddock::agentcore {

Result<PatternMatch> MatchPattern(const std::string& pattern, std::string_view text) {
  if (text.size() > kMaxMatchedText) return Fail(ErrorKind::kLimit, "a text of more than " + std::to_string(kMaxMatchedText) + " bytes is not matched");
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(64 << 10);  // bounds the program too, and so the time of a match
  const RE2 re(pattern, options);
  if (!re.ok()) return Fail(ErrorKind::kInvalid, re.error());
  const bool matches = re.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
  return PatternMatch{matches, static_cast<size_t>(re.ProgramSize()) * text.size()};
}

}  // namespace paddock::agentcore

#include "agentcore/model/pattern.h"

#include <re2/re2.h>

namespace paddock::agentcore {

Result<bool> MatchesPattern(const std::string& pattern, std::string_view text) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);  // bounds the program too, and so the time of a match
  const RE2 re(pattern, options);
  if (!re.ok()) return Fail(ErrorKind::kInvalid, re.error());
  return re.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

}  // namespace paddock::agentcore

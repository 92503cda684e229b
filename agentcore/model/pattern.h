// "pattern" of a JSON Schema: a search anywhere in the text, in linear time and bounded memory (RE2's syntax: no look-around, no references).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace paddock::agentcore {

// kInvalid: RE2's own message.
Result<bool> MatchesPattern(const std::string& pattern, std::string_view text);

}  // namespace paddock::agentcore

// A model that chants: says the same over and over within one answer.
#pragma once

#include <cstddef>
#include <string_view>

namespace paddock::agentcore {

// True when `text` ends in at least 8 equal pieces one after the other, 400 bytes in all or more, that say something (not a
// ruler of signs). Looks at the last 16 KiB; linear.
bool IsChant(std::string_view text);

}  // namespace paddock::agentcore

// Rows of the history and symbol tools: columns with a tab between them, one row a line, whatever is in a column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::agentcore {

// Bytes as one column: wire text, cut to `most` bytes, tabs and line ends become spaces.
std::string Column(std::string_view bytes, size_t most);
std::string Row(const std::vector<std::string>& columns);
// Seconds since the epoch as 2026-01-31T12:00:00Z; "unknown" where no calendar has such a day.
std::string UtcTime(int64_t seconds);
// A whole number; -1 for what is none.
int64_t Number(std::string_view text);
// Takes the next part off `rest`, up to `end` or to the last byte.
std::string_view TakePart(std::string_view* rest, char end);

}  // namespace paddock::agentcore

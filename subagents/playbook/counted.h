// Numbers in sentences.
#pragma once

#include <cstdint>
#include <string>

namespace paddock::subagents {

// "1 file", "2 files".
inline std::string Count(int64_t n, const char* one, const char* many) { return std::to_string(n) + " " + (n == 1 ? one : many); }

}  // namespace paddock::subagents

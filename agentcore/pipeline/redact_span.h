// A part of a text that is a secret. What finds secrets gives these, what takes them out is in one place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace paddock::agentcore {

struct RedactSpan {
  size_t begin = 0, end = 0;  // offsets in the text
  std::string_view kind;      // of a rule, or of a known secret: lives as long as they do
  size_t context = 0;         // where what gave it away begins: at most `begin`
  bool counts = true;         // false for the second and later lines of one secret
};

}  // namespace paddock::agentcore

// Where the two values of a failed comparison differ: "expected 'a left' to equal 'a right'", "'a' != 'b'", "- a" above "+ b", "expected: a"
// above "actual: b".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paddock::subagents {

// Words around the first difference; where both begin alike, that beginning.
std::vector<std::string> DifferingWords(std::string_view a, std::string_view b);
// Adds those of a comparison in this line, or in this one and the next: each once, and few of all.
void AddWordsCompared(std::string_view line, std::string_view behind, std::vector<std::string>* words);

}  // namespace paddock::subagents

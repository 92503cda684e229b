// Prose in sentences, so that nothing that is quoted or told ends in the middle of one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paddock::subagents {

// Each with the mark at its end; what stands behind the last mark is one, too.
std::vector<std::string> SentencesOf(std::string_view text);

// All of it where it has no more than `bytes`, else its whole sentences within them; where none ends there, words, and "…".
std::string WholeSentences(std::string_view text, size_t bytes);

}  // namespace paddock::subagents

// Words with letters of two alphabets: where one may mislead, and where it is only a text.
#pragma once

#include <string>
#include <string_view>

namespace paddock::subagents {

// "[A-Za-zА-Яа-яёЁ_]" of a regular expression names alphabets, and spells nothing. Latin letters that stand in brackets by themselves may.
std::string WithoutLetterRanges(std::string line);
// In the line of a program every word that fits stands in a string or comment, and in no address. Of a build's own programs no.
bool StandsInText(std::string_view path, std::string_view line, const char* word);

}  // namespace paddock::subagents

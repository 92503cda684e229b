// Searches for the definitions of many names.
#pragma once

#include <string>
#include <vector>

namespace paddock::subagents {

// The names in groups, each of at most `most` and short enough that DefinitionPattern(AnyOf(group)) is one that search_text takes.
std::vector<std::vector<std::string>> InPatterns(const std::vector<std::string>& names, size_t most);

}  // namespace paddock::subagents

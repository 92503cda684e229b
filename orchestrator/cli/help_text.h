// The help that CLI11 makes, with its lines broken between words: it breaks none itself, and a terminal breaks them anywhere.
#pragma once

#include <string>

namespace paddock::orchestrator {

inline constexpr size_t kHelpColumn = 26;  // where descriptions begin

// Columns of the terminal, at most 100; 80 where there is none.
size_t HelpWidth();
// Descriptions hang at kHelpColumn, other lines at their own indentation. An example stays on its line: it is there to be copied.
std::string WrapHelp(const std::string& help, size_t width);

}  // namespace paddock::orchestrator

// A line of a log as the program meant it.
#pragma once

#include <string>
#include <string_view>

namespace paddock::subagents {

// Without colours, and without what continuous integration and CTest put in front; `buffer` may be what holds it.
std::string_view BareLine(std::string_view line, std::string* buffer);

}  // namespace paddock::subagents

// A line of a log as the program meant it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paddock::subagents {

// Without colours, and without what continuous integration and CTest put in front; `buffer` may be what holds it.
std::string_view BareLine(std::string_view line, std::string* buffer);
std::string_view Unindented(std::string_view line);
// Of a run's log, by its header (delegation/needs_run.h).
int64_t StatusIn(std::string_view header);

}  // namespace paddock::subagents

// Words for people on stderr and results on stdout.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

namespace paddock::orchestrator {

// "paddock: what failed" and, on a line of its own, what to do. Everything is made visible.
void PrintError(const Error& error);
void PrintErrors(const Error& first, const std::vector<Error>& further);
// An empty line between progress and result, where a person sees both.
void PrintGap();
// All of it, or false with a word on stderr (a closed pipe, a full disk).
bool PrintAll(int fd, std::string_view text);

}  // namespace paddock::orchestrator

// What a playbook says is put together from paths, names and commands of the repository, any of which may be long: here the
// report is brought within its own table's bounds, so that none is ever refused for its length.
#pragma once

#include <string>

#include "subagents/report.h"

namespace paddock::subagents {

// At most `bytes` of it (at least 16): the longest words, which are paths and names, lose their middle first: "No test names `x`
// (deep/dow…/oven.py:12)". UTF-8 stays whole.
std::string ShortenWords(std::string text, size_t bytes);

void FitReport(Report* report);

}  // namespace paddock::subagents

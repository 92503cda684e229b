// Comments and texts of several lines: what stands in them is no code.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "subagents/playbook/diff.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// Which lines of a hunk lie in a comment or a text of several lines, as far as the hunk shows.
std::vector<bool> InLongComment(std::string_view language, const Hunk& hunk);

// The lines of Python's docstrings in a file that was read from its first line on, their quotes with them.
std::set<int64_t> LinesOfDocstrings(const SeenLines& lines);

// How many lines of the change to a file are code, neither comments nor docstrings. `lines`: the file as it is after the change,
// or nullptr where it wasn't read.
int64_t CountChangedCode(const FileDiff& file, const SeenLines* lines);

}  // namespace paddock::subagents

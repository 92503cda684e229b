// What is told of a file that the goal names.
#pragma once

#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// What it defines, and which other files name it. The file must be one of which something was read.
std::vector<ClaimedFinding> FindingsOfFile(const RepoView& view, const std::string& file);

}  // namespace paddock::subagents

// Of a file the line that shows best what it is.
#pragma once

#include <optional>
#include <string>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// The first of the lines that say most: a definition before other code, that before comments.
std::optional<Citation> TellingLine(const RepoView& view, const std::string& path);

}  // namespace paddock::subagents

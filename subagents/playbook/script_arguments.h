// Whether a script can be run as it stands.
#pragma once

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// It takes its first argument for given, as far as its lines were seen: run without one it fails.
bool NeedsArguments(const RepoView& view, const std::string& path);

}  // namespace paddock::subagents

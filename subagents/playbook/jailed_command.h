// Commands in a jail, as somebody can copy them.
#pragma once

#include <string>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// "paddock run --profile build -- make", by a shell where it is more than one program with arguments.
std::string Jailed(const std::string& command);
// What installs or builds it, where the names in the root leave no doubt about that; COMMAND otherwise. Says that the jail has no network.
std::string JailedBuildOf(const RepoView& view);

}  // namespace paddock::subagents

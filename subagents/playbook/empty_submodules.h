// Submodules that nobody has fetched yet: a build of what lies in them fails.
#pragma once

#include <vector>

#include "subagents/playbook/facts.h"

namespace paddock::subagents {

inline constexpr char kFetchSubmodules[] = "git submodule update --init";

// Their folders, each with its line of .gitmodules; none where not all files are known.
std::vector<Fact> EmptySubmodules(const RepoView& view);

}  // namespace paddock::subagents

// Whether the explorer's overview answers a goal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paddock::subagents {

// Does the goal ask for no more than what an overview tells: what the repository is, how it is built and tested, where it starts, what it needs? One word
// of something else, or a wish that something be done, and it does. `names`: of the repository, which a goal may name.
bool IsOfOverview(std::string_view goal, const std::vector<std::string>& names);

}  // namespace paddock::subagents

// Which tools a profile makes possible: those that start no program, and those whose programs it lists.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/profile.h"

namespace paddock::orchestrator {

// Names, in the order of the registry.
std::vector<std::string> AllTools();
std::vector<std::string> ToolsFor(const sandbox::Profile& profile);

// kInvalid names the first of `tools` that the profile makes impossible, the program that is missing in its list, and the
// shipped profiles that have it.
Status ToolsFit(const std::vector<std::string>& tools, const sandbox::Profile& profile);

// The profile with no more programs than these tools start: nobody else in such a cell starts any. Without tools, none.
sandbox::Profile NarrowedTo(const std::vector<std::string>& tools, sandbox::Profile profile);

// The shipped profile that serves the tool and grants least: read-only, else the first that lists its programs.
std::string ProfileForTool(const std::string& tool);

}  // namespace paddock::orchestrator

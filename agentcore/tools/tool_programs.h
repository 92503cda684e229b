// The programs that tools start: such a tool works only in a jail whose profile lists its programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/tool_error.h"

namespace paddock::agentcore {

struct ProgramNeed {
  std::string name;     // as a profile lists it
  std::string package;  // of Debian
};

// What the tool of that name starts; nothing for most.
std::vector<ProgramNeed> ProgramsOf(std::string_view tool);

// That it is not there to be started: not installed, or not in the profile's list. Names the package.
ToolError NoProgram(const ProgramNeed& program);

}  // namespace paddock::agentcore

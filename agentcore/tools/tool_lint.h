// Does a tool's description tell a model enough? What it is for, each parameter with what it means and its bounds, what it is not for, and
// an example that the tool would take.
#pragma once

#include <string>
#include <vector>

#include "agentcore/tools/tool.h"

namespace paddock::agentcore {

// What is missing, one sentence each; empty for a sound description.
std::vector<std::string> LintTool(const ToolSpec& tool);

}  // namespace paddock::agentcore

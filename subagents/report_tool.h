// The tool `report` as a language model is told of it. Its call ends the conversation; it never runs in a cell.
#pragma once

#include "agentcore/tools/tool.h"

namespace paddock::subagents {

agentcore::ToolSpec ReportTool();

}  // namespace paddock::subagents

// The artifacts that git_diff and git_show share: the list of changed files, then each file's hunks.
#pragma once

#include <string>

#include "agentcore/tools/patch.h"
#include "agentcore/tools/run_program.h"
#include "agentcore/tools/tool.h"

namespace paddock::agentcore {

inline constexpr size_t kMaxDiffFiles = 1500;

// Adds them to `result`, with what is to be said about them in its output, status and summary. `end.output` is what git wrote.
void AddDiff(const std::string& path, const ProgramEnd& end, const ToolContext& context, ToolResult* result);

}  // namespace paddock::agentcore

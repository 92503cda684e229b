// A tool's result as the text that a language model is shown: how it ended and what to do about it first, then what
// the tool says, then lines of files with their numbers, in few tokens.
//
//   partial: 2 lines match in 1 file
//   next: search_text {"pattern":"main","offset":2}
//
//   src/main.c:11-12
//   11| // starts here
//   12> int main() {
#pragma once

#include <string>

#include "agentcore/tools/tool_result.h"

namespace paddock::agentcore {

// `result` must be cleaned (CleanResult): nothing is bounded or made visible here. `>` marks lines that matched.
std::string RenderResult(const ToolResult& result);

// The same, as untrusted (Wrap): what came of a call of `tool` in a cell.
std::string RenderUntrusted(const ToolResult& result, const std::string& tool);

}  // namespace paddock::agentcore

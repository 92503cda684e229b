// What other tools' names of tools are here. All of ours that come out only look.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subagents/foreign_definition.h"

namespace paddock::subagents {

struct ToolMeaning {
  std::vector<std::string> tools;  // ours; empty: nothing here does that
  LossKind loss = LossKind::kUnknown;
  std::string why;  // of what is lost, or empty
};

// `Read`, `read_file`, `Bash(git log:*)`, `mcp__server__tool`, `*` (everything), in any case of letters.
ToolMeaning MeaningOfTool(std::string_view name);
// `git log*`, as a pattern of commands.
ToolMeaning MeaningOfCommand(std::string_view pattern);

// What there is where a definition names no tools: everything that looks.
const std::vector<std::string>& AllTools();

// Whether it stands for starting commands.
bool IsCommandTool(std::string_view name);

}  // namespace paddock::subagents

// A tool's result for a person: paths, entries, numbered lines, and what the tool says of them. Everything that came
// from the repository is made visible first.
#pragma once

#include <string>

#include "orchestrator/report/text_style.h"
#include "subagents/tool_call.h"

namespace paddock::orchestrator {

std::string ToolCallText(const subagents::ToolCallReport& report, const TextStyle& style);

// "Use: " of a tool's description: its first sentence.
std::string UseOf(const std::string& description);

}  // namespace paddock::orchestrator

// A run of the main agent for a person: its answer, and one line about what it took.
#pragma once

#include <string>

#include "orchestrator/agent/exec_result.h"

namespace paddock::orchestrator {

// For standard output: the answer, and the findings where there are any.
std::string AnswerText(const ExecResult& result);
// "completed: 4 turns, 9 calls, 2 subagents, 12000 tokens, 8.1 s"
std::string SummaryLine(const ExecResult& result);

}  // namespace paddock::orchestrator

// A run of the main agent for a person: its answer, and one line about what it took.
#pragma once

#include <string>

#include "orchestrator/agent/exec_result.h"
#include "orchestrator/report/text_style.h"

namespace paddock::orchestrator {

// For standard output: the answer as the model gave it (on a terminal, wrapped), and its findings as in a ticket.
std::string AnswerText(const ExecResult& result, const TextStyle& style);
// "completed: 4 turns, 9 calls, 2 subagents, 12000 tokens, 8.1 s"
// `replayed`: its answers are a cassette's, and nothing was spent.
std::string SummaryLine(const ExecResult& result, bool replayed = false);

}  // namespace paddock::orchestrator

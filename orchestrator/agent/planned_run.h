// A planned run: one agent makes a plan, another carries out one step at a time, each step in a conversation of its own;
// between them go tickets and nothing else.
//
//   planner (a subagent) → steps → executor for step 1 → its result → executor for step 2 → ...
//
// The planner never sees what a tool of the work gave, only how each step ended and what it answered, and is asked for the
// rest of the plan once more where a step did not end well. All spend from one ledger.
#pragma once

#include <string>

#include "orchestrator/agent/main_agent.h"

namespace paddock::orchestrator {

inline constexpr int kMaxSteps = 12;      // of one plan
inline constexpr int kMaxPlans = 3;       // of one run: the first and two more
inline constexpr int kStepTurns = 25;

// `planner`: the name of one of agent.subagents. Never fails: every failure is a result.
ExecResult RunPlanned(const MainAgent& agent, const std::string& planner);

}  // namespace paddock::orchestrator

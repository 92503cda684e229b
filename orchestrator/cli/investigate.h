// `paddock investigate SUBAGENT "GOAL"`: one delegated investigation, one ticket out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/cli/choose_model.h"
#include "orchestrator/cli/run_policy.h"

namespace paddock::orchestrator {

// What the command line said, unchecked.
struct InvestigateOptions {
  std::string subagent, goal;
  std::string repo = ".";
  std::string context, context_file;
  ModelFlags model;
  RunFlags run;
  std::optional<std::string> timeout;
  std::optional<std::string> max_turns;
  std::optional<std::string> max_cost;  // US dollars
  std::optional<std::string> tools;  // comma text
  std::string schema;                // file: JSON Schema of `data`
  std::string ticket;                // file, or - for standard input: instead of subagent and goal
  std::vector<std::string> hide;  // patterns, beside those of the profile
  std::string insist;
  bool json = false;
};

// The exit status (exit_codes.h). Prints the ticket on stdout, progress and errors on stderr.
int RunInvestigate(const InvestigateOptions& options);

}  // namespace paddock::orchestrator

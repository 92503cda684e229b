// `paddock exec "TASK"`: one run of the main agent, and nobody is asked anything.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "orchestrator/cli/choose_model.h"
#include "orchestrator/cli/run_policy.h"

namespace paddock::orchestrator {

// What the command line said, unchecked.
struct ExecOptions {
  std::string task;  // `-`: on standard input
  std::string repo = ".";
  ModelFlags model;
  RunFlags run;  // of its subagents
  std::optional<std::string> timeout, max_turns, max_cost;
  std::string profile = "read-only";  // of the workbench
  std::vector<std::string> hide;      // patterns, beside those of the profile
  std::string insist;
  bool plan = false;
  bool quarantine = false;
  std::string planner;
  bool json = false;
};

// The exit status (exit_codes.h). Prints the answer on stdout, or events with --json; progress and errors on stderr.
int RunExec(ExecOptions options);
// Bad usage: nothing is started. With --json there is a result all the same.
int RefuseExec(const ExecOptions& options, const Error& error);

}  // namespace paddock::orchestrator

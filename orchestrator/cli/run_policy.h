// Whether, and how long, what subagents ask for may be run: by flags and config.json.
#pragma once

#include <optional>
#include <string>

#include "orchestrator/cli/config.h"
#include "orchestrator/delegation/needs_run.h"

namespace CLI {
class App;
}

namespace paddock::orchestrator {

// What the command line said, unchecked.
struct RunFlags {
  bool allow_run = false;
  std::optional<std::string> run_seconds;
};

void AddRunPolicyFlags(CLI::App* command, RunFlags* flags);
Result<RunPolicy> ChooseRunPolicy(const RunFlags& flags, const Config& config);
// Before any jail and any thread: finds where control groups can be made.
void PrepareRuns(RunPolicy* policy, const std::string& programs_folder, const Config& config);

}  // namespace paddock::orchestrator

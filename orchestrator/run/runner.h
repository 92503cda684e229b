// One command in one jail, from its profile to its report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/run/outcome.h"
#include "orchestrator/run/run_signals.h"
#include "sandbox/jail.h"
#include "sandbox/limits/place.h"
#include "sandbox/plan_builder.h"
#include "sandbox/profile.h"
#include "sandbox/workspace.h"

namespace paddock::orchestrator {

struct RunOrder {
  const sandbox::Profile* profile = nullptr;
  const sandbox::Workspace* workspace = nullptr;  // null where the profile has none
  std::vector<std::string> command;               // bytes, at least one word
  std::optional<int64_t> timeout_ms;              // the earlier of it and the profile's counts
  bool keep_output = false;                       // in memory, for the report, instead of passing it on
  bool apart = false;                             // from this process's descriptors: no input, and both outputs are kept as one, head and tail
  std::string programs_folder, working_folder;
  sandbox::Caller caller;
  sandbox::Launcher* launcher = nullptr;  // of this run alone: dismissed when the program has ended
  const sandbox::limits::Places* places = nullptr;  // where control groups can be made
  RunSignals* signals = nullptr;
};

// Descriptors 0 to 2 of this process are the program's, as run/stdio.h has it, unless it runs apart. Whatever happens there is a report, no
// process of the jail is left and the terminal is as it was.
RunReport RunInJail(const RunOrder& order);

// A report of a run that came to nothing before there was an order.
RunReport NothingRan(const std::vector<std::string>& command, const std::string& profile, const std::string& stage, const Error& error);

}  // namespace paddock::orchestrator

// The words of the command line: what may be said to each command. One file a group of commands; main.cc reads what was said.
#pragma once

#include <CLI/App.hpp>

#include <functional>
#include <optional>
#include <vector>

#include "orchestrator/cli/choose_model.h"
#include "orchestrator/cli/exec.h"
#include "orchestrator/cli/run.h"

namespace paddock::orchestrator {

struct Command {
  CLI::App* words;               // owned by the app
  std::function<int()> perform;  // after parsing; holds its own options. The exit status
};
using Commands = std::vector<Command>;

// Each adds its commands to `app`. Options that main.cc needs when the words are refused are its own, and borrowed.
void AddAgentCommands(CLI::App* app, ExecOptions* exec, Commands* commands);  // investigate, exec, recheck
void AddToolCommands(CLI::App* app, Commands* commands);                      // tool, redact, wrap
void AddSetupCommands(CLI::App* app, Commands* commands);                     // models, profile, subagents, trust, doctor
// `launcher` may have been begun before the words were read, and is taken by the command.
void AddRunCommands(CLI::App* app, RunOptions* run, std::optional<RunLauncher>* launcher, Commands* commands);  // run, shell

void AddModelFlags(CLI::App* command, ModelFlags* flags);

inline constexpr char kExitStatuses[] =
    "Exit status: 0 completed, 1 ended otherwise (see the ticket's status), 2 bad usage and nothing was started, "
    "3 failed to start (no jail, or not the one that the profile requires), 4 paddock itself failed, "
    "130, 143 and 129 stopped by SIGINT, SIGTERM and SIGHUP.";

}  // namespace paddock::orchestrator

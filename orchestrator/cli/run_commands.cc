// run and shell.
#include <optional>
#include <utility>

#include "orchestrator/cli/commands.h"

namespace paddock::orchestrator {
namespace {

void AddRunFlags(CLI::App* command, RunOptions* options) {
  command->add_option("--profile", options->profile, "Sandbox profile: a name, or a file (default: build)");
  command->add_option("--repo", options->repo, "Folder of the repository (default: the current one)");
  command->add_option("--timeout", options->timeout, "Longest time, for example 60s or 5m");
  command->add_option("--insist", options->insist, "Allow this folder though it is a home folder, / or the system's");
}

}  // namespace

void AddRunCommands(CLI::App* app, RunOptions* options, std::optional<RunLauncher>* launcher, Commands* commands) {
  CLI::App* run = app->add_subcommand("run", "Run any command in a jail");
  CLI::App* shell = app->add_subcommand("shell", "A shell in a jail, in a stranger's repository");
  for (CLI::App* command : {run, shell}) AddRunFlags(command, options);
  run->add_flag("--json", options->json, "Print how it ended, its output and what was denied as one line of JSON");
  run->footer("The command begins at the first word that is no option, or after --.\n\nExample: paddock run --repo ~/src/thing -- make check\n\n"
              "Profiles: paddock profile list. A profile of your own: docs/profiles.md.\n\n"
              "Exit status: that of the command; 128 + n when signal n ended it; 124 its time was up, 125 paddock failed or nothing "
              "was started, 126 the command can't be run, 127 there is no such command.");
  shell->footer("Example: paddock shell --repo ~/src/thing");
  const auto perform = [options, launcher](bool as_shell) {
    options->shell = as_shell;
    return RunRun(*options, launcher->has_value() ? std::move(**launcher) : BeginLauncher());
  };
  commands->push_back({run, [=] { return perform(false); }});
  commands->push_back({shell, [=] { return perform(true); }});
}

}  // namespace paddock::orchestrator

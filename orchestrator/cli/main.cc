// paddock: the command line. What may be said stands in commands.h, one file a group; this one reads what was said.
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "orchestrator/cli/commands.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/help_formatter.h"
#include "orchestrator/cli/odd_words.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/start_up.h"

namespace {

using namespace paddock;
using namespace paddock::orchestrator;

// What CLI11 printed has gone out, or it has not.
int Shown(int) {
  std::cout.flush();
  return std::cout ? kExitCompleted : kExitInternal;
}

}  // namespace

int main(int argc, char** argv) {
  TidyUp();
  const std::vector<std::string> words(argv, argv + argc);
  const bool runs = words.size() > 1 && (words[1] == "run" || words[1] == "shell");
  std::optional<RunLauncher> launcher;
  if (runs) launcher = BeginLauncher();
  CLI::App app("paddock runs AI agents on code that nobody has vouched for.", "paddock");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", "paddock " PADDOCK_VERSION);
  app.require_subcommand(0, 1);
  ExecOptions exec;
  RunOptions run;
  Commands commands;
  AddAgentCommands(&app, &exec, &commands);
  AddToolCommands(&app, &commands);
  AddSetupCommands(&app, &commands);
  AddRunCommands(&app, &run, &launcher, &commands);
  // What stands after the options of `run` is the program's, whatever it looks like.
  const size_t options_end = runs && words[1] == "run" ? EndOfRunOptions(words) : words.size();
  if (options_end < words.size()) run.command.assign(words.begin() + static_cast<ptrdiff_t>(options_end) + (words[options_end] == "--"), words.end());
  const auto refuse = [&](const Error& error) {
    if (words.size() > 1 && words[1] == "exec") {
      exec.json = std::find(words.begin(), words.end(), "--json") != words.end();
      return RefuseExec(exec, error);
    }
    if (!runs) return PrintError(error), kExitUsage;
    run.json = words[1] == "run" && RunAsksForJson(words, options_end);
    return RefuseRun(run, error);
  };
  try {
    app.parse(static_cast<int>(options_end), argv);
  } catch (const CLI::Success& asked) {  // for help, or the version
    if (auto none = NoSuchCommand(app, words)) return refuse(*none);
    return Shown(app.exit(asked));
  } catch (const CLI::ParseError& fault) {
    return refuse(OddWords(app, fault, words));
  }
  for (const Command& command : commands)
    if (*command.words) return command.perform();
  PrintError(Error{ErrorKind::kInvalid, "no command given", "for example: paddock investigate explorer \"what is this?\" --repo DIR", 0});
  return kExitUsage;
}

// `paddock run [options] [--] COMMAND...` and `paddock shell`: a command in a jail, its exit status passed on.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/jail.h"

namespace paddock::orchestrator {

// What the command line said, unchecked.
struct RunOptions {
  std::string profile = "build";
  std::optional<std::string> repo;  // default: the current folder
  std::string insist;
  std::optional<std::string> timeout;
  bool json = false;
  bool shell = false;
  std::vector<std::string> command;  // bytes
};

// Where the options of `run` end: the index of `--`, or of the first word that belongs to no option; argc when there is
// no command. From there on nothing is looked at but by the program. `argv[1]` is "run".
size_t EndOfRunOptions(const std::vector<std::string>& argv);

// Is --json among the options, which end at `end`? For who can't parse them.
bool RunAsksForJson(const std::vector<std::string>& argv, size_t end);

// The launcher of one run, begun before the words are read: it gets ready meanwhile.
struct RunLauncher {
  std::string programs_folder;
  Result<std::unique_ptr<sandbox::Launcher>> launcher;
};
RunLauncher BeginLauncher();

// The exit status (run/outcome.h).
int RunRun(const RunOptions& options, RunLauncher launcher);
// As that, where the words themselves are at fault.
int RefuseRun(const RunOptions& options, const Error& error);

}  // namespace paddock::orchestrator

// From what was seen at the end of a run to its ending. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/run/outcome.h"
#include "orchestrator/run/run_loop.h"

namespace paddock::orchestrator {

struct EndFacts {
  LoopEnd loop;
  std::string copy_report;               // what the copier said (subagents/cell/copy_workspace.h); may be empty
  std::string program;                   // the first word of the command; bytes
  std::vector<std::string> listed;       // the only programs that the profile lets run; empty: it has no list
  std::string profile;
  bool out_of_memory = false;            // a control group killed for it
  std::optional<uint64_t> cpu_limit_us;  // of each process
};

// How the jail says it ended outranks why this process wanted to end it: a program that ended by itself in that moment
// ended by itself. `notes` gets what the private copy lacks.
RunEnding EndingOfRun(const EndFacts& facts, std::vector<std::string>* notes);

// "make: not found", "./x: can't be run: EACCES". ENOENT is exit status 127, all others 126.
RunEnding ExecEnding(const std::string& program, int err);
RunEnding LauncherDiedEnding();

}  // namespace paddock::orchestrator

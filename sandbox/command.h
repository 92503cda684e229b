// The program that a command names, looked up on the host: for jails in which only what is named can run. Elsewhere it is looked
// up in the jail, when it is started (Plan::program).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace paddock::sandbox {

struct Command {
  std::string file;        // absolute, without symbolic links
  bool installed = false;  // by root: its bytes may be read (elf.h)
};

// By the caller's PATH, or relative to the current folder where it has a slash. kNotFound (exit status 127 to a shell):
// there is none; kDenied (126): there is one, but it can't be run.
Result<Command> FindCommand(const std::string& word);

}  // namespace paddock::sandbox

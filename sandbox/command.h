// The program that a command names, looked up where the command will be started: on the host for a jail that holds
// nothing but it, in the jail otherwise.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace paddock::sandbox {

struct Command {
  std::string given;   // the first word
  std::string file;    // absolute, without symbolic links
  bool installed = false;  // by root: its bytes may be read (elf.h)
};

// By the caller's PATH, or relative to the current folder where it has a slash. kNotFound (exit status 127 to a shell):
// there is none; kDenied (126): there is one, but it can't be run.
Result<Command> FindCommand(const std::string& word);

}  // namespace paddock::sandbox

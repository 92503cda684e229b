// What was missing where a command ran, by a line of its log: a network, a dependency, a program, what the command itself asks for (a
// target, an option), a build folder of its own, a submodule. That is no bug of what was run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace paddock::subagents {

enum class LackKind {
  kNetwork,
  kDependency,
  kOwnPackage,   // the repository's own, which is to be installed first
  kProgram,
  kCommand,
  kBuildFolder,  // it was configured elsewhere
  kSubmodule,    // nobody has fetched it
};

struct Lack {
  LackKind kind = LackKind::kNetwork;
  std::string what;    // the dependency's or program's name, the folder, or what the command asks for; may be empty
  std::string line;    // of the log
  size_t number = 0;   // of that line, from 1; 0: of none
  bool goes_on = false;  // the line goes on with what one before it began to tell
};

// `before`: the few lines before it; `next`: the line behind it, which tells `#include <a.h>` from `#include "a.h"`.
std::optional<Lack> LackIn(std::string_view line, std::span<const std::string_view> before, std::string_view next);

}  // namespace paddock::subagents

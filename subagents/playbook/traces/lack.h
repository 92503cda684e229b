// What was missing where a command ran, by a line of its log: a network, a dependency, a program, or what the command itself asks for (a
// target, an option). That is no bug of what was run.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paddock::subagents {

enum class LackKind { kNetwork, kDependency, kProgram, kCommand };

struct Lack {
  LackKind kind = LackKind::kNetwork;
  std::string what;    // the dependency's or program's name, or what the command asks for; may be empty
  std::string line;    // of the log
  size_t number = 0;   // of that line, from 1; 0: of none
};

// `next`: the line behind it, which tells `#include <a.h>` from `#include "a.h"`.
std::optional<Lack> LackIn(std::string_view line, std::string_view next);

}  // namespace paddock::subagents

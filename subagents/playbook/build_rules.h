// What build files imply: a table of "this line in that file means this command".
//
// A command is offered only where its basis was seen, and that line is its evidence: `make test` needs a `test:`
// target, `npm test` a script of that name, `ctest` an enable_testing(). Several rules may offer the same
// command; the score says how direct the implication is.
#pragma once

#include <span>

#include "subagents/playbook/command.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {

struct BuildRule {
  const char* system;    // "CMake"
  CommandKind kind;
  const char* group;     // as Command::tool: offers of one group are one command
  const char* command;   // FillTemplate
  LineRule basis;
  int score;
  const char* languages = "";           // RE2 of the languages that it is for; empty: any
  const char* requires_file = nullptr;  // RE2: such a file must exist
  const char* without_file = nullptr;   // RE2: no such file may exist
};
std::span<const BuildRule> BuildRules();

// Files that must exist for a command of a group that only documentation names. Null: none of ours.
const char* BasisFilesOf(std::string_view group);

}  // namespace paddock::subagents

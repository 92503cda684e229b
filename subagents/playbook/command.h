// One shell command as documentation and CI files write it, told from prose.
//
// The table of tools is the only judge: the first word must be a known tool, what follows must be what that tool
// takes (a subcommand, an option, a known target). "make sure" and "go to the wiki" are therefore no commands,
// and neither is a line with a placeholder, a redirection or a variable in it.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::subagents {

enum class CommandKind { kOther, kSetup, kConfigure, kBuild, kTest };

struct Command {
  std::string text;  // "cd tests && ./runtests.py", white space collapsed
  std::string tool;  // group that it is merged by: "make", "cmake", "npm", "script:./check"
  CommandKind kind = CommandKind::kOther;
  int extras = 0;    // options and variables: fewer is plainer
};

// What the repository has to offer, for words that only then are commands.
struct CommandWorld {
  std::function<bool(std::string_view)> has_file;    // relative path
  std::function<bool(std::string_view)> has_folder;
  std::set<std::string> make_targets;
  std::set<std::string> npm_scripts;
};

// The commands of one line, in order: `$ ` prompts are dropped; `&&` and `;` separate. `cwd` is the folder that an
// earlier `cd` of the same block went to, and is kept up to date.
std::vector<Command> ParseCommandLine(std::string_view line, const CommandWorld& world, std::string* cwd);

// By the words of a name: "run_tests.sh" → kTest, "build-all" → kBuild, else kOther.
CommandKind KindOfName(std::string_view name);

// True when every byte is one that a shell takes as it is, and it doesn't begin with "-".
bool IsPlainPath(std::string_view path);

}  // namespace paddock::subagents

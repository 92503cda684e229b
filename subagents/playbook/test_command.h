// The command that shows which tests fail: what the goal names, else what the repository's own build files and documentation say.
#pragma once

#include <string>
#include <string_view>

#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// Which folders at the top are those of a build that was configured: ignored ones mostly, which no other listing has.
void AskForBuildFolders(CallQueue* queue);

// For `sh -c` at the top of a fresh copy, without a network; "" where nothing says how the tests are run. A command that `goal` quotes
// comes first, if it is one that runs tests. Of several ways the shell takes the first that what is installed there allows.
std::string TestCommand(const RepoView& view, std::string_view goal);

// What the goal quotes and reads as a command line of a tool; "" where it quotes none.
std::string QuotedCommand(std::string_view goal);
// That it is not what TestCommand takes, and why, as a sentence; "" where it is taken or nothing is quoted.
std::string NotTaken(const RepoView& view, std::string_view goal);

}  // namespace paddock::subagents

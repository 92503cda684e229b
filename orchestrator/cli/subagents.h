// `paddock subagents list` and `paddock subagents show`: who can be sent, and what its model is told.
#pragma once

#include <string>

namespace paddock::orchestrator {

struct SubagentsOptions {
  std::string name;
  std::string repo = ".";
  bool json = false;
};

// The shipped ones, the user's own, and other tools' in the home and the repository; those that can't be used too, each with why. Exit status 0 also then.
int RunSubagentsList(const SubagentsOptions& options);
// System prompt, tools and first words, exactly as they are sent, with an estimate of their tokens.
int RunSubagentsShow(const SubagentsOptions& options);

}  // namespace paddock::orchestrator

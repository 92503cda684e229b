// The main agent's system prompt: data, embedded when paddock is built, and the same from run to run.
#pragma once

#include <string>

namespace paddock::orchestrator {

struct PromptKind {
  bool plan = false, quarantine = false;
};
std::string MainPrompt(const PromptKind& kind);

}  // namespace paddock::orchestrator

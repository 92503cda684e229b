// The main agent's system prompt: data, embedded when paddock is built, and the same from run to run.
#pragma once

#include <string>

namespace paddock::orchestrator {

std::string MainPrompt(bool plan);

}  // namespace paddock::orchestrator

// Context windows of well-known models that only their makers serve, by the beginning of their names.
//
// From the makers' documentation; where versions of a family differ, the smallest. What others serve too (open weights) is not here:
// its window is what its server was started with.
#pragma once

#include <cstdint>
#include <string>

namespace paddock::orchestrator {

// Tokens; 0 where the name is not known. A maker before the last slash is passed over ("openai/gpt-4o").
int64_t KnownWindow(const std::string& model);

}  // namespace paddock::orchestrator

// The one line that a person gets after a run, when there is something to say.
#pragma once

#include <string>

#include "orchestrator/run/outcome.h"

namespace paddock::orchestrator {

// "paddock: ..." and a newline, or "": the program ended by itself, nothing was dropped or denied. Names that come from
// the program are made visible and bounded.
std::string RunText(const RunReport& report);

}  // namespace paddock::orchestrator

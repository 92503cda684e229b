// How many subagents the main agent may have.
#pragma once

#include <cstdint>

#include "base/fields.h"

namespace paddock::orchestrator {

struct SubagentLimits {
  int64_t at_once = 8;
  int64_t per_run = 32;
};
inline auto Fields(FieldsOf<SubagentLimits>) {
  return std::make_tuple(Optional("at_once", &SubagentLimits::at_once, "subagents of one run that work at the same time; the others wait").Min(1).Max(64),
                         Optional("per_run", &SubagentLimits::per_run, "subagents that one run may start").Min(1).Max(1000));
}

}  // namespace paddock::orchestrator

// What the main agent may do, decided between the model and whoever runs the call. Approvals by a person will go here.
#pragma once

#include <string>
#include <vector>

#include "agentcore/tools/tool.h"

namespace paddock::orchestrator {

struct PolicyDecision {
  bool allowed = false;
  std::string rule;    // that decided
  std::string reason;  // for the model and for people, where it is not allowed
};

// The policy of this version: looking is allowed, nothing else is.
PolicyDecision Decide(const agentcore::ToolSpec& tool);

// What is put on offer. With `plan` a tool that changes or runs anything is not even shown.
std::vector<agentcore::ToolSpec> ToolsOnOffer(std::vector<agentcore::ToolSpec> tools, bool plan);

}  // namespace paddock::orchestrator

#include "orchestrator/agent/policy.h"

#include <algorithm>

namespace paddock::orchestrator {

using agentcore::ToolEffect;

PolicyDecision Decide(const agentcore::ToolSpec& tool) {
  if (tool.effect == ToolEffect::kReads) return {true, "reads", ""};
  const std::string does = tool.effect == ToolEffect::kRuns ? "runs a program" : "changes files";
  return {false, "only-reads", "rule only-reads: " + tool.name + " " + does + ", and nobody can be asked whether it may"};
}

std::vector<agentcore::ToolSpec> ToolsOnOffer(std::vector<agentcore::ToolSpec> tools, bool plan) {
  if (plan) std::erase_if(tools, [](const auto& tool) { return tool.effect != ToolEffect::kReads; });
  return tools;
}

}  // namespace paddock::orchestrator

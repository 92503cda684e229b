#include "orchestrator/agent/agent_tools.h"

#include "orchestrator/agent/policy.h"

namespace paddock::orchestrator {

const agentcore::ToolSpec* AgentTools::Find(const std::string& name) const {
  for (const auto& spec : specs_)
    if (spec.name == name) return &spec;
  return nullptr;
}

bool AgentTools::ReadOnly(const agentcore::ToolCall& call) const {
  const agentcore::ToolSpec* spec = Find(call.tool);
  return spec && spec->effect == agentcore::ToolEffect::kReads;
}

agentcore::ToolResult AgentTools::Run(const agentcore::ToolCall& call, const Deadline& deadline) {
  const agentcore::ToolSpec* spec = Find(call.tool);
  if (!spec) return agentcore::ToolFailure(agentcore::ToolStatus::kInvalidArguments, "there is no tool \"" + call.tool + "\" on offer", "");
  if (const PolicyDecision decision = Decide(*spec); !decision.allowed)
    return agentcore::ToolFailure(agentcore::ToolStatus::kDenied, decision.reason, "do what can be done by looking, and say what is left to do");
  return subagents_->Has(call.tool) ? subagents_->Run(call) : workbench_->Call(call, deadline);
}

}  // namespace paddock::orchestrator

// Runs the main agent's calls: policy first, then the workbench, or a subagent.
#pragma once

#include <vector>

#include "agentcore/loop/conversation.h"
#include "orchestrator/agent/subagent_tool.h"
#include "orchestrator/workbench/workbench.h"

namespace paddock::orchestrator {

// Run is thread-safe.
class AgentTools : public agentcore::CallRunner {
 public:
  // All borrowed; `specs` are what is on offer.
  AgentTools(std::vector<agentcore::ToolSpec> specs, Workbench* workbench, SubagentTool* subagents) : specs_(std::move(specs)), workbench_(workbench), subagents_(subagents) {}

  agentcore::ToolResult Run(const agentcore::ToolCall& call, const Deadline& deadline) override;
  bool ReadOnly(const agentcore::ToolCall& call) const override;

 private:
  const agentcore::ToolSpec* Find(const std::string& name) const;

  const std::vector<agentcore::ToolSpec> specs_;
  Workbench* const workbench_;
  SubagentTool* const subagents_;
};

}  // namespace paddock::orchestrator

#include "orchestrator/delegation/subagent_conversation.h"

#include "agentcore/tools/tool.h"
#include "subagents/report_tool.h"

namespace paddock::orchestrator {

agentcore::ConversationSetup SubagentConversation(const subagents::Definition& definition, const std::vector<std::string>& tools) {
  agentcore::ConversationSetup setup;
  setup.system = definition.prompt;
  const auto registry = agentcore::ReadOnlyTools();
  for (const std::string& name : tools)
    if (const agentcore::Tool* tool = registry.Find(name)) setup.tools.push_back(tool->spec());
  setup.report = subagents::ReportTool({.needs_run = definition.may_ask_to_run});
  return setup;
}

}  // namespace paddock::orchestrator

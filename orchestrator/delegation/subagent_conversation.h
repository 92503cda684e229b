// What a subagent's model is told, from its definition: the same for a run and for `paddock subagents show`.
#pragma once

#include <string>
#include <vector>

#include "agentcore/context/conversation.h"
#include "subagents/definition.h"

namespace paddock::orchestrator {

// System prompt, tools (those of `tools` that there are, in that order), the report. Goal and limits are the ticket's.
// `data_schema`: the caller's for `data` of the report, or null.
agentcore::ConversationSetup SubagentConversation(const subagents::Definition& definition, const std::vector<std::string>& tools, const Json& data_schema = nullptr);

}  // namespace paddock::orchestrator

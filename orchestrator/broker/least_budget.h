// What a run costs at least: one question of work, and the report.
#pragma once

#include "agentcore/context/conversation.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

inline constexpr size_t kSafeBytesPerToken = 3;       // on the safe side of the usual 4
inline constexpr int64_t kLeastAnswerTokens = 256;    // with less, asking is of no use
inline constexpr int64_t kLeastReportTokens = 1'024;  // or all that the model may say, where that is less

inline int64_t SafeTokensOf(size_t bytes) { return static_cast<int64_t>(bytes / kSafeBytesPerToken) + 1; }

// kInvalid with the least sum, where the budget of tokens or money is less. Anything goes for what is no language model.
Status PaysForAQuestion(const agentcore::ConversationSetup& first, const subagents::Budget& budget, const agentcore::Model& model);

}  // namespace paddock::orchestrator

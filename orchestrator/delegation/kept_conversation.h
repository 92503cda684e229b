// A subagent's conversation after its end, for a further question: what its model was shown and said, and which lines those were.
#pragma once

#include <memory>

#include "agentcore/context/history.h"
#include "orchestrator/broker/read_lines.h"

namespace paddock::orchestrator {

struct KeptConversation {
  agentcore::ConversationHistory history;
  ReadLines read_lines;

  size_t bytes() const { return history.bytes() + read_lines.bytes(); }
};

}  // namespace paddock::orchestrator

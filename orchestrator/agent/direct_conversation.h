// The loop's conversation for the main agent: a call into the transcript, where a subagent's is frames. It looks at the
// wish to stop and at the clock between turns; the model looks at both while it is asked.
#pragma once

#include <vector>

#include "agentcore/context/conversation.h"
#include "agentcore/loop/conversation.h"
#include "base/deadline.h"

namespace paddock::orchestrator {

struct ConversationTimes {
  Deadline soft = Deadline::Never();       // the report is asked for
  Deadline report_by = Deadline::Never();  // it is there
};

class DirectConversation : public agentcore::Conversation {
 public:
  // `conversation` is borrowed.
  DirectConversation(agentcore::TicketConversation* conversation, ConversationTimes times, int cancel_fd)
      : conversation_(conversation), times_(times), cancel_fd_(cancel_fd) {}

  // kCancelled when somebody wants us to stop.
  Result<agentcore::LoopTurn> Next(agentcore::TurnReason reason, std::vector<agentcore::LoopAnswer> answers) override;
  Result<bool> WrapUpAsked() override;

  int64_t answers() const { return answers_; }

 private:
  bool Cancelled() const;

  agentcore::TicketConversation* const conversation_;
  const ConversationTimes times_;
  const int cancel_fd_;
  int64_t answers_ = 0;
};

}  // namespace paddock::orchestrator

#include "orchestrator/agent/direct_conversation.h"

#include <poll.h>

namespace paddock::orchestrator {

using agentcore::WrapUp;

bool DirectConversation::Cancelled() const {
  pollfd wait{cancel_fd_, POLLIN, 0};
  return cancel_fd_ >= 0 && ::poll(&wait, 1, 0) > 0;
}

Result<agentcore::LoopTurn> DirectConversation::Next(agentcore::TurnReason, std::vector<agentcore::LoopAnswer> answers) {
  if (Cancelled()) return Fail(ErrorKind::kCancelled, "told to stop");
  answers_ += static_cast<int64_t>(answers.size());
  std::vector<agentcore::CallReply> replies;
  for (auto& answer : answers) replies.push_back({std::move(answer.id), std::move(answer.result)});
  TRY(conversation_->Take(std::move(replies)));
  agentcore::CellTurn turn = conversation_->Ask(times_.soft, times_.report_by);
  if (Cancelled()) return Fail(ErrorKind::kCancelled, "told to stop");
  return agentcore::LoopTurn{std::move(turn.calls), turn.final};
}

Result<bool> DirectConversation::WrapUpAsked() {
  if (Cancelled()) return Fail(ErrorKind::kCancelled, "told to stop");
  if (times_.soft.passed()) conversation_->StartWrapUp(WrapUp::kDeadline);
  return conversation_->wrap_up() == WrapUp::kDeadline;
}

}  // namespace paddock::orchestrator

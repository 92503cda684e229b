#include "subagents/cell/frame_conversation.h"

#include "base/text.h"
#include "subagents/cell/bound_answers.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxSubjectBytes = 1024;

NextReason FrameReason(agentcore::TurnReason reason) {
  switch (reason) {
    case agentcore::TurnReason::kStart: return NextReason::kStart;
    case agentcore::TurnReason::kResults: return NextReason::kResults;
    case agentcore::TurnReason::kWrapUp: return NextReason::kWrapUp;
  }
  return NextReason::kResults;
}

}  // namespace

Result<agentcore::LoopTurn> FrameConversation::Next(agentcore::TurnReason reason,
                                                    std::vector<agentcore::LoopAnswer> answers) {
  NextTurnFrame next{FrameReason(reason), {}};
  for (auto& answer : answers) next.answers.push_back({std::move(answer.id), std::move(answer.result)});
  BoundAnswers(&next.answers, {});
  TRY(channel_->Send(EncodeFrame("next_turn", next)));
  next.answers.clear();
  for (;;) {
    RawFrame raw = TRY(channel_->Receive());
    if (raw.type != "turn") {
      TRY(TakeWrapUp(raw));
      continue;
    }
    TurnFrame turn = TRY(BodyOf<TurnFrame>(raw));
    return agentcore::LoopTurn{std::move(turn.calls), turn.final};
  }
}

Result<bool> FrameConversation::WrapUpAsked() {
  while (auto raw = TRY(channel_->Poll())) TRY(TakeWrapUp(*raw));
  return wrap_up_;
}

Status FrameConversation::TakeWrapUp(const RawFrame& raw) {
  if (raw.type != "wrap_up") return Fail(ErrorKind::kProtocol, "a frame that was not asked for: " + raw.type);
  TRY(BodyOf<WrapUpFrame>(raw));
  wrap_up_ = true;
  return {};
}

std::string SubjectOf(const agentcore::ToolCall& call) {
  if (!call.arguments.is_object()) return {};
  for (const char* key : {"pattern", "path"}) {
    auto found = call.arguments.find(key);
    if (found == call.arguments.end() || !found->is_string()) continue;
    std::string shown = VisibleText(TruncateUtf8(found->get_ref<const std::string&>(), kMaxSubjectBytes), Newlines::kEscape);
    return std::string(TruncateUtf8(shown, kMaxSubjectBytes));
  }
  return ".";  // the tools' default: the whole workspace
}

void FrameEvents::CallStarted(const agentcore::ToolCall& call) { Send("tool_started", call, 0); }

void FrameEvents::CallFinished(const agentcore::ToolCall& call, const agentcore::ToolResult&,
                               std::chrono::milliseconds spent) {
  Send("tool_finished", call, spent.count());
}

void FrameEvents::Send(const char* kind, const agentcore::ToolCall& call, int64_t ms) {
  EventFrame event{kind, call.id, call.tool, SubjectOf(call), ms};
  // A parent that is gone is noticed by the conversation's next frame.
  (void)channel_->Send(EncodeFrame("event", event));
}

}  // namespace paddock::subagents

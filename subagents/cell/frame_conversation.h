// The loop's conversation as frames: next_turn goes out, turn comes back, and wrap_up may come in between at
// any time. Also sends the events of the tools.
#pragma once

#include <string>
#include <vector>

#include "agentcore/loop/conversation.h"
#include "subagents/cell/channel.h"

namespace paddock::subagents {

class FrameConversation : public agentcore::Conversation {
 public:
  explicit FrameConversation(Channel* channel) : channel_(channel) {}  // borrowed

  Result<agentcore::LoopTurn> Next(agentcore::TurnReason reason, std::vector<agentcore::LoopAnswer> answers) override;
  // Reads what is in the pipe by now. kProtocol when that is anything but wrap_up.
  Result<bool> WrapUpAsked() override;

 private:
  Status TakeWrapUp(const RawFrame& raw);

  Channel* channel_;
  bool wrap_up_ = false;
};

class FrameEvents : public agentcore::LoopObserver {
 public:
  explicit FrameEvents(Channel* channel) : channel_(channel) {}  // borrowed

  void CallStarted(const agentcore::ToolCall& call) override;
  void CallFinished(const agentcore::ToolCall& call, const agentcore::ToolResult& result,
                    std::chrono::milliseconds spent) override;

 private:
  void Send(const char* kind, const agentcore::ToolCall& call, int64_t ms);

  Channel* channel_;
};

// What a call is about, for people: its path or pattern, in visible text of at most 1 KiB.
std::string SubjectOf(const agentcore::ToolCall& call);

}  // namespace paddock::subagents

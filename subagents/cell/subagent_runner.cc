// A subagent: the agent's loop over frames, its tools on the workspace, and the facts at the end.
#include <poll.h>

#include <chrono>

#include "agentcore/loop/loop.h"
#include "subagents/cell/cell.h"
#include "subagents/cell/frame_conversation.h"
#include "subagents/cell/offered_tools.h"

namespace paddock::subagents {

Status RunSubagent(Channel* channel, const TaskFrame& task, const CellOptions& options) {
  UniqueFd root = TRY(OpenWorkspace(options.workspace));
  OfferedTools tools(options.tools(), task, root.get());
  TRY(tools.Prepare(task));
  FrameConversation conversation(channel);
  FrameEvents events(channel);
  agentcore::LoopOptions loop_options;
  loop_options.call_timeout = CallTimeout(task);
  // A retry is of no use once the parent has something to say: it asks to wrap up.
  loop_options.pause = [fd = options.in_fd](std::chrono::milliseconds span) {
    pollfd pipe{fd, POLLIN, 0};
    return ::poll(&pipe, 1, static_cast<int>(span.count())) == 0;
  };
  agentcore::Loop loop(&conversation, &tools, &events, loop_options);
  agentcore::LoopFacts facts = TRY(loop.Run());
  return channel->Send(EncodeFrame("result", ResultFrame{facts.tool_calls, facts.failed_calls}));
}

}  // namespace paddock::subagents

// A subagent: the agent's loop over frames, its tools on the workspace, and the facts at the end.
#include <time.h>

#include <algorithm>
#include <chrono>

#include "agentcore/loop/loop.h"
#include "agentcore/tools/hidden_names.h"
#include "base/text.h"
#include "subagents/cell/cell.h"
#include "subagents/cell/frame_conversation.h"

namespace paddock::subagents {
namespace {

std::chrono::nanoseconds ProcessorTime() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// The tools on offer in this task. A name outside of them is refused even if the cell has such a tool.
class OfferedTools : public agentcore::CallRunner {
 public:
  OfferedTools(agentcore::ToolRegistry registry, const TaskFrame& task, int root_fd)
      : registry_(std::move(registry)), names_(task.tools), root_fd_(root_fd), max_output_bytes_(static_cast<size_t>(task.max_output_bytes)),
        processor_(task.processor_ms) {}

  // kProtocol when the task names a tool that this build doesn't have, or hides by patterns that are none.
  Status Prepare(const TaskFrame& task) {
    auto hidden = agentcore::HiddenNames::Parse(task.hide);
    if (!hidden) return Fail(ErrorKind::kProtocol, hidden.error().message);
    hidden_ = *std::move(hidden);
    for (const auto& name : names_)
      if (!registry_.Find(name))
        return Fail(ErrorKind::kProtocol, "unknown tool in the task: " + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape));
    return {};
  }

  agentcore::ToolResult Run(const agentcore::ToolCall& call, const Deadline& deadline) override {
    if (std::find(names_.begin(), names_.end(), call.tool) == names_.end()) return NotOffered(call.tool);
    agentcore::ToolContext context;
    context.root_fd = root_fd_;
    context.hidden = &hidden_;
    context.deadline = deadline.Earlier(Deadline::After((processor_ - ProcessorTime()) / kShare));
    context.max_output_bytes = max_output_bytes_;
    return RunTool(registry_, call.tool, call.arguments, context);
  }

 private:
  agentcore::ToolResult NotOffered(std::string_view tool) const {
    std::string list;
    for (const auto& name : names_) list += (list.empty() ? "" : ", ") + name;
    return agentcore::ToolFailure(
        agentcore::ToolStatus::kDenied,
        "tool \"" + VisibleText(TruncateUtf8(tool, 64), Newlines::kEscape) + "\" is not on offer in this task",
        "use one of: " + list);
  }

  // At most so much of the processor time that is left goes to one call: a repository that makes every call costly
  // gets partial results, and never runs the cell into the limit, which would cost the report.
  static constexpr int kShare = 4;

  agentcore::ToolRegistry registry_;
  std::vector<std::string> names_;
  agentcore::HiddenNames hidden_;
  int root_fd_;
  size_t max_output_bytes_;
  const std::chrono::milliseconds processor_;
};

}  // namespace

Status RunSubagent(Channel* channel, const TaskFrame& task, const CellOptions& options) {
  UniqueFd root = TRY(OpenWorkspace(options.workspace));
  OfferedTools tools(options.tools(), task, root.get());
  TRY(tools.Prepare(task));
  FrameConversation conversation(channel);
  FrameEvents events(channel);
  agentcore::LoopOptions loop_options;
  loop_options.call_timeout = std::chrono::milliseconds(std::min<int64_t>(task.tool_timeout_ms, 86'400'000));
  agentcore::Loop loop(&conversation, &tools, &events, loop_options);
  agentcore::LoopFacts facts = TRY(loop.Run());
  return channel->Send(EncodeFrame("result", ResultFrame{facts.tool_calls, facts.failed_calls}));
}

}  // namespace paddock::subagents

#include "subagents/cell/offered_tools.h"

#include <malloc.h>
#include <time.h>

#include <algorithm>

#include "base/text.h"

namespace paddock::subagents {
namespace {

// At most so much of the processor time that is left goes to one call: a repository that makes every call costly
// gets partial results, and never runs the cell into the limit, which would cost the report.
constexpr int kShare = 4;

std::chrono::nanoseconds ProcessorTime() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace

OfferedTools::OfferedTools(agentcore::ToolRegistry registry, const TaskFrame& task, int root_fd)
    : registry_(std::move(registry)), names_(task.tools), root_fd_(root_fd), max_output_bytes_(static_cast<size_t>(task.max_output_bytes)),
      processor_(task.processor_ms) {
  // Threads share the one arena: each of its own would take 64 MiB of the jail's address space.
  ::mallopt(M_ARENA_MAX, 1);
}

Status OfferedTools::Prepare(const TaskFrame& task) {
  auto hidden = agentcore::HiddenNames::Parse(task.hide);
  if (!hidden) return Fail(ErrorKind::kProtocol, hidden.error().message);
  hidden_ = *std::move(hidden);
  for (const auto& name : names_)
    if (!registry_.Find(name))
      return Fail(ErrorKind::kProtocol, "unknown tool in the task: " + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape));
  return {};
}

agentcore::ToolResult OfferedTools::Run(const agentcore::ToolCall& call, const Deadline& deadline) {
  if (!Offers(call.tool)) return NotOffered(call.tool);
  agentcore::ToolContext context;
  context.root_fd = root_fd_;
  context.hidden = &hidden_;
  context.deadline = deadline.Earlier(ShareOfProcessor(++running_));
  context.max_output_bytes = max_output_bytes_;
  agentcore::ToolResult result = RunTool(registry_, call.tool, call.arguments, context);
  --running_;
  return result;
}

// What is not on offer is refused, which changes nothing either.
bool OfferedTools::ReadOnly(const agentcore::ToolCall& call) const {
  const agentcore::Tool* tool = registry_.Find(call.tool);
  return tool == nullptr || tool->spec().effect == agentcore::ToolEffect::kReads;
}

bool OfferedTools::Offers(std::string_view tool) const { return std::find(names_.begin(), names_.end(), tool) != names_.end(); }

// Each of several calls at a time uses it up as fast: the second gets half of what the first got, and so on. Eight
// together can't use more than 0.7 of what was left.
Deadline OfferedTools::ShareOfProcessor(int running) const {
  const auto left = std::max<std::chrono::nanoseconds>(processor_ - ProcessorTime(), std::chrono::nanoseconds(0));
  return Deadline::After(left / kShare / running);
}

agentcore::ToolResult OfferedTools::NotOffered(std::string_view tool) const {
  std::string list;
  for (const auto& name : names_) list += (list.empty() ? "" : ", ") + name;
  return agentcore::ToolFailure(agentcore::ToolStatus::kDenied,
                                "tool \"" + VisibleText(TruncateUtf8(tool, 64), Newlines::kEscape) + "\" is not on offer in this task",
                                "use one of: " + list);
}

}  // namespace paddock::subagents

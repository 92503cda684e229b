// The tools of one task, as a cell runs them: a name that is not on offer is refused even if the cell has such a tool.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "agentcore/loop/conversation.h"
#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/tool.h"
#include "base/result.h"
#include "subagents/frames.h"

namespace paddock::subagents {

// Run is thread-safe.
class OfferedTools : public agentcore::CallRunner {
 public:
  // `root_fd`: O_PATH descriptor of the workspace; borrowed.
  OfferedTools(agentcore::ToolRegistry registry, const TaskFrame& task, int root_fd);

  // kProtocol when the task names a tool that this build doesn't have, or hides by patterns that are none.
  Status Prepare(const TaskFrame& task);

  agentcore::ToolResult Run(const agentcore::ToolCall& call, const Deadline& deadline) override;
  bool ReadOnly(const agentcore::ToolCall& call) const override;

 private:
  bool Offers(std::string_view tool) const;
  agentcore::ToolResult NotOffered(std::string_view tool) const;
  Deadline ShareOfProcessor(int running) const;

  const agentcore::ToolRegistry registry_;
  const std::vector<std::string> names_;
  agentcore::HiddenNames hidden_;
  const int root_fd_;
  const size_t max_output_bytes_;
  const std::chrono::milliseconds processor_;
  std::atomic<int> running_ = 0;
};

}  // namespace paddock::subagents

// One call of one tool, through the whole path: jail, receipt, cell, the call, its result cleaned and bounded.
//
// It is served as an investigation is, by the same broker; in the model's place stands one that makes this
// call and then reports. So nothing of the path is built a second time.
#pragma once

#include <string>

#include "agentcore/pipeline/redact.h"
#include "base/frame_pipe.h"
#include "orchestrator/delegation/cell_starter.h"
#include "sandbox/workspace.h"
#include "subagents/tool_call.h"

namespace paddock::orchestrator {

struct ToolCallOrder {
  std::string tool;          // one of agentcore::ReadOnlyTools, the arguments checked by CheckCall
  Json arguments = Json::object();
  sandbox::Profile profile;  // with a workspace
  sandbox::Workspace workspace;
  int64_t wall_ms = 30'000;  // from now to the result
  const agentcore::Redactor* redactor = nullptr;  // borrowed; null: secrets of the common kinds
  // All borrowed:
  CellStarter* starter = nullptr;
  FramePool* pool = nullptr;
  int cancel_fd = -1;
};

// Never fails: every failure is a report.
subagents::ToolCallReport CallTool(const ToolCallOrder& order);

}  // namespace paddock::orchestrator

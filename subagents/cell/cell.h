// A cell after it has said ready: waits for go and for its task, and is then a subagent, a workbench, a checker,
// a playbook, a hide cell or a definitions cell until the parent closes the pipe or it has handed in its result.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "agentcore/tools/tool.h"
#include "base/result.h"
#include "subagents/cell/channel.h"
#include "subagents/cell_abi.h"
#include "subagents/playbook.h"

namespace paddock::subagents {

struct CellOptions {
  int in_fd = kFrameInFd;
  int out_fd = kFrameOutFd;
  const char* workspace = kWorkspacePath;
  agentcore::ToolRegistry (*tools)() = &agentcore::ReadOnlyTools;
  std::unique_ptr<Playbook> (*playbook)(std::string_view) = nullptr;  // main passes MakePlaybook
};

// The exit code: 0 when the result was handed in or the parent closed its pipe, else kExitProtocol or
// kExitSetup, after a fault frame that says why.
int RunCell(const CellOptions& options);

// The six kinds. Each serves until its end, and gives the error that ends the cell.
Status RunSubagent(Channel* channel, const TaskFrame& task, const CellOptions& options);
Status RunWorkbench(Channel* channel, const TaskFrame& task, const CellOptions& options);
Status RunChecker(Channel* channel, const TaskFrame& task, const CellOptions& options);
Status RunPlaybook(Channel* channel, const TaskFrame& task, const CellOptions& options);
Status RunHide(Channel* channel, const TaskFrame& task, const CellOptions& options);
Status RunDefinitions(Channel* channel, const TaskFrame& task, const CellOptions& options);

// Of one call of a tool, at most a day.
std::chrono::milliseconds CallTimeout(const TaskFrame& task);
// O_PATH descriptor of the workspace folder.
Result<UniqueFd> OpenWorkspace(const char* path);

}  // namespace paddock::subagents

#include "subagents/cell/cell.h"

#include <fcntl.h>

#include <algorithm>

#include "base/text.h"

namespace paddock::subagents {
namespace {

Status Serve(Channel* channel, const CellOptions& options) {
  RawFrame go = TRY(channel->Receive());
  if (go.type != "go") return Fail(ErrorKind::kProtocol, "expected go, got another frame");
  TRY(BodyOf<GoFrame>(go));
  RawFrame raw = TRY(channel->Receive());
  if (raw.type != "task") return Fail(ErrorKind::kProtocol, "expected task, got another frame");
  TaskFrame task = TRY(BodyOf<TaskFrame>(raw));
  switch (task.kind) {
    case CellKind::kSubagent: return RunSubagent(channel, task, options);
    case CellKind::kWorkbench: return RunWorkbench(channel, task, options);
    case CellKind::kChecker: return RunChecker(channel, task, options);
    case CellKind::kPlaybook: return RunPlaybook(channel, task, options);
    case CellKind::kHide: return RunHide(channel, task, options);
    case CellKind::kDefinitions: return RunDefinitions(channel, task, options);
  }
  return Fail(ErrorKind::kProtocol, "unknown kind of cell");
}

}  // namespace

int RunCell(const CellOptions& options) {
  Channel channel(options.in_fd, options.out_fd);
  Status served = Serve(&channel, options);
  if (served || served.error().kind == ErrorKind::kClosed) return 0;
  FaultFrame fault{std::string(TruncateUtf8(served.error().message, 4096))};
  (void)channel.Send(EncodeFrame("fault", fault));
  switch (served.error().kind) {
    case ErrorKind::kProtocol:
    case ErrorKind::kLimit: return kExitProtocol;
    default: return kExitSetup;
  }
}

std::chrono::milliseconds CallTimeout(const TaskFrame& task) { return std::chrono::milliseconds(std::min<int64_t>(task.tool_timeout_ms, 86'400'000)); }

Result<UniqueFd> OpenWorkspace(const char* path) {
  UniqueFd root(::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root) return FailErrno("open the workspace");
  return root;
}

}  // namespace paddock::subagents

// Cells for questions that come up while a command is still deciding: the launcher is started at the first one, and handed on to
// whoever runs something afterwards.
#pragma once

#include <memory>

#include "orchestrator/delegation/definitions.h"
#include "orchestrator/delegation/investigation.h"

namespace paddock::orchestrator {

class CellSupply {
 public:
  // Until the first question: nothing is started. What Get gives stays good until this is gone.
  void Setup(int64_t jail_uid, int cancel_fd) { jail_uid_ = jail_uid, cancel_fd_ = cancel_fd; }
  Result<CellAccess> Get();
  // The starter of those questions, or a new one. Once.
  Result<std::unique_ptr<CellStarter>> Take();

 private:
  int64_t jail_uid_ = sandbox::kRootJailUid;
  int cancel_fd_ = -1;
  std::unique_ptr<FramePool> pool_;
  std::unique_ptr<CellStarter> starter_;
};

}  // namespace paddock::orchestrator

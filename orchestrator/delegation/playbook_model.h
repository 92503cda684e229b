// The playbook as a model: it runs in a cell of its own, sealed and without a workspace, and is shown what a
// model is shown. It reads what a stranger's repository says, so it is not trusted with anything.
#pragma once

#include <memory>
#include <string>

#include "agentcore/model/model.h"
#include "orchestrator/broker/channel.h"
#include "orchestrator/delegation/cell_starter.h"

namespace paddock::orchestrator {

class PlaybookModel : public agentcore::Model {
 public:
  // Starts its cell and gives it its task. `cancel_fd`, `pool` and `starter` are borrowed.
  static std::expected<std::unique_ptr<PlaybookModel>, StartFailure> Start(CellStarter* starter, const sandbox::Profile& sealed, const std::string& playbook,
                                                                        FramePool* pool, int cancel_fd, const Deadline& deadline);

  std::string name() const override { return "playbook"; }
  bool is_language_model() const override { return false; }
  Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest& request, const Deadline& deadline) override;

 private:
  PlaybookModel(StartedCell cell, FramePool* pool, int cancel_fd);
  Result<agentcore::ModelTurn> Answer(const Deadline& deadline);

  StartedCell cell_;
  CellChannel channel_;
  int64_t unanswered_ = 0;  // requests; answers come in their order
};

}  // namespace paddock::orchestrator

// A playbook stands where a language model would: deterministic, it is shown what a model is shown (cleaned
// tool results) and answers with tool calls and, in the end, a `report` call. It has no workspace.
#pragma once

#include <memory>
#include <string_view>

#include "agentcore/model/model.h"
#include "base/result.h"
#include "subagents/frames.h"

namespace paddock::subagents {

class Playbook {
 public:
  virtual ~Playbook() = default;
  // The next turn. With request.wrap_up set the answer must hold a single `report` call.
  virtual agentcore::ModelTurn Next(const ModelRequestFrame& request) = 0;
};

// nullptr when there is no playbook of that name: those of the shipped subagents.
std::unique_ptr<Playbook> MakePlaybook(std::string_view name);

}  // namespace paddock::subagents

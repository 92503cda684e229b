// A language model behind a server, that can say what sort of failure its last one was.
#pragma once

#include <functional>
#include <string>

#include "agentcore/model/model.h"
#include "orchestrator/providers/server_fault.h"

namespace paddock::orchestrator {

class ProviderModel : public agentcore::Model {
 public:
  // Of the last Next; kNone when it gave an answer.
  virtual FaultKind last_fault() const = 0;
  // Told of each attempt at a question that failed and could be made again: how many there were, and why. False: no further one.
  virtual void set_on_failed_attempt(std::function<bool(int attempts, const std::string& why)>) {}
};

}  // namespace paddock::orchestrator

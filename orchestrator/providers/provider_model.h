// A language model behind a server, that can say what sort of failure its last one was.
#pragma once

#include "agentcore/model/model.h"
#include "orchestrator/providers/server_fault.h"

namespace paddock::orchestrator {

class ProviderModel : public agentcore::Model {
 public:
  // Of the last Next; kNone when it gave an answer.
  virtual FaultKind last_fault() const = 0;
};

}  // namespace paddock::orchestrator

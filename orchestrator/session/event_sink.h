// Where the broker and the delegation tell what happens. The record of a run is one; tests have their own.
#pragma once

#include <string>

#include "base/json.h"

namespace paddock::orchestrator {

class EventSink {
 public:
  virtual ~EventSink() = default;
  // Never fails: what can't be kept is noted by the sink itself. `fields` is an object.
  virtual void Record(const std::string& type, Json fields) = 0;
  // A turn is over: what was recorded should survive a crash of the machine.
  virtual void Flush() {}
};

}  // namespace paddock::orchestrator

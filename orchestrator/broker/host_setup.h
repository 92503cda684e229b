// What a conversation's host works with, of a subagent and of the main agent alike.
#pragma once

#include <functional>
#include <string>

#include "agentcore/model/model.h"
#include "base/frame_pipe.h"
#include "orchestrator/broker/ledger.h"
#include "orchestrator/broker/read_lines.h"
#include "orchestrator/session/event_sink.h"

namespace paddock::orchestrator {

// A line for people who watch; texts are fit for a terminal.
struct Progress {
  enum class Kind { kAsking, kTurn, kCall, kToolStarted, kToolFinished, kWrapUp, kReflect, kRoom, kRunStarted, kRunFinished };
  Kind kind = Kind::kTurn;
  int turn = 0;
  std::string tool;
  std::string subject;  // path or pattern; why, for kWrapUp, kReflect and kRoom; the command, of a run
  int64_t ms = 0;       // kToolFinished: by the cell's word
};
using Watcher = std::function<void(const Progress&)>;

// All pointers are borrowed.
struct HostSetup {
  agentcore::Model* model = nullptr;
  Ledger* ledger = nullptr;
  ReadLines* read_lines = nullptr;
  EventSink* events = nullptr;
  FramePool* pool = nullptr;
  Watcher watcher;  // may be empty
};

}  // namespace paddock::orchestrator

// What the loop talks to, and who watches it. The loop runs tools; the conversation owns the transcript, the
// model and every limit. All that the loop may tell it besides results is one of the reasons below.
//
// In a cell the conversation is the parent behind frames; for the main agent it is a call.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "agentcore/model/model.h"
#include "agentcore/tools/tool_result.h"
#include "base/deadline.h"
#include "base/result.h"

namespace paddock::agentcore {

enum class TurnReason {
  kStart,    // nothing was run yet
  kResults,  // here is what the last turn's calls gave
  kWrapUp,   // the same, after wrap-up was asked for: the report, please
};

struct LoopAnswer {
  std::string id;  // of the call
  ToolResult result;
};

struct LoopTurn {
  std::vector<ToolCall> calls;  // to run, in order
  bool final = false;           // the conversation is over; calls are not run
};

class Conversation {
 public:
  virtual ~Conversation() = default;
  // Hands over the answers of the last turn's calls, exactly one a call and in their order, and waits for
  // the next turn. kClosed when the other side is gone; any other error ends the loop as well.
  virtual Result<LoopTurn> Next(TurnReason reason, std::vector<LoopAnswer> answers) = 0;
  // True once wrap-up has been asked for. Asked between calls, so it must not wait.
  virtual Result<bool> WrapUpAsked() = 0;
};

// Runs one call, once: it knows nothing of retries, of other calls or of what was before. Never throws, never runs past the
// deadline. For calls that only read it is used by several threads at once.
class CallRunner {
 public:
  virtual ~CallRunner() = default;
  virtual ToolResult Run(const ToolCall& call, const Deadline& deadline) = 0;
  // Does this call change nothing? Calls of a turn run side by side when all of them do not.
  virtual bool ReadOnly(const ToolCall&) const { return false; }
};

enum class LoopState {
  kAsking,    // waits for a turn
  kRunning,   // runs a call
  kRetrying,  // runs the same call again: it failed for a passing reason
  kSkipping,  // answers a call without running it: wrap-up was asked for
  kFinished,  // the final turn came
  kBroken,    // the conversation failed
};
const char* LoopStateName(LoopState state);

// Told of every transition and call, for people who watch; one at a time, by the threads that run calls too. Must not throw.
class LoopObserver {
 public:
  virtual ~LoopObserver() = default;
  virtual void Entered(LoopState) {}
  virtual void CallStarted(const ToolCall&) {}
  virtual void CallFinished(const ToolCall&, const ToolResult&, std::chrono::milliseconds) {}
};

}  // namespace paddock::agentcore

// The agent's hands: an explicit state machine over one interface. It asks for a turn, runs its calls, and answers exactly their
// ids, until the turn that is final.
//
//            ┌────────────── answers ───────────────┐
//            ▼                                      │
//   start ─ kAsking ── calls ─▶ kRunning ◀─▶ kRetrying (while it is retryable and time is left)
//            │  │                    └────▶ kSkipping (wrap-up was asked for: the calls that are left)
//      error │  │ final
//            ▼  ▼
//      kBroken  kFinished
//
// Whether and what next is decided by the conversation, which has the model, the budget and the transcript (phase.h, progress.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>

#include "agentcore/loop/conversation.h"
#include "agentcore/loop/retry.h"
#include "base/result.h"

namespace paddock::agentcore {

struct LoopOptions {
  std::chrono::milliseconds call_timeout{20'000};  // one call, its retries and the pauses between included
  RetryRule retry;                                 // of transient failures
  int at_once = 4;                                 // calls of a turn that run side by side, where all of them only read
  // Waits so long; false when something came up that ends the retries. Used by several threads. Empty: sleeps.
  std::function<bool(std::chrono::milliseconds)> pause;
};

// What the loop counted of the tools.
struct LoopFacts {
  int64_t tool_calls = 0;    // calls that were run; a retry is part of its call
  int64_t failed_calls = 0;  // of those, the ones that did not succeed in the end
};

class Loop {
 public:
  // All three are borrowed and must outlive Run. `observer` may be null.
  Loop(Conversation* conversation, CallRunner* runner, LoopObserver* observer, LoopOptions options);

  // Runs until the final turn. The conversation's error when that fails; kProtocol when it repeats an id
  // within a turn, or gives turn after turn with neither calls nor an end.
  Result<LoopFacts> Run();

  LoopState state() const { return state_; }

 private:
  void Enter(LoopState state);
  Result<LoopFacts> Converse();
  Status RunTurn(const LoopTurn& turn, std::vector<LoopAnswer>* answers);
  bool SideBySide(const LoopTurn& turn) const;
  ToolResult RunCall(const ToolCall& call);
  ToolResult Skip();

  Conversation* conversation_;
  CallRunner* runner_;
  LoopObserver* observer_;
  LoopOptions options_;
  std::mutex mutex_;  // of all below, and of the observer
  LoopState state_ = LoopState::kAsking;
  LoopFacts facts_;
};

}  // namespace paddock::agentcore

// The agent's loop, as an explicit state machine over one interface: ask for a turn, run its calls, answer
// exactly their ids, until the turn that is final.
//
//            ┌────────────── answers ───────────────┐
//            ▼                                      │
//   start ─ kAsking ── calls ─▶ kRunning ─▶ kRetrying (once, if retryable and time is left)
//            │  │                    └────▶ kSkipping (wrap-up was asked for: the calls that are left)
//      error │  │ final
//            ▼  ▼
//      kBroken  kFinished
//
// It knows no model, no budget and no transcript: those are the conversation's.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "agentcore/loop/conversation.h"
#include "base/result.h"

namespace paddock::agentcore {

struct LoopOptions {
  std::chrono::milliseconds call_timeout{20'000};  // one call, its retry and the pause between included
  std::chrono::milliseconds retry_pause{50};       // before the retry of a transient failure
  std::function<void(std::chrono::milliseconds)> pause;  // waits; empty: sleeps
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
  ToolResult RunCall(const ToolCall& call);

  Conversation* conversation_;
  CallRunner* runner_;
  LoopObserver* observer_;
  LoopOptions options_;
  LoopState state_ = LoopState::kAsking;
  LoopFacts facts_;
};

}  // namespace paddock::agentcore

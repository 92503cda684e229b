#include "agentcore/loop/loop.h"

#include <set>
#include <thread>

namespace paddock::agentcore {
namespace {

constexpr int kMaxEmptyTurns = 8;

ToolResult Skipped() {
  ToolResult result = ToolFailure(ToolStatus::kTimeout, "skipped: wrapping up",
                                  "give the report now, from what has been found so far", {"call report"});
  return result;
}

}  // namespace

const char* LoopStateName(LoopState state) {
  switch (state) {
    case LoopState::kAsking: return "asking";
    case LoopState::kRunning: return "running";
    case LoopState::kRetrying: return "retrying";
    case LoopState::kSkipping: return "skipping";
    case LoopState::kFinished: return "finished";
    case LoopState::kBroken: return "broken";
  }
  return "?";
}

Loop::Loop(Conversation* conversation, CallRunner* runner, LoopObserver* observer, LoopOptions options)
    : conversation_(conversation), runner_(runner), observer_(observer), options_(std::move(options)) {
  if (!options_.pause)
    options_.pause = [](std::chrono::milliseconds span) { std::this_thread::sleep_for(span); };
}

void Loop::Enter(LoopState state) {
  state_ = state;
  if (observer_) observer_->Entered(state);
}

Result<LoopFacts> Loop::Run() {
  auto facts = Converse();
  Enter(facts ? LoopState::kFinished : LoopState::kBroken);
  return facts;
}

Result<LoopFacts> Loop::Converse() {
  std::vector<LoopAnswer> answers;
  TurnReason reason = TurnReason::kStart;
  for (int empty_turns = 0; empty_turns < kMaxEmptyTurns;) {
    Enter(LoopState::kAsking);
    LoopTurn turn = TRY(conversation_->Next(reason, std::move(answers)));
    if (turn.final) return facts_;
    empty_turns = turn.calls.empty() ? empty_turns + 1 : 0;
    answers.clear();
    if (auto ran = RunTurn(turn, &answers); !ran) return std::unexpected(std::move(ran).error());
    reason = TRY(conversation_->WrapUpAsked()) ? TurnReason::kWrapUp : TurnReason::kResults;
  }
  return Fail(ErrorKind::kProtocol, std::to_string(kMaxEmptyTurns) + " turns in a row with neither calls nor an end");
}

Status Loop::RunTurn(const LoopTurn& turn, std::vector<LoopAnswer>* answers) {
  std::set<std::string> ids;
  for (const ToolCall& call : turn.calls)
    if (!ids.insert(call.id).second) return Fail(ErrorKind::kProtocol, "two calls of a turn have one id");
  for (const ToolCall& call : turn.calls) {
    auto wrap_up = conversation_->WrapUpAsked();
    if (!wrap_up) return std::unexpected(std::move(wrap_up).error());
    if (*wrap_up) {
      Enter(LoopState::kSkipping);
      answers->push_back({call.id, Skipped()});
    } else {
      answers->push_back({call.id, RunCall(call)});
    }
  }
  return {};
}

ToolResult Loop::RunCall(const ToolCall& call) {
  Enter(LoopState::kRunning);
  auto started = std::chrono::steady_clock::now();
  if (observer_) observer_->CallStarted(call);
  Deadline deadline = Deadline::After(options_.call_timeout);
  ToolResult result = runner_->Run(call, deadline);
  // A retry that could only start after the deadline would only cost time.
  if (!result.success && result.retryable && *deadline.left() > options_.retry_pause) {
    options_.pause(options_.retry_pause);
    if (!deadline.passed()) {
      Enter(LoopState::kRetrying);
      result = runner_->Run(call, deadline);
    }
  }
  ++facts_.tool_calls;
  if (!result.success) ++facts_.failed_calls;
  auto spent = std::chrono::steady_clock::now() - started;
  if (observer_)
    observer_->CallFinished(call, result, std::chrono::duration_cast<std::chrono::milliseconds>(spent));
  return result;
}

}  // namespace paddock::agentcore

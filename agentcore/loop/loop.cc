#include "agentcore/loop/loop.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <system_error>
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
    options_.pause = [](std::chrono::milliseconds span) { return std::this_thread::sleep_for(span), true; };
}

void Loop::Enter(LoopState state) {
  std::lock_guard lock(mutex_);
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
  // This thread alone speaks with the conversation. The others take calls as long as nobody has asked for the report.
  answers->resize(turn.calls.size());
  std::atomic<size_t> next{0};
  std::atomic<bool> skip{false};
  const auto take_one = [&] {
    const size_t i = next++;
    if (i >= turn.calls.size()) return false;
    (*answers)[i] = {turn.calls[i].id, skip ? Skip() : RunCall(turn.calls[i])};
    return true;
  };
  Status asked;
  const auto heed = [&] {
    auto wrap_up = conversation_->WrapUpAsked();
    if (!wrap_up) asked = std::unexpected(std::move(wrap_up).error());
    if (!wrap_up || *wrap_up) skip = true;
  };
  heed();  // it may have come with the turn: then none is begun
  std::vector<std::jthread> others;
  const size_t wanted = !skip && SideBySide(turn) ? std::min(turn.calls.size(), static_cast<size_t>(options_.at_once)) : 1;
  try {
    while (others.size() + 1 < wanted) others.emplace_back([&] { while (take_one()) {} });
  } catch (const std::system_error&) {
    // No thread to be had: fewer at once.
  }
  while (take_one()) heed();
  others.clear();  // waits for them
  return asked;
}

// Only where no call can see what another one does.
bool Loop::SideBySide(const LoopTurn& turn) const {
  return options_.at_once > 1 && turn.calls.size() > 1 &&
         std::all_of(turn.calls.begin(), turn.calls.end(), [&](const ToolCall& call) { return runner_->ReadOnly(call); });
}

ToolResult Loop::Skip() {
  Enter(LoopState::kSkipping);
  return Skipped();
}

ToolResult Loop::RunCall(const ToolCall& call) {
  Enter(LoopState::kRunning);
  auto started = std::chrono::steady_clock::now();
  if (observer_) {
    std::lock_guard lock(mutex_);
    observer_->CallStarted(call);
  }
  Deadline deadline = Deadline::After(options_.call_timeout);
  ToolResult result = runner_->Run(call, deadline);
  for (int n = 1; !result.success && result.retryable; ++n) {
    const auto pause = options_.retry.PauseBefore(n);
    // A retry that could only start after the deadline would only cost time.
    if (*deadline.left() <= pause || !options_.pause(pause) || deadline.passed()) break;
    Enter(LoopState::kRetrying);
    result = runner_->Run(call, deadline);
  }
  auto spent = std::chrono::steady_clock::now() - started;
  std::lock_guard lock(mutex_);
  ++facts_.tool_calls;
  if (!result.success) ++facts_.failed_calls;
  if (observer_) observer_->CallFinished(call, result, std::chrono::duration_cast<std::chrono::milliseconds>(spent));
  return result;
}

}  // namespace paddock::agentcore

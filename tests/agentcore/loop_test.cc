#include "agentcore/loop/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>

namespace paddock::agentcore {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

ToolCall Call(std::string id, std::string tool = "t") { return {std::move(id), std::move(tool), Json::object()}; }

ToolResult Good() {
  ToolResult result;
  result.success = true;
  result.status = ToolStatus::kOk;
  return result;
}

ToolResult Bad(bool retryable) {
  ToolResult result = ToolFailure(ToolStatus::kFailed, "no", "wait");
  result.retryable = retryable;
  return result;
}

// Gives prepared turns and keeps what it was told.
class FakeConversation : public Conversation {
 public:
  Result<LoopTurn> Next(TurnReason reason, std::vector<LoopAnswer> answers) override {
    reasons.push_back(reason);
    std::vector<std::string> ids;
    for (auto& answer : answers) {
      ids.push_back(answer.id);
      results[answer.id] = answer.result;
    }
    answered.push_back(ids);
    if (turns.empty()) return Fail(ErrorKind::kClosed, "no more turns");
    LoopTurn turn = turns.front();
    turns.pop_front();
    return turn;
  }
  Result<bool> WrapUpAsked() override {
    if (poll_fails) return Fail(ErrorKind::kProtocol, "garbage");
    return wrap_up;
  }

  std::deque<LoopTurn> turns;
  bool wrap_up = false;
  bool poll_fails = false;
  std::vector<TurnReason> reasons;
  std::vector<std::vector<std::string>> answered;
  std::map<std::string, ToolResult> results;
};

class FakeRunner : public CallRunner {
 public:
  ToolResult Run(const ToolCall& call, const Deadline& deadline) override {
    ran.push_back(call.id);
    if (body) return body(call, deadline);
    return Good();
  }
  std::function<ToolResult(const ToolCall&, const Deadline&)> body;
  std::vector<std::string> ran;
};

class StateLog : public LoopObserver {
 public:
  void Entered(LoopState state) override { log.push_back(LoopStateName(state)); }
  void CallStarted(const ToolCall& call) override { log.push_back("start " + call.id); }
  void CallFinished(const ToolCall& call, const ToolResult& result, milliseconds) override {
    log.push_back("finish " + call.id + (result.success ? " ok" : " failed"));
  }
  std::vector<std::string> log;
};

class LoopTest : public testing::Test {
 protected:
  Result<LoopFacts> Run() {
    options.pause = [this](milliseconds span) {
      pauses.push_back(span);
      if (during_pause) during_pause();
      return goes_on;
    };
    Loop loop(&conversation, &runner, &observer, options);
    auto facts = loop.Run();
    state = loop.state();
    return facts;
  }

  FakeConversation conversation;
  FakeRunner runner;
  StateLog observer;
  LoopOptions options;
  LoopState state = LoopState::kAsking;
  std::vector<milliseconds> pauses;
  bool goes_on = true;  // what a pause says
  std::function<void()> during_pause;
};

TEST_F(LoopTest, RunsCallsInOrderAndAnswersExactlyTheirIds) {
  conversation.turns = {{{Call("b"), Call("a")}, false}, {{Call("c")}, false}, {{}, true}};
  auto facts = Run();
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->tool_calls, 3);
  EXPECT_EQ(facts->failed_calls, 0);
  EXPECT_THAT(runner.ran, ElementsAre("b", "a", "c"));
  EXPECT_THAT(conversation.reasons, ElementsAre(TurnReason::kStart, TurnReason::kResults, TurnReason::kResults));
  EXPECT_THAT(conversation.answered, ElementsAre(ElementsAre(), ElementsAre("b", "a"), ElementsAre("c")));
}

TEST_F(LoopTest, ShowsEveryTransition) {
  runner.body = [n = 0](const ToolCall&, const Deadline&) mutable { return n++ == 0 ? Bad(true) : Good(); };
  conversation.turns = {{{Call("a")}, false}, {{}, true}};
  ASSERT_TRUE(Run());
  EXPECT_THAT(observer.log, ElementsAre("asking", "running", "start a", "retrying", "finish a ok", "asking", "finished"));
}

TEST_F(LoopTest, DoesNotRunTheCallsOfTheFinalTurn) {
  conversation.turns = {{{Call("a")}, true}};
  ASSERT_TRUE(Run());
  EXPECT_THAT(runner.ran, ElementsAre());
  EXPECT_EQ(state, LoopState::kFinished);
}

TEST_F(LoopTest, RetriesATransientFailureWithLongerAndLongerPausesWhileThereIsTime) {
  options.call_timeout = std::chrono::seconds(20);
  runner.body = [](const ToolCall&, const Deadline&) { return Bad(true); };
  during_pause = [this] { goes_on = pauses.size() < 8; };
  conversation.turns = {{{Call("a")}, false}, {{}, true}};
  auto facts = Run();
  ASSERT_TRUE(facts);
  EXPECT_THAT(pauses, ElementsAre(milliseconds(1000), milliseconds(2000), milliseconds(4000), milliseconds(8000), milliseconds(16000)));
  EXPECT_EQ(runner.ran.size(), 6u) << "a pause of 30 s does not fit into the 20 s of a call";
  EXPECT_EQ(facts->tool_calls, 1);
  EXPECT_EQ(facts->failed_calls, 1);
}

TEST_F(LoopTest, ARetryThatWorksIsASuccess) {
  runner.body = [n = 0](const ToolCall&, const Deadline&) mutable { return n++ < 2 ? Bad(true) : Good(); };
  conversation.turns = {{{Call("a")}, false}, {{}, true}};
  EXPECT_EQ(Run()->failed_calls, 0);
  EXPECT_EQ(pauses.size(), 2u);
}

TEST_F(LoopTest, AWishToWrapUpEndsTheRetries) {
  runner.body = [](const ToolCall&, const Deadline&) { return Bad(true); };
  goes_on = false;
  conversation.turns = {{{Call("a")}, false}, {{}, true}};
  EXPECT_EQ(Run()->failed_calls, 1);
  EXPECT_EQ(runner.ran.size(), 1u);
}

TEST(RetryRule, DoublesUpToItsLongest) {
  RetryRule rule;
  EXPECT_EQ(rule.PauseBefore(1), milliseconds(1'000));
  EXPECT_EQ(rule.PauseBefore(5), milliseconds(16'000));
  EXPECT_EQ(rule.PauseBefore(6), milliseconds(30'000));
  EXPECT_EQ(rule.PauseBefore(1'000'000), milliseconds(30'000));
}

// Each call waits until all of them are running: it works only side by side.
class MeetingRunner : public CallRunner {
 public:
  explicit MeetingRunner(size_t calls) : calls_(calls) {}
  ToolResult Run(const ToolCall& call, const Deadline& deadline) override {
    std::unique_lock lock(mutex_);
    ran.insert(call.id);
    most = std::max(most, ++inside_);
    met_.notify_all();
    const bool met = met_.wait_for(lock, *deadline.left(), [&] { return ran.size() >= calls_; });
    --inside_;
    ToolResult result = met ? Good() : Bad(false);
    result.output = call.id;
    return result;
  }
  bool ReadOnly(const ToolCall& call) const override { return call.tool != "changes"; }
  std::set<std::string> ran;
  size_t most = 0;

 private:
  const size_t calls_;
  size_t inside_ = 0;
  std::mutex mutex_;
  std::condition_variable met_;
};

struct ParallelTest : testing::Test {
  FakeConversation conversation;
  StateLog observer;
  LoopOptions options;
};

TEST_F(ParallelTest, CallsThatOnlyReadRunSideBySideAndAreAnsweredInTheirOrder) {
  MeetingRunner runner(4);
  conversation.turns = {{{Call("d"), Call("a"), Call("c"), Call("b")}, false}, {{}, true}};
  auto facts = Loop(&conversation, &runner, &observer, options).Run();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->failed_calls, 0) << "they did not run at the same time";
  EXPECT_EQ(facts->tool_calls, 4);
  EXPECT_THAT(conversation.answered.at(1), ElementsAre("d", "a", "c", "b"));
  for (const auto& [id, result] : conversation.results) EXPECT_EQ(result.output, id);
}

TEST_F(ParallelTest, NeverMoreAtOnceThanAllowed) {
  MeetingRunner runner(1);
  options.at_once = 3;
  std::vector<ToolCall> calls;
  for (int i = 0; i < 40; ++i) calls.push_back(Call("c" + std::to_string(i)));
  conversation.turns = {{calls, false}, {{}, true}};
  ASSERT_TRUE(Loop(&conversation, &runner, &observer, options).Run());
  EXPECT_EQ(runner.ran.size(), 40u);
  EXPECT_LE(runner.most, 3u);
}

TEST_F(ParallelTest, OneCallThatChangesSomethingMakesAllOfThemWaitTheirTurn) {
  MeetingRunner runner(1);
  conversation.turns = {{{Call("a"), Call("b", "changes"), Call("c")}, false}, {{}, true}};
  ASSERT_TRUE(Loop(&conversation, &runner, &observer, options).Run());
  EXPECT_EQ(runner.most, 1u);
  EXPECT_THAT(observer.log, ElementsAre("asking", "running", "start a", "finish a ok", "running", "start b", "finish b ok", "running", "start c", "finish c ok", "asking", "finished"));
}

TEST_F(LoopTest, DoesNotRetryWhatWouldFailAgain) {
  runner.body = [](const ToolCall&, const Deadline&) { return Bad(false); };
  conversation.turns = {{{Call("a")}, false}, {{}, true}};
  ASSERT_TRUE(Run());
  EXPECT_THAT(runner.ran, ElementsAre("a"));
}

TEST_F(LoopTest, DoesNotRetryWhenThePauseWouldOutlastTheDeadline) {
  options.call_timeout = milliseconds(1000);
  options.retry.first = milliseconds(2000);
  runner.body = [](const ToolCall&, const Deadline&) { return Bad(true); };
  conversation.turns = {{{Call("a")}, false}, {{}, true}};
  ASSERT_TRUE(Run());
  EXPECT_THAT(runner.ran, ElementsAre("a"));
  EXPECT_TRUE(pauses.empty());
}

TEST_F(LoopTest, GivesARetryTheDeadlineOfItsCall) {
  std::vector<Deadline> deadlines;
  options.call_timeout = milliseconds(5000);
  runner.body = [&](const ToolCall&, const Deadline& deadline) {
    deadlines.push_back(deadline);
    return Bad(true);
  };
  conversation.turns = {{{Call("a")}, false}, {{}, true}};
  ASSERT_TRUE(Run());
  ASSERT_EQ(deadlines.size(), 4u) << "pauses of 1, 2 and 4 s: here they take no time";
  EXPECT_LE(*deadlines[0].left(), milliseconds(5000));
  for (const Deadline& one : deadlines) EXPECT_LE(*one.left() - *deadlines[0].left(), milliseconds(0));
}

TEST_F(LoopTest, SkipsTheRestOfATurnOnceWrapUpIsRaisedAndSaysSo) {
  runner.body = [&](const ToolCall&, const Deadline&) {
    conversation.wrap_up = true;
    return Good();
  };
  conversation.turns = {{{Call("a"), Call("b"), Call("c")}, false}, {{}, true}};
  auto facts = Run();
  ASSERT_TRUE(facts);
  EXPECT_THAT(runner.ran, ElementsAre("a"));
  EXPECT_THAT(conversation.answered[1], ElementsAre("a", "b", "c"));
  EXPECT_TRUE(conversation.results["a"].success);
  EXPECT_EQ(conversation.results["b"].status, ToolStatus::kTimeout);
  EXPECT_EQ(conversation.results["c"].error, "skipped: wrapping up");
  EXPECT_EQ(conversation.reasons.back(), TurnReason::kWrapUp);
  EXPECT_EQ(facts->tool_calls, 1);
}

TEST_F(LoopTest, EndsWithTheErrorOfTheConversation) {
  conversation.turns = {};
  auto facts = Run();
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ErrorKind::kClosed);
  EXPECT_EQ(state, LoopState::kBroken);
}

TEST_F(LoopTest, EndsWhenTheConversationBreaksBetweenCalls) {
  runner.body = [&](const ToolCall&, const Deadline&) {
    conversation.poll_fails = true;
    return Good();
  };
  conversation.turns = {{{Call("a"), Call("b")}, false}, {{}, true}};
  auto facts = Run();
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ErrorKind::kProtocol);
  EXPECT_THAT(runner.ran, ElementsAre("a"));
}

TEST_F(LoopTest, RefusesATurnThatRepeatsAnIdBeforeAnythingRuns) {
  conversation.turns = {{{Call("a"), Call("b"), Call("a")}, false}, {{}, true}};
  auto facts = Run();
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ErrorKind::kProtocol);
  EXPECT_TRUE(runner.ran.empty());
}

TEST_F(LoopTest, GivesUpOnTurnsWithoutCallsOrEnd) {
  for (int i = 0; i < 100; ++i) conversation.turns.push_back({});
  auto facts = Run();
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ErrorKind::kProtocol);
  EXPECT_LT(conversation.reasons.size(), 20u);
}

}  // namespace
}  // namespace paddock::agentcore

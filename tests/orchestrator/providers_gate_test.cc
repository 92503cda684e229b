#include "orchestrator/providers/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <thread>
#include <vector>

#include "base/frame_pipe.h"

namespace paddock::orchestrator {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;

const RetryPolicy kPolicy{4, 10ms, 40ms};

HttpWait Within(std::chrono::nanoseconds span) { return {Deadline::After(span)}; }

TEST(Gate, SoManyAtATimeAndNoMore) {
  Gate gate({.at_once = 3});
  std::atomic<int> inside{0}, most{0}, entered{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < 20; ++n) {
        auto pass = gate.Enter(Within(20s));
        if (!pass) return;
        const int now = ++inside;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
        std::this_thread::yield();
        ++entered;
        --inside;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(entered, 240);
  EXPECT_LE(most, 3);
  std::vector<Gate::Pass> held;
  for (int i = 0; i < 3; ++i) held.push_back(*gate.Enter(Within(5s)));
  EXPECT_EQ(gate.Enter(Within(20ms)).error().kind, ErrorKind::kTimeout);
  held.pop_back();
  EXPECT_TRUE(gate.Enter(Within(5s)));
}

// Threads that enter and say when; each keeps its place until it is told.
struct Crowd {
  explicit Crowd(Gate* gate, int size) {
    for (int i = 0; i < size; ++i)
      threads.emplace_back([this, gate] {
        auto pass = gate->Enter(Within(20s));
        std::unique_lock lock(mutex);
        if (!pass) return;
        entered.push_back(Clock::now());
        changed.notify_all();
        changed.wait(lock, [&] { return go; });
        lock.unlock();
        pass->Worked();
      });
  }
  ~Crowd() {
    Go();
    for (auto& thread : threads) thread.join();
  }
  void AwaitFirst() {
    std::unique_lock lock(mutex);
    ASSERT_TRUE(changed.wait_for(lock, 20s, [&] { return !entered.empty(); }));
  }
  void Go() {
    std::lock_guard lock(mutex);
    go = true;
    changed.notify_all();
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Clock::time_point> entered;
  bool go = false;
  std::vector<std::thread> threads;
};

TEST(Gate, AfterAHoldOneProbesAndTheOthersFollowOneAfterAnother) {
  Gate gate({.at_once = 8, .spread = 100ms});
  const auto held = gate.Enter(Within(5s))->Overloaded(30ms, kPolicy);
  const auto before = Clock::now();
  EXPECT_GE(held, 29ms);
  std::vector<Clock::time_point> entered;
  {
    Crowd crowd(&gate, 6);
    crowd.AwaitFirst();
    EXPECT_GE(crowd.entered[0] - before, 25ms) << "before the hold was over";
    EXPECT_FALSE(gate.Enter(Within(50ms))) << "beside the probe";
    {
      std::lock_guard lock(crowd.mutex);
      EXPECT_EQ(crowd.entered.size(), 1u);
    }
    crowd.Go();
    for (auto& thread : crowd.threads) thread.join();
    crowd.threads.clear();
    entered = crowd.entered;
  }
  ASSERT_EQ(entered.size(), 6u);
  EXPECT_GT(entered.back() - entered[1], 5ms) << "all at once";
}

TEST(Gate, AProbeThatFailsHoldsAllAgainAndLonger) {
  Gate gate({});
  auto first = *gate.Enter(Within(5s)), second = *gate.Enter(Within(5s));
  const auto once = first.Overloaded(std::nullopt, {4, 100ms, 10s});
  EXPECT_LE(second.Overloaded(std::nullopt, {4, 100ms, 10s}), once) << "it was under way when the server had enough: that is no second time";
  first.Leave();
  second.Leave();
  auto probe = *gate.Enter(Within(5s));
  EXPECT_GE(probe.Overloaded(std::nullopt, {4, 100ms, 10s}), 199ms);
  probe.Leave();
  auto good = *gate.Enter(Within(5s));
  good.Worked();
  EXPECT_LE(good.Overloaded(std::nullopt, {4, 100ms, 10s}), 126ms) << "after success it begins anew";
}

TEST(Gate, AProbeOfWhichNothingIsHeardLeavesThePlaceToTheNext) {
  Gate gate({});
  gate.Enter(Within(5s))->Overloaded(0ms, kPolicy);
  gate.Enter(Within(5s))->Leave();
  EXPECT_TRUE(gate.Enter(Within(5s)));
}

TEST(Gate, AWaitLongerThanTheTimeThatIsLeftIsNotBegun) {
  Gate gate({});
  gate.Enter(Within(5s))->Overloaded(1h, kPolicy);
  const auto before = Clock::now();
  auto refused = gate.Enter(Within(20s));
  EXPECT_LT(Clock::now() - before, 10s);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kTimeout);
  EXPECT_THAT(refused.error().message, HasSubstr("takes no requests for another 36"));
}

TEST(Gate, WhoIsWaitingLearnsOfALongerHold) {
  Gate gate({.at_once = 1});
  auto inside = *gate.Enter(Within(5s));
  std::optional<Error> error;
  std::thread waiting([&] {
    if (auto pass = gate.Enter(Within(30s)); !pass) error = pass.error();
  });
  inside.Overloaded(1h, kPolicy);
  const auto before = Clock::now();
  waiting.join();
  EXPECT_LT(Clock::now() - before, 20s);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("longer than the time that is left"));
}

TEST(Gate, StopAndAbandonEndAWaitAtOnce) {
  Gate gate({.at_once = 1});
  auto inside = *gate.Enter(Within(5s));
  for (auto [which, kind] : {std::pair{&HttpWait::cancel_fd, ErrorKind::kCancelled}, {&HttpWait::abandon_fd, ErrorKind::kClosed}}) {
    auto pipe = *MakePipe();
    HttpWait wait = Within(60s);
    wait.*which = pipe.read.get();
    const auto before = Clock::now();
    std::optional<ErrorKind> ended;
    std::thread waiting([&] {
      if (auto pass = gate.Enter(wait); !pass) ended = pass.error().kind;
    });
    pipe.write.reset();
    waiting.join();
    EXPECT_LT(Clock::now() - before, 30s);
    EXPECT_EQ(ended, kind);
    // And a pause of its own.
    EXPECT_EQ(gate.Enter(wait, Clock::now() + 1h).error().kind, kind);
  }
  EXPECT_EQ(gate.Enter(Within(10ms)).error().kind, ErrorKind::kTimeout);
  inside.Leave();
  EXPECT_TRUE(gate.Enter(Within(5s))) << "who gave up is in nobody's way";
}

TEST(Gate, APauseOfOneKeepsNobodyElseOut) {
  Gate gate({.at_once = 1});
  std::thread pausing([&] { gate.Enter(Within(20s), Clock::now() + 100ms); });
  EXPECT_TRUE(gate.Enter(Within(5s)));
  pausing.join();
}

TEST(Gate, SoManyAMinute) {
  GateSettings settings;
  settings.per_minute = 2;
  settings.minute = 200ms;
  Gate gate(settings);
  std::vector<Clock::time_point> begun;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      auto pass = gate.Enter(Within(20s));
      std::lock_guard lock(mutex);
      if (pass) begun.push_back(Clock::now());
    });
  for (auto& thread : threads) thread.join();
  std::sort(begun.begin(), begun.end());
  ASSERT_EQ(begun.size(), 6u);
  EXPECT_GE(begun[5] - begun[0], 390ms);
  settings.minute = 1h;
  Gate slow(settings);
  EXPECT_TRUE(slow.Enter(Within(5s)));
  EXPECT_TRUE(slow.Enter(Within(5s)));
  auto refused = slow.Enter(Within(60s));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("no more requests a minute"));
  EXPECT_THAT(refused.error().hint, HasSubstr("per_minute"));
}

TEST(Gate, OneForAllUsersOfAServerAndAKey) {
  const auto first = SharedGate("http://here", "key", {.at_once = 4}), second = SharedGate("http://here", "key", {.at_once = 1});
  EXPECT_EQ(first, second);
  EXPECT_NE(first, SharedGate("http://here", "other", {}));
  auto inside = *first->Enter(Within(5s));
  EXPECT_FALSE(second->Enter(Within(10ms))) << "the smaller bound holds";
}

TEST(Gate, ALongWaitIsTold) {
  Gate gate({.per_minute = 1});
  ASSERT_TRUE(gate.Enter(Within(20s)));
  auto stop = *MakePipe();
  std::vector<std::string> said;
  HttpWait wait = Within(90s);
  wait.cancel_fd = stop.read.get();
  auto second = gate.Enter(wait, {}, [&](const std::string& text) { said.push_back(text), stop.write.reset(); });
  EXPECT_FALSE(second);
  EXPECT_THAT(said, testing::ElementsAre("waiting 60 s: per_minute is 1"));
}

}  // namespace
}  // namespace paddock::orchestrator

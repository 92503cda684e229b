#include "orchestrator/broker/ledger.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace paddock::orchestrator {
namespace {

subagents::Budget Small() {
  subagents::Budget budget;
  budget.turns = 3;
  budget.tool_calls = 0;
  budget.output_bytes = 100;
  budget.tokens = 1000;
  return budget;
}

TEST(Ledger, ReservesSettlesAndGivesBack) {
  Ledger ledger(Small());
  {
    auto bytes = ledger.Reserve(Limit::kOutputBytes, 60);
    ASSERT_TRUE(bytes);
    EXPECT_FALSE(ledger.Reserve(Limit::kOutputBytes, 41));
    bytes->Settle(10);
    EXPECT_EQ(ledger.Available(Limit::kOutputBytes), 90);
    auto dropped = ledger.Reserve(Limit::kOutputBytes, 90);
    EXPECT_EQ(ledger.Available(Limit::kOutputBytes), 0);
  }
  EXPECT_EQ(ledger.Available(Limit::kOutputBytes), 90);
  EXPECT_EQ(ledger.Get(Limit::kOutputBytes).used, 10);
}

TEST(Ledger, ZeroIsNone) {
  Ledger ledger(Small());
  auto call = ledger.Reserve(Limit::kToolCalls, 1);
  ASSERT_FALSE(call);
  EXPECT_EQ(call.error().kind, ErrorKind::kLimit);
  EXPECT_TRUE(ledger.Reserve(Limit::kToolCalls, 0));
  EXPECT_EQ(ledger.Reserve(Limit::kToolCalls, -1).error().kind, ErrorKind::kInvalid);
}

TEST(Ledger, OneTurnIsHeldBackForTheReport) {
  Ledger ledger(Small());
  for (int i = 0; i < 2; ++i) {
    auto turn = ledger.Reserve(Limit::kTurns, 1);
    ASSERT_TRUE(turn);
    turn->Settle(1);
  }
  EXPECT_FALSE(ledger.Reserve(Limit::kTurns, 1));
  {
    auto returned = ledger.Reserve(Limit::kTurns, 1, Purpose::kReport);
    ASSERT_TRUE(returned);
  }
  EXPECT_FALSE(ledger.Reserve(Limit::kTurns, 1));  // what came back is held back again
  auto report = ledger.Reserve(Limit::kTurns, 1, Purpose::kReport);
  ASSERT_TRUE(report);
  report->Settle(1);
  EXPECT_FALSE(ledger.Reserve(Limit::kTurns, 1, Purpose::kReport));
}

TEST(Ledger, WhatIsSpentBeyondAReservationIsOverspentAndLessensTheRest) {
  Ledger ledger(Small());
  auto tokens = ledger.Reserve(Limit::kTokens, 100);
  ASSERT_TRUE(tokens);
  tokens->Settle(500);
  auto line = ledger.Get(Limit::kTokens);
  EXPECT_EQ(line.used, 100);
  EXPECT_EQ(line.overspent, 400);
  EXPECT_EQ(ledger.Available(Limit::kTokens), 1000 - 100 - 400 - 100);
  auto more = ledger.Reserve(Limit::kTokens, 1);
  more->Settle(INT64_MAX);
  auto again = ledger.Reserve(Limit::kTokens, 0);
  again->Settle(INT64_MAX);
  EXPECT_EQ(ledger.Available(Limit::kTokens), 0);
  EXPECT_TRUE(ledger.Reserve(Limit::kTokens, 100, Purpose::kReport));  // the allowance stays
}

TEST(Ledger, ReservedAndUsedNeverExceedTheLimitWithManyThreads) {
  subagents::Budget budget;
  budget.tokens = 10'000;
  budget.turns = 500;
  Ledger ledger(budget);
  std::atomic<bool> stop{false}, broken{false};
  std::atomic<int64_t> spent{0};
  std::thread watcher([&] {
    while (!stop) {
      for (Limit limit : {Limit::kTokens, Limit::kTurns}) {
        auto line = ledger.Get(limit);
        if (line.used + line.reserved + line.held_back > line.limit || line.reserved < 0 || line.held_back < 0) broken = true;
      }
    }
  });
  std::vector<std::thread> spenders;
  for (unsigned seed = 0; seed < 8; ++seed)
    spenders.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int i = 0; i < 2000; ++i) {
        Purpose purpose = random() % 10 == 0 ? Purpose::kReport : Purpose::kWork;
        auto tokens = ledger.Reserve(Limit::kTokens, random() % 50, purpose);
        auto turn = ledger.Reserve(Limit::kTurns, 1, purpose);
        if (!tokens) continue;
        if (random() % 3 == 0) continue;  // given back
        int64_t used = tokens->amount() == 0 ? 0 : static_cast<int64_t>(random()) % (tokens->amount() + 1);
        tokens->Settle(used);
        spent += used;
        if (turn && random() % 4 == 0) turn->Settle(1);
      }
    });
  for (auto& thread : spenders) thread.join();
  stop = true;
  watcher.join();
  EXPECT_FALSE(broken);
  auto line = ledger.Get(Limit::kTokens);
  EXPECT_EQ(line.reserved, 0);
  EXPECT_EQ(line.used, spent);
  EXPECT_LE(line.used, line.limit);
  EXPECT_EQ(line.overspent, 0);
}

TEST(Ledger, MoneyIsBoundedWhereTheBudgetSaysSo) {
  subagents::Budget budget = Small();
  Ledger open(budget);
  EXPECT_FALSE(open.Get(Limit::kMoney).bounded);
  open.Reserve(Limit::kMoney, int64_t{1} << 60)->Settle(int64_t{1} << 60);
  open.Reserve(Limit::kMoney, int64_t{1} << 60)->Settle(int64_t{1} << 60);
  EXPECT_TRUE(open.Reserve(Limit::kMoney, 1));
  budget.cost_micros = 1'000;
  Ledger bounded(budget);
  EXPECT_EQ(bounded.Get(Limit::kMoney).limit, 1'000'000);
  EXPECT_FALSE(bounded.Reserve(Limit::kMoney, 900'001)) << "a tenth is for the report";
  EXPECT_TRUE(bounded.Reserve(Limit::kMoney, 1'000'000, Purpose::kReport));
  budget.cost_micros = 0;
  EXPECT_FALSE(Ledger(budget).Reserve(Limit::kMoney, 1, Purpose::kReport));
}

}  // namespace
}  // namespace paddock::orchestrator

// The budget of a tree: a main agent and its children, each with a ledger made of what it was given.
#include "orchestrator/broker/share.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <thread>

namespace paddock::orchestrator {
namespace {

subagents::Budget TreeBudget() {
  subagents::Budget budget;
  budget.tokens = 2'000'000;
  budget.tool_calls = 5'000;
  budget.output_bytes = 1 << 24;
  budget.cost_micros = 9'000'000;
  return budget;
}

TEST(BudgetShare, IsAPartOfWhatIsLeftAndLeavesTheAllowanceForTheReport) {
  Ledger root(TreeBudget());
  const int64_t allowance = root.Get(Limit::kTokens).held_back;
  std::vector<std::unique_ptr<BudgetShare>> shares;
  for (int i = 0; i < 200; ++i) shares.push_back(std::make_unique<BudgetShare>(&root, 2, TreeBudget()));
  EXPECT_LE(root.Available(Limit::kTokens), 1) << "halves of halves: all of it is given away";
  EXPECT_EQ(root.Get(Limit::kTokens).held_back, allowance);
  EXPECT_TRUE(root.Reserve(Limit::kTokens, allowance, Purpose::kReport)) << "and the report is still possible";
  EXPECT_FALSE(shares.back()->usable());
}

TEST(BudgetShare, WithoutAPriceAllOfItsMoneyIsSpent) {
  Ledger root(TreeBudget());
  BudgetShare share(&root, 4, TreeBudget());
  subagents::Budget child;
  share.ApplyTo(&child);
  subagents::Usage used;
  used.input_tokens = 1;
  share.Settle(used);
  EXPECT_EQ(root.Get(Limit::kMoney).used / 1'000, *child.cost_micros);
}

TEST(BudgetShare, ThatWasNeverSettledGoesBackWhole) {
  Ledger root(TreeBudget());
  { BudgetShare share(&root, 4, TreeBudget()); }
  EXPECT_EQ(root.Get(Limit::kTokens).reserved, 0);
  EXPECT_EQ(root.Get(Limit::kTokens).used, 0);
}

constexpr Limit kShared[] = {Limit::kTokens, Limit::kToolCalls, Limit::kOutputBytes, Limit::kMoney};

// A child that works until its own ledger has no more; some spend what they weren't given, as servers do.
subagents::Usage Work(const subagents::Budget& budget, std::mt19937* random, std::atomic<bool>* broken) {
  Ledger own(budget);
  subagents::Usage used;
  used.tool_calls = used.input_tokens = used.output_tokens = used.output_bytes = used.cost_nanos = 0;
  const auto spend = [&](Limit limit, std::optional<int64_t>* sum) {
    auto part = own.ReserveUpTo(limit, 1 + static_cast<int64_t>((*random)() % 5'000));
    const auto line = own.Get(limit);
    if (line.used + line.reserved + line.held_back > line.limit) *broken = true;
    const int64_t spent = part.amount() == 0 ? 0 : static_cast<int64_t>((*random)()) % (part.amount() + 1);
    part.Settle(spent);
    **sum += spent;
  };
  for (int i = 0; i < 20; ++i) {
    spend(Limit::kTokens, &used.input_tokens);
    spend(Limit::kToolCalls, &used.tool_calls);
    spend(Limit::kOutputBytes, &used.output_bytes);
    spend(Limit::kMoney, &used.cost_nanos);
  }
  if ((*random)() % 50 == 0) *used.output_tokens += 100'000;
  return used;
}

// Reserved never exceeds the budget, whoever reserves and settles at the same time.
TEST(BudgetShare, OfManyConcurrentChildrenNeverExceedTheTreesBudget) {
  for (unsigned round = 0; round < 20; ++round) {
    const subagents::Budget budget = TreeBudget();
    Ledger root(budget);
    std::atomic<bool> stop{false}, broken{false};
    std::thread watcher([&] {
      while (!stop)
        for (Limit limit : kShared) {
          const auto line = root.Get(limit);
          if (line.used + line.reserved + line.held_back > line.limit || line.reserved < 0 || line.held_back < 0) broken = true;
        }
    });
    std::mutex sums;
    int64_t tokens = 0, calls = 0;
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 8; ++seed)
      threads.emplace_back([&, seed] {
        std::mt19937 random(round * 100 + seed);
        for (int child = 0; child < 16; ++child) {
          BudgetShare share(&root, 1 + static_cast<int>(random() % 6), budget);
          subagents::Budget own = budget;
          share.ApplyTo(&own);
          if (random() % 10 == 0) continue;  // was never started
          const subagents::Usage used = Work(own, &random, &broken);
          share.Settle(used);
          std::lock_guard lock(sums);
          tokens += *used.input_tokens + *used.output_tokens;
          calls += *used.tool_calls;
        }
      });
    for (auto& thread : threads) thread.join();
    stop = true;
    watcher.join();
    EXPECT_FALSE(broken) << "round " << round;
    const auto line = root.Get(Limit::kTokens);
    EXPECT_EQ(line.used + line.overspent, tokens) << "what the children spent is in the tree's books, once";
    EXPECT_EQ(root.Get(Limit::kToolCalls).used, calls);
    for (Limit limit : kShared) EXPECT_EQ(root.Get(limit).reserved, 0);
    EXPECT_TRUE(root.Reserve(Limit::kTokens, line.held_back, Purpose::kReport)) << "the allowance for the report";
  }
}

}  // namespace
}  // namespace paddock::orchestrator

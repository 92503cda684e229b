// Money: reserved before a question, settled after it, and never more than the budget.
#include <gmock/gmock.h>

#include "orchestrator/providers/price.h"
#include "tests/orchestrator/fake_cell.h"

namespace paddock::orchestrator {
namespace {

using subagents::TicketStatus;
using testing::HasSubstr;

// Reads until only the report is on offer. Every answer has as many tokens as it may.
struct PricedModel : agentcore::Model {
  std::optional<ModelPrice> price = ModelPrice{3, 15, {}};
  int64_t answer = 1'000;
  bool says_cost = true;
  std::vector<int64_t> allowed;
  std::string name() const override { return "priced"; }
  bool is_language_model() const override { return true; }
  int64_t max_answer_tokens() const override { return answer; }
  std::optional<int64_t> CostNanos(int64_t in, int64_t out) const override { return price ? std::optional(MostCostNanos(*price, in, out)) : std::nullopt; }
  Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest& request, const Deadline&) override {
    allowed.push_back(request.max_output_tokens);
    agentcore::ModelTurn turn;
    if (request.wrap_up) turn.calls = {{"", "report", Json{{"summary", "done"}}}};
    else turn.calls = {{"", "read_file", Json{{"path", "a" + std::to_string(allowed.size()) + ".c"}}}};
    turn.usage = {200, request.max_output_tokens};
    if (price && says_cost) turn.usage.cost_nanos = CostNanos(200, request.max_output_tokens);
    return turn;
  }
};

struct BrokerMoneyTest : BrokerFixture {
  BrokerMoneyTest() { Use(PricedModel()); }
  void Use(PricedModel priced) {
    auto owned = std::make_unique<PricedModel>(std::move(priced));
    asked = owned.get();
    model = std::move(owned);
  }
  ServeOutcome Run() {
    return Serve([](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); });
  }
  PricedModel* asked = nullptr;
};

TEST_F(BrokerMoneyTest, TheReportIsPaidFromWhatIsLeft) {
  budget.cost_micros = 100'000;  // five answers
  budget.turns = 50;
  auto out = Run();
  EXPECT_EQ(out.status, TicketStatus::kBudget) << out.ending.detail;
  EXPECT_TRUE(out.report);
  EXPECT_THAT(out.ending.hint, HasSubstr("--max-cost"));
  ASSERT_TRUE(out.usage.cost_nanos);
  EXPECT_LE(*out.usage.cost_nanos, 100'000'000);
  EXPECT_GT(*out.usage.cost_nanos, 60'000'000);
  EXPECT_GE(asked->allowed.back(), 900) << "the report has room for all that it may say";
}

TEST_F(BrokerMoneyTest, ZeroIsNoneButForWhatCostsNothing) {
  budget.cost_micros = 0;
  auto out = Run();
  EXPECT_EQ(out.status, TicketStatus::kBudget);
  EXPECT_THAT(out.ending.detail, HasSubstr("budget of money ($0.00)"));
  EXPECT_TRUE(asked->allowed.empty());
  PricedModel free;
  free.price = ModelPrice{0, 0, {}};
  Use(free);
  budget.turns = 3;
  EXPECT_TRUE(Run().report);
}

TEST_F(BrokerMoneyTest, WithoutABoundItIsOnlyCounted) {
  budget.turns = 3;
  auto out = Run();
  EXPECT_EQ(out.status, TicketStatus::kTurnLimit);
  EXPECT_EQ(out.usage.cost_nanos, 3 * (200 * 3'000 + 1'000 * 15'000));
  EXPECT_THAT(out.notes, testing::Not(testing::Contains(HasSubstr("beyond the budget"))));
}

TEST_F(BrokerMoneyTest, WithoutAPriceNothingIsKnownAndNoBoundCanBeKept) {
  PricedModel unknown;
  unknown.price.reset();
  Use(unknown);
  budget.turns = 3;
  EXPECT_FALSE(Run().usage.cost_nanos);
  budget.cost_micros = 1'000'000'000;
  Use(unknown);
  auto out = Run();
  EXPECT_TRUE(asked->allowed.empty());
  EXPECT_THAT(out.ending.detail, HasSubstr("no price is known"));
}

TEST_F(BrokerMoneyTest, WhatIsNotKnownOfATurnIsSpent) {
  PricedModel silent;
  silent.says_cost = false;
  Use(silent);
  budget.cost_micros = 50'000;
  budget.turns = 50;
  EXPECT_EQ(Run().status, TicketStatus::kBudget);
  EXPECT_LE(asked->allowed.size(), 4u);
}

// One whole answer would cost more than there is.
TEST_F(BrokerMoneyTest, WhereMoneyIsTightAnswersAreShorter) {
  PricedModel wordy;
  wordy.answer = 8'192;
  Use(wordy);
  budget.cost_micros = 60'000;
  budget.turns = 50;
  auto out = Run();
  EXPECT_TRUE(out.report);
  ASSERT_GE(asked->allowed.size(), 2u) << "a question of work and the report";
  EXPECT_LT(asked->allowed.front(), 4'000);
  EXPECT_GE(asked->allowed.back(), 900);
  EXPECT_LE(*out.usage.cost_nanos, 60'000'000);
}

TEST_F(BrokerMoneyTest, AReportAboutNothingIsNotPaidFor) {
  budget.cost_micros = 12'000;
  auto out = Run();
  EXPECT_EQ(out.status, TicketStatus::kBudget);
  EXPECT_TRUE(asked->allowed.empty());
  EXPECT_THAT(out.ending.detail, HasSubstr("no room for a question of"));
}

TEST_F(BrokerMoneyTest, MoreThanWasReservedIsNotBeyondTheBudget) {
  struct Longer : PricedModel {
    Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest&, const Deadline&) override {
      agentcore::ModelTurn turn;
      turn.calls = {{"", "report", Json{{"summary", "done"}}}};
      turn.usage = {200, 188'000};
      turn.usage.cost_nanos = 70'000'000;
      return turn;
    }
  };
  model = std::make_unique<Longer>();
  budget.cost_micros = 1'000'000;
  EXPECT_THAT(Run().notes, testing::Not(testing::Contains(HasSubstr("beyond the budget"))));
}

TEST_F(BrokerMoneyTest, WhatAServerSpendsBeyondItIsSaid) {
  struct Dear : PricedModel {
    Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest&, const Deadline&) override {
      agentcore::ModelTurn turn;
      turn.calls = {{"", "report", Json{{"summary", "done"}}}};
      turn.usage = {200, 10'000'000};
      turn.usage.cost_nanos = 7'000'000'000;
      return turn;
    }
  };
  model = std::make_unique<Dear>();
  budget.cost_micros = 1'000'000;
  auto out = Run();
  EXPECT_THAT(out.notes, testing::Contains(HasSubstr("$6.00 were spent beyond the budget of $1.00")));
  EXPECT_EQ(out.usage.cost_nanos, 7'000'000'000);
}

}  // namespace
}  // namespace paddock::orchestrator

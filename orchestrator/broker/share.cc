#include "orchestrator/broker/share.h"

namespace paddock::orchestrator {

BudgetShare::BudgetShare(Ledger* ledger, int part, const subagents::Budget& most)
    : ledger_(ledger), money_bounded_(ledger->Get(Limit::kMoney).bounded) {
  using enum Limit;
  const int64_t money = most.cost_micros ? std::min<int64_t>(*most.cost_micros, INT64_MAX / 1'000) * 1'000 : INT64_MAX;
  auto taken = ledger->ReserveShares({{kTokens, most.tokens}, {kToolCalls, most.tool_calls}, {kOutputBytes, most.output_bytes}, {kMoney, money_bounded_ ? money : 0}}, part);
  tokens_ = std::move(taken[0]);
  calls_ = std::move(taken[1]);
  output_ = std::move(taken[2]);
  money_ = std::move(taken[3]);
}

void BudgetShare::ApplyTo(subagents::Budget* budget) const {
  budget->tokens = tokens_.amount();
  budget->tool_calls = calls_.amount();
  budget->output_bytes = output_.amount();
  if (money_bounded_) budget->cost_micros = money_.amount() / 1'000;
}

bool BudgetShare::usable() const { return tokens_.amount() > 0 && calls_.amount() > 0 && output_.amount() > 0; }

bool BudgetShare::ample() const {
  constexpr int64_t kTokens = 50'000, kCalls = 25, kOutput = 1 << 20;
  return tokens_.amount() >= kTokens && calls_.amount() >= kCalls && output_.amount() >= kOutput;
}

void BudgetShare::Settle(const subagents::Usage& used) {
  const int64_t tokens = used.input_tokens.value_or(0) + used.output_tokens.value_or(0);
  ledger_->SettleAll({{&tokens_, tokens}, {&calls_, used.tool_calls.value_or(0)}, {&output_, used.output_bytes.value_or(0)},
                      {&money_, used.cost_nanos.value_or(tokens > 0 ? money_.amount() : 0)}});
}

}  // namespace paddock::orchestrator

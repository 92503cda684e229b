#include "orchestrator/broker/ledger.h"

#include <algorithm>

namespace paddock::orchestrator {
namespace {

constexpr int64_t kMaxTokensHeldBack = 16'384;
constexpr int64_t kMostMicros = INT64_MAX / 4'000;

size_t Index(Limit limit) { return static_cast<size_t>(limit); }

int64_t AddCapped(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

}  // namespace

const char* LimitName(Limit limit) {
  static constexpr const char* kNames[kLimitCount] = {"turns", "tool_calls", "output_bytes", "tokens", "wall_ms", "money"};
  return kNames[Index(limit)];
}

Ledger::Reservation& Ledger::Reservation::operator=(Reservation&& other) noexcept {
  if (this != &other) {
    Return();
    ledger_ = std::exchange(other.ledger_, nullptr);
    limit_ = other.limit_;
    amount_ = std::exchange(other.amount_, 0);
    from_held_ = std::exchange(other.from_held_, 0);
  }
  return *this;
}

void Ledger::Reservation::Settle(int64_t used) {
  if (!ledger_) return;
  ledger_->SettleAll({{this, used}});
}

Ledger::Ledger(const subagents::Budget& budget) {
  lines_[Index(Limit::kTurns)].limit = budget.turns;
  lines_[Index(Limit::kToolCalls)].limit = budget.tool_calls;
  lines_[Index(Limit::kOutputBytes)].limit = budget.output_bytes;
  lines_[Index(Limit::kTokens)].limit = budget.tokens;
  lines_[Index(Limit::kWallMs)].limit = budget.wall_ms;
  Line& money = lines_[Index(Limit::kMoney)];
  money.bounded = budget.cost_micros.has_value();
  money.limit = money.bounded ? std::min(*budget.cost_micros, kMostMicros) * 1'000 : INT64_MAX / 2;
  for (Line& line : lines_) line.limit = std::max<int64_t>(line.limit, 0);
  Line& turns = lines_[Index(Limit::kTurns)];
  turns.held_back = std::min<int64_t>(turns.limit, 1);
  Line& tokens = lines_[Index(Limit::kTokens)];
  tokens.held_back = std::min(tokens.limit / 10, kMaxTokensHeldBack);
  if (money.bounded) money.held_back = money.limit / 10;
}

int64_t Ledger::AvailableLocked(const Line& line, Purpose purpose) const {
  if (!line.bounded) return INT64_MAX / 4;
  int64_t open = std::max<int64_t>(0, line.limit - line.used - line.reserved - line.held_back);
  open = std::max<int64_t>(0, open - line.overspent);
  return purpose == Purpose::kReport ? open + line.held_back : open;
}

Ledger::Reservation Ledger::Take(Limit limit, int64_t amount, Purpose purpose) {
  Line& line = lines_[Index(limit)];
  Reservation out;
  out.ledger_ = this;
  out.limit_ = limit;
  out.amount_ = amount;
  if (purpose == Purpose::kReport) out.from_held_ = std::min(amount, line.held_back);
  line.held_back -= out.from_held_;
  line.reserved += amount;
  return out;
}

Result<Ledger::Reservation> Ledger::Reserve(Limit limit, int64_t amount, Purpose purpose) {
  if (amount < 0) return Fail(ErrorKind::kInvalid, "a reservation of less than nothing");
  std::lock_guard lock(mutex_);
  const Line& line = lines_[Index(limit)];
  if (amount > AvailableLocked(line, purpose))
    return Fail(ErrorKind::kLimit, std::string("the budget of ") + LimitName(limit) + " (" + std::to_string(line.limit) + ") is used up",
                std::string("allow more ") + LimitName(limit));
  return Take(limit, amount, purpose);
}

Ledger::Reservation Ledger::ReserveUpTo(Limit limit, int64_t amount, Purpose purpose) {
  std::lock_guard lock(mutex_);
  return Take(limit, std::clamp<int64_t>(AvailableLocked(lines_[Index(limit)], purpose), 0, std::max<int64_t>(amount, 0)), purpose);
}

std::vector<Ledger::Reservation> Ledger::ReserveShares(std::initializer_list<Wanted> wanted, int part) {
  std::lock_guard lock(mutex_);
  std::vector<Reservation> taken;
  for (const auto& [limit, most] : wanted)
    taken.push_back(Take(limit, std::clamp<int64_t>(AvailableLocked(lines_[Index(limit)], Purpose::kWork) / part, 0, std::max<int64_t>(most, 0)), Purpose::kWork));
  return taken;
}

void Ledger::SettleAll(std::initializer_list<Spent> spent) {
  std::lock_guard lock(mutex_);
  for (const auto& [reservation, used] : spent) {
    if (reservation->ledger_ != this) continue;  // settled before
    SettleLocked(*reservation, std::max<int64_t>(used, 0));
    reservation->ledger_ = nullptr;
  }
}

void Ledger::SettleLocked(const Reservation& reservation, int64_t used) {
  Line& line = lines_[Index(reservation.limit_)];
  int64_t within = std::min(used, reservation.amount_);
  line.reserved -= reservation.amount_;
  line.used += within;
  line.overspent = AddCapped(line.overspent, used - within);
  // What was taken from the held-back part and not used is held back again.
  line.held_back += std::min(reservation.from_held_, reservation.amount_ - within);
}

Ledger::Line Ledger::Get(Limit limit) const {
  std::lock_guard lock(mutex_);
  return lines_[Index(limit)];
}

int64_t Ledger::Available(Limit limit, Purpose purpose) const {
  std::lock_guard lock(mutex_);
  return AvailableLocked(lines_[Index(limit)], purpose);
}

}  // namespace paddock::orchestrator

// One ledger reserves and settles every limit of a ticket.
//
// Whatever is about to be spent is reserved first and settled afterwards, so that two spenders can't both
// count on the same rest. For every limit, used + reserved + held back never exceeds it; what a server
// spends beyond its reservation can't be undone, so it is written down as overspent and lessens what is
// left. A limit of 0 means none, never unlimited.
//
// A part of turns and tokens is held back for the report: only Reserve(..., Purpose::kReport) reaches it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

enum class Limit { kTurns, kToolCalls, kOutputBytes, kTokens, kWallMs, kMoney };
inline constexpr size_t kLimitCount = 6;
const char* LimitName(Limit limit);

enum class Purpose { kWork, kReport };

// Thread-safe. Must outlive its reservations.
class Ledger {
 public:
  class Reservation {
   public:
    Reservation() = default;
    Reservation(Reservation&& other) noexcept { *this = std::move(other); }
    Reservation& operator=(Reservation&& other) noexcept;
    ~Reservation() { Return(); }

    int64_t amount() const { return ledger_ ? amount_ : 0; }
    // Books what was really used, at least 0; the rest goes back. Ends the reservation.
    void Settle(int64_t used);
    // Nothing was used.
    void Return() { Settle(0); }

   private:
    friend class Ledger;
    Ledger* ledger_ = nullptr;
    Limit limit_ = Limit::kTurns;
    int64_t amount_ = 0;
    int64_t from_held_ = 0;  // part of amount_ that came from what is held back
  };

  struct Line {
    int64_t limit = 0, used = 0, reserved = 0, held_back = 0, overspent = 0;
    bool bounded = true;  // money alone may be without a bound

    // How far what was spent is beyond the limit. (Beyond what was reserved for it is not beyond that.)
    int64_t past() const { return bounded ? std::max<int64_t>(0, used - limit + overspent) : 0; }
  };

  // Holds back one turn, a tenth of the tokens (at most 16,384) and a tenth of the money for the report. Money is counted in
  // billionths of a US dollar.
  explicit Ledger(const subagents::Budget& budget);
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // kLimit when there is not so much left, kInvalid for a negative amount.
  Result<Reservation> Reserve(Limit limit, int64_t amount, Purpose purpose = Purpose::kWork);
  // As much as there is, up to `amount`; possibly 0.
  Reservation ReserveUpTo(Limit limit, int64_t amount, Purpose purpose = Purpose::kWork);

  struct Wanted {
    Limit limit;
    int64_t most;
  };
  // Of each the `part`th part of what there is, up to what is wanted; all in one step, so that nobody else comes between.
  std::vector<Reservation> ReserveShares(std::initializer_list<Wanted> wanted, int part);
  struct Spent {
    Reservation* reservation;
    int64_t used;
  };
  // Settles all in one step: nobody sees a part of it.
  void SettleAll(std::initializer_list<Spent> spent);

  Line Get(Limit limit) const;
  // What Reserve would still give.
  int64_t Available(Limit limit, Purpose purpose = Purpose::kWork) const;

 private:
  void SettleLocked(const Reservation& reservation, int64_t used);
  Reservation Take(Limit limit, int64_t amount, Purpose purpose);
  int64_t AvailableLocked(const Line& line, Purpose purpose) const;

  mutable std::mutex mutex_;
  std::array<Line, kLimitCount> lines_;
};

}  // namespace paddock::orchestrator

// The door to one model's server, for all of this process that ask it with the same key.
//
// At most so many requests at a time, at most so many begun in a minute, first come first served. When the server says that it has too
// much to do, everybody waits: as long as Retry-After says, else 1 s doubling to 30 s. Then one goes as a probe; when that worked the
// others follow one after another with pauses by chance, so that they don't come back in lockstep.
//
// A wait ends with the deadline, a wish to stop, or when nobody waits for the answer any more; one that is known to be longer than the
// time that is left is not begun.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "orchestrator/providers/endpoint.h"
#include "orchestrator/providers/http.h"

namespace paddock::orchestrator {

struct RetryPolicy {
  int attempts = 4;  // the first included
  std::chrono::milliseconds first_pause{1'000};
  std::chrono::milliseconds longest_pause{30'000};
};
// Before attempt 2, 3, ...: 1 s, 2 s, 4 s ... and up to a quarter more, by chance.
std::chrono::milliseconds PauseBefore(const RetryPolicy& policy, int attempt);

struct GateSettings {
  int64_t at_once = 8;
  std::optional<int64_t> per_minute = {};     // null: no bound
  std::chrono::milliseconds minute = std::chrono::milliseconds{60'000};
  std::chrono::milliseconds spread = std::chrono::milliseconds{100};     // longest pause between two that follow a probe
};

inline GateSettings GateOf(const ModelSettings& settings) { return {settings.at_once, settings.per_minute}; }

// Thread-safe. Must outlive its passes.
class Gate {
  using Clock = Deadline::Clock;

 public:
  explicit Gate(GateSettings settings) : settings_(settings) {}

  // A place. Its destructor gives it back.
  class Pass {
   public:
    Pass() = default;
    Pass(Pass&& other) noexcept { *this = std::move(other); }
    Pass& operator=(Pass&& other) noexcept;
    ~Pass() { Leave(); }
    // The server answers, whatever it says: others may follow.
    void Worked();
    // It has too much to do. Gives back how long all wait now, counted from now.
    std::chrono::milliseconds Overloaded(std::optional<std::chrono::milliseconds> retry_after, const RetryPolicy& policy);
    void Leave();

   private:
    friend class Gate;
    Gate* gate_ = nullptr;
    bool probe_ = false;
    Clock::time_point began_;
  };

  // Waits for a place, not before `not_before`. kTimeout (also when the wait would be longer than what is left), kCancelled, kClosed.
  // `say` is told once where that takes longer than a second, but not of the server's own wish (Held).
  Result<Pass> Enter(const HttpWait& wait, std::chrono::steady_clock::time_point not_before = {}, const std::function<void(const std::string&)>& say = {});
  // How long the server wants no requests.
  std::chrono::milliseconds Held() const;
  // Bounds of another user of the same server: the smaller ones hold.
  void Narrow(const GateSettings& settings);

 private:
  struct Waiter;
  struct Chance {
    bool now = false;
    std::optional<Clock::time_point> at;  // not before; nullopt: when another one leaves
  };
  Chance ChanceOf(size_t place, Clock::time_point now);
  Pass Take(Clock::time_point now);
  void Wake(bool all);
  void Remove(Waiter* waiter);

  mutable std::mutex mutex_;
  GateSettings settings_;
  std::deque<Waiter*> waiters_;
  std::deque<Clock::time_point> begun_;  // within the last minute; kept only where that is bounded
  int64_t inside_ = 0;
  Clock::time_point held_until_{}, held_at_{};
  int overloads_ = 0;                    // in a row
  bool needs_probe_ = false, probing_ = false;
  int64_t following_ = 0;                // how many still come one after another
  Clock::time_point next_{};             // the earliest of those
};

// The one of this process for a server and a key.
std::shared_ptr<Gate> SharedGate(const std::string& url, const std::string& key, const GateSettings& settings);

}  // namespace paddock::orchestrator

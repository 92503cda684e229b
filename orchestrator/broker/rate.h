// A token bucket: `burst` at once, `per_second` in the long run.
#pragma once

#include <algorithm>
#include <chrono>

namespace paddock::orchestrator {

class TokenBucket {
 public:
  using Clock = std::chrono::steady_clock;
  TokenBucket(double per_second, double burst, Clock::time_point now = Clock::now())
      : per_second_(per_second), burst_(burst), tokens_(burst), last_(now) {}

  // False when it is empty.
  bool Take(Clock::time_point now = Clock::now()) {
    tokens_ = std::min(burst_, tokens_ + std::chrono::duration<double>(now - last_).count() * per_second_);
    last_ = now;
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

 private:
  double per_second_, burst_, tokens_;
  Clock::time_point last_;
};

}  // namespace paddock::orchestrator

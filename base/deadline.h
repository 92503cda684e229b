// A point on the monotonic clock by which something must have happened.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace paddock {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  static Deadline Never() { return Deadline(); }
  static Deadline After(std::chrono::nanoseconds span) {
    Deadline deadline;
    deadline.at_ = Clock::now() + span;
    return deadline;
  }

  bool passed() const { return at_ && Clock::now() >= *at_; }
  // Time left, never negative; nullopt when there is no deadline.
  std::optional<std::chrono::nanoseconds> left() const {
    if (!at_) return std::nullopt;
    return std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(*at_ - Clock::now()));
  }
  // Argument for poll(2): milliseconds rounded up, -1 for never.
  int poll_ms() const {
    auto span = left();
    if (!span) return -1;
    auto ms = (span->count() + 999'999) / 1'000'000;
    return static_cast<int>(std::min<long long>(ms, 1'000'000'000));
  }
  Deadline Earlier(const Deadline& other) const {
    if (!at_) return other;
    if (!other.at_) return *this;
    return *at_ < *other.at_ ? *this : other;
  }

 private:
  std::optional<Clock::time_point> at_;
};

}  // namespace paddock

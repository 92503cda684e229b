// When a call that failed for a passing reason is made again, and after how long. By the system: a model is not asked.
#pragma once

#include <algorithm>
#include <chrono>

namespace paddock::agentcore {

struct RetryRule {
  std::chrono::milliseconds first{1'000};
  std::chrono::milliseconds longest{30'000};

  // Before the n-th retry, from 1: 1 s, doubling to 30 s.
  std::chrono::milliseconds PauseBefore(int n) const { return std::min(first * (1 << std::clamp(n - 1, 0, 15)), longest); }
};

}  // namespace paddock::agentcore

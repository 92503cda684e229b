// Keeps a model that fails again and again from being asked before it may have recovered.
//
//   closed       asked; so many failed attempts in a row open it, and so does one question that was given up
//   open         not asked for a while: a long one where no waiting mends it (a quota, a key)
//   half open    one question as a trial: its success closes, its failure opens again
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace paddock::orchestrator {

struct BreakerSettings {
  int failures = 3;                  // in a row
  std::chrono::seconds rest{30};
  std::chrono::seconds long_rest{600};
  std::function<std::chrono::steady_clock::time_point()> clock = std::chrono::steady_clock::now;
};

// Thread-safe.
class Breaker {
 public:
  explicit Breaker(BreakerSettings settings = {}) : settings_(std::move(settings)) {}

  // May it be asked? Each true is followed by exactly one of the three below.
  bool Admit();
  void Succeeded();
  void GivenUp(const std::string& why, bool for_long);
  void NothingLearned();  // a wish to stop, no time left, a question that nobody would take
  // Before that: one of the attempts at a question. It may be made again while the breaker is closed.
  void AttemptFailed(const std::string& why);
  // Would Admit say yes?
  bool MayBeAsked() const;
  bool closed() const;

  // Why it is not asked, for people; empty when it is closed.
  std::string WhyNot() const;

 private:
  void Open(std::chrono::seconds rest);

  mutable std::mutex mutex_;
  BreakerSettings settings_;
  int failed_ = 0;
  bool open_ = false, trying_ = false;
  std::chrono::steady_clock::time_point open_until_{};
  std::string why_;
};

// The one of this process for a model of a server, by what tells it from others.
std::shared_ptr<Breaker> SharedBreaker(const std::string& who);

}  // namespace paddock::orchestrator

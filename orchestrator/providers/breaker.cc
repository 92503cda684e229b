#include "orchestrator/providers/breaker.h"

#include <algorithm>
#include <map>

namespace paddock::orchestrator {

bool Breaker::Admit() {
  std::lock_guard lock(mutex_);
  if (!open_) return true;
  if (trying_ || settings_.clock() < open_until_) return false;
  return trying_ = true;
}

bool Breaker::MayBeAsked() const {
  std::lock_guard lock(mutex_);
  return !open_ || (!trying_ && settings_.clock() >= open_until_);
}

bool Breaker::closed() const {
  std::lock_guard lock(mutex_);
  return !open_;
}

void Breaker::Open(std::chrono::seconds rest) {
  open_until_ = std::max(open_until_, settings_.clock() + rest);
  open_ = true;
}

void Breaker::Succeeded() {
  std::lock_guard lock(mutex_);
  failed_ = 0;
  open_ = trying_ = false;
  open_until_ = {};
}

void Breaker::AttemptFailed(const std::string& why) {
  std::lock_guard lock(mutex_);
  ++failed_;
  why_ = why;
  if (failed_ >= settings_.failures) Open(settings_.rest);
}

void Breaker::GivenUp(const std::string& why, bool for_long) {
  std::lock_guard lock(mutex_);
  trying_ = false;
  why_ = why;
  Open(for_long ? settings_.long_rest : settings_.rest);
}

void Breaker::NothingLearned() {
  std::lock_guard lock(mutex_);
  trying_ = false;
}

std::string Breaker::WhyNot() const {
  std::lock_guard lock(mutex_);
  if (!open_) return "";
  const auto left = std::chrono::ceil<std::chrono::seconds>(open_until_ - settings_.clock()).count();
  return "it failed and is " + (left > 0 ? "left alone for another " + std::to_string(left) + " s" : std::string("on trial")) + (why_.empty() ? "" : " (last: " + why_ + ")");
}

std::shared_ptr<Breaker> SharedBreaker(const std::string& who) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<Breaker>> breakers;
  std::lock_guard lock(mutex);
  auto& breaker = breakers[who];
  if (!breaker) breaker = std::make_shared<Breaker>();
  return breaker;
}

}  // namespace paddock::orchestrator

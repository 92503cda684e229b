#include "orchestrator/providers/breaker.h"

#include <algorithm>
#include <map>

namespace paddock::orchestrator {

bool Breaker::Admit() {
  std::lock_guard lock(mutex_);
  if (failed_ < settings_.failures) return true;
  if (trying_ || settings_.clock() < open_until_) return false;
  return trying_ = true;
}

void Breaker::Succeeded() {
  std::lock_guard lock(mutex_);
  failed_ = 0;
  trying_ = false;
}

void Breaker::Failed(const std::string& why) {
  std::lock_guard lock(mutex_);
  failed_ = std::min(failed_ + 1, settings_.failures);
  trying_ = false;
  why_ = why;
  if (failed_ >= settings_.failures) open_until_ = settings_.clock() + settings_.rest;
}

void Breaker::NothingLearned() {
  std::lock_guard lock(mutex_);
  trying_ = false;
}

std::string Breaker::WhyNot() const {
  std::lock_guard lock(mutex_);
  if (failed_ < settings_.failures) return "";
  const auto left = std::chrono::ceil<std::chrono::seconds>(open_until_ - settings_.clock()).count();
  return "it failed " + std::to_string(settings_.failures) + " times in a row and is " + (left > 0 ? "left alone for another " + std::to_string(left) + " s" : std::string("on trial")) +
         (why_.empty() ? "" : " (last: " + why_ + ")");
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

#include "orchestrator/providers/gate.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/sha256.h"
#include "base/unique_fd.h"

namespace paddock::orchestrator {
namespace {

using std::chrono::milliseconds;
using Clock = Deadline::Clock;

constexpr auto kQuietSpan = std::chrono::seconds(1);  // of a wait that nobody is told of

// Even chance from 0 to `most`.
Clock::duration Chanced(Clock::duration most) {
  thread_local std::minstd_rand random{std::random_device{}()};
  return Clock::duration(std::uniform_int_distribution<int64_t>(0, std::max<int64_t>(most.count(), 0))(random));
}

milliseconds RoundedUp(Clock::duration span) { return std::chrono::ceil<milliseconds>(std::max(span, Clock::duration::zero())); }

// Until `until`, or until `wake_fd` is readable. kTimeout only when the deadline passes first.
Status WaitFor(const HttpWait& wait, int wake_fd, const Deadline& until) {
  const Deadline first = until.Earlier(wait.deadline);
  for (;;) {
    pollfd waits[3] = {{wait.cancel_fd, POLLIN, 0}, {wait.abandon_fd, POLLIN, 0}, {wake_fd, POLLIN, 0}};
    const int ready = poll(waits, 3, first.poll_ms());
    if (ready < 0 && errno != EINTR) return FailErrno("poll");
    if (ready > 0 && waits[0].revents) return Fail(ErrorKind::kCancelled, "told to stop");
    if (ready > 0 && waits[1].revents) return Fail(ErrorKind::kClosed, "nobody waits for this answer any more");
    if (ready > 0) {
      uint64_t count;
      while (read(wake_fd, &count, sizeof count) < 0 && errno == EINTR) {}
      return {};
    }
    if (wait.deadline.passed()) return Fail(ErrorKind::kTimeout, "no place at the model's server came free before the deadline", "allow more time (--timeout), or more requests at a time (at_once in config.json)");
    if (until.passed()) return {};
  }
}

}  // namespace

struct Gate::Waiter {
  UniqueFd wake;
};

milliseconds PauseBefore(const RetryPolicy& policy, int attempt) {
  const milliseconds pause = std::min(policy.first_pause * (1 << std::clamp(attempt - 2, 0, 10)), policy.longest_pause);
  return pause + std::chrono::duration_cast<milliseconds>(Chanced(pause / 4));
}

Gate::Pass& Gate::Pass::operator=(Pass&& other) noexcept {
  if (this == &other) return *this;
  Leave();
  gate_ = std::exchange(other.gate_, nullptr);
  probe_ = other.probe_;
  began_ = other.began_;
  return *this;
}

void Gate::Pass::Leave() {
  if (!gate_) return;
  Gate& gate = *std::exchange(gate_, nullptr);
  std::lock_guard lock(gate.mutex_);
  --gate.inside_;
  if (probe_) gate.probing_ = false;  // where nothing was learned, the next one is the probe
  gate.Wake(false);
}

void Gate::Pass::Worked() {
  if (!gate_) return;
  std::lock_guard lock(gate_->mutex_);
  if (began_ < gate_->held_at_) return;  // says nothing of what is now
  gate_->overloads_ = 0;
  if (!probe_) return;
  probe_ = gate_->probing_ = gate_->needs_probe_ = false;
  gate_->following_ = gate_->settings_.at_once;
  gate_->next_ = Clock::now() + Chanced(gate_->settings_.spread);
  gate_->Wake(false);
}

milliseconds Gate::Pass::Overloaded(std::optional<milliseconds> retry_after, const RetryPolicy& policy) {
  if (!gate_) return {};
  std::lock_guard lock(gate_->mutex_);
  const auto now = Clock::now();
  // Of many that were under way when the server had enough, only the first counts.
  const bool counts = began_ >= gate_->held_at_;
  if (counts) ++gate_->overloads_;
  const milliseconds span = retry_after ? *retry_after + std::chrono::duration_cast<milliseconds>(Chanced(std::min(*retry_after / 10, milliseconds(1'000))))
                                        : PauseBefore(policy, std::max(gate_->overloads_, 1) + 1);
  if (counts || retry_after) {
    gate_->held_until_ = std::max(gate_->held_until_, now + span);
    gate_->held_at_ = now;
    gate_->needs_probe_ = true;
    gate_->following_ = 0;
    gate_->Wake(true);  // some have not so much time
  }
  if (probe_) probe_ = gate_->probing_ = false;
  return gate_->held_until_ > now ? RoundedUp(gate_->held_until_ - now) : span;
}

milliseconds Gate::Held() const {
  std::lock_guard lock(mutex_);
  return RoundedUp(held_until_ - Clock::now());
}

void Gate::Narrow(const GateSettings& settings) {
  std::lock_guard lock(mutex_);
  settings_.at_once = std::min(settings_.at_once, settings.at_once);
  if (settings.per_minute) settings_.per_minute = std::min(settings_.per_minute.value_or(*settings.per_minute), *settings.per_minute);
}

// What the one at `place` of the queue has to wait for.
Gate::Chance Gate::ChanceOf(size_t place, Clock::time_point now) {
  Clock::time_point at = std::max(now, held_until_);
  if (following_ > 0) at = std::max(at, next_);
  if (settings_.per_minute) {
    while (!begun_.empty() && begun_.front() + settings_.minute <= now) begun_.pop_front();
    // Those before it in the queue go first.
    const size_t bound = static_cast<size_t>(*settings_.per_minute), index = begun_.size() + place;
    if (index >= bound) {
      const size_t behind = index - bound;
      const size_t rounds = begun_.empty() ? behind / bound : behind / begun_.size();
      const Clock::time_point freed = begun_.empty() ? now : begun_[behind % begun_.size()];
      at = std::max(at, freed + settings_.minute * static_cast<int64_t>(rounds + 1));
    }
  }
  if (at > now) return {false, at};
  const bool room = inside_ < settings_.at_once && !(needs_probe_ && probing_);
  if (place > 0 || !room) return {false, std::nullopt};
  return {true, now};
}

Gate::Pass Gate::Take(Clock::time_point now) {
  Pass pass;
  pass.gate_ = this;
  pass.began_ = now;
  pass.probe_ = needs_probe_;
  if (needs_probe_) probing_ = true;
  ++inside_;
  if (settings_.per_minute) begun_.push_back(now);
  if (following_ > 0) {
    --following_;
    next_ = now + Chanced(settings_.spread);
  }
  return pass;
}

void Gate::Wake(bool all) {
  const uint64_t one = 1;
  for (Waiter* waiter : waiters_) {
    while (write(waiter->wake.get(), &one, sizeof one) < 0 && errno == EINTR) {}
    if (!all) break;
  }
}

void Gate::Remove(Waiter* waiter) {
  waiters_.erase(std::find(waiters_.begin(), waiters_.end(), waiter));
  Wake(false);  // whoever is first now has not looked as such
}

Result<Gate::Pass> Gate::Enter(const HttpWait& wait, Clock::time_point not_before, const std::function<void(const std::string&)>& say) {
  // Apart from the queue, so that nobody waits behind it.
  if (auto now = Clock::now(); not_before > now) {
    const Deadline until = Deadline::After(not_before - now);
    while (!until.passed()) TRY(WaitFor(wait, -1, until));
  }
  std::unique_lock lock(mutex_);
  if (waiters_.empty())
    if (const auto now = Clock::now(); ChanceOf(0, now).now) return Take(now);
  Waiter me{UniqueFd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))};
  if (!me.wake) return FailErrno("eventfd");
  waiters_.push_back(&me);
  const auto came = Clock::now();
  bool untold = say != nullptr;
  for (;;) {
    const size_t place = static_cast<size_t>(std::find(waiters_.begin(), waiters_.end(), &me) - waiters_.begin());
    const auto now = Clock::now();
    const Chance chance = ChanceOf(place, now);
    if (chance.now) {
      Pass pass = Take(now);
      Remove(&me);
      return pass;
    }
    const Deadline until = chance.at ? Deadline::After(*chance.at - now) : untold ? Deadline::After(kQuietSpan) : Deadline::Never();
    if (auto left = wait.deadline.left(); chance.at && left && *chance.at - now > *left) {
      Remove(&me);
      const std::string seconds = std::to_string(RoundedUp(*chance.at - now).count() / 1000);
      const bool held = held_until_ > now;
      return Fail(ErrorKind::kTimeout, std::string(held ? "the model's server takes no requests" : "no more requests a minute are allowed to the model's server") + " for another " + seconds + " s, longer than the time that is left",
                  held ? "try later, or allow more time (--timeout)" : "allow more time (--timeout), or more requests (per_minute in config.json)");
    }
    std::string told;
    if (untold && chance.at && held_until_ <= now && *chance.at - now > kQuietSpan && settings_.per_minute)
      told = "waiting " + std::to_string(std::chrono::ceil<std::chrono::seconds>(*chance.at - now).count()) + " s: per_minute is " + std::to_string(*settings_.per_minute);
    else if (untold && !chance.at && inside_ >= settings_.at_once && now - came >= kQuietSpan)
      told = "waiting for a request that is under way to end: at_once is " + std::to_string(settings_.at_once);
    lock.unlock();
    if (!told.empty()) say(told), untold = false;
    auto waited = WaitFor(wait, me.wake.get(), until);
    lock.lock();
    if (waited) continue;
    Remove(&me);
    return std::unexpected(waited.error());
  }
}

std::shared_ptr<Gate> SharedGate(const std::string& url, const std::string& key, const GateSettings& settings) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<Gate>> gates;
  std::lock_guard lock(mutex);
  std::shared_ptr<Gate>& gate = gates[url + "\n" + Sha256Hex(key)];
  if (gate) gate->Narrow(settings);
  else gate = std::make_shared<Gate>(settings);
  return gate;
}

}  // namespace paddock::orchestrator

#include "orchestrator/providers/http_pool.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/sha256.h"
#include "orchestrator/providers/http/frames.h"
#include "sandbox/machine/mend.h"
#include "sandbox/spawn.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kLeastIdle = 8;  // that may be kept

bool IsIdle(const RunningHttp& running) {
  if (running.reader->amid_frame() || running.reader->Pop()) return false;
  pollfd waits[2] = {{running.socket.get(), POLLIN, 0}, {running.process.pidfd(), POLLIN, 0}};
  return poll(waits, 2, 0) == 0;
}

}  // namespace

HttpPool::~HttpPool() {
  std::unique_lock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
  lock.unlock();
  if (starter_.joinable()) starter_.join();
}

Result<std::unique_ptr<RunningHttp>> HttpPool::Take(const Deadline& deadline) {
  std::unique_lock lock(mutex_);
  while (!idle_.empty()) {
    std::unique_ptr<RunningHttp> running = std::move(idle_.back());
    idle_.pop_back();
    if (!IsIdle(*running)) continue;
    ++in_use_;
    return running;
  }
  try {
    if (!starter_.joinable()) starter_ = std::thread([this] { StartWhatIsWanted(std::unique_lock(mutex_)); });
  } catch (const std::system_error& fault) {
    return FailErrno("no thread to start paddock-http with", fault.code().value(), sandbox::machine::kMoreProcesses);
  }
  Waiter waiter;
  wanted_.push_back(&waiter);
  changed_.notify_all();
  const auto given = [&] { return waiter.given.has_value(); };
  const auto left = deadline.left();
  if (!left) waiter.has_it.wait(lock, given);
  else if (!waiter.has_it.wait_for(lock, *left, given)) {
    std::erase(wanted_, &waiter);
    return Fail(ErrorKind::kTimeout, "the time was up before paddock-http was started", "allow more time, or ask for less at once");
  }
  return *std::move(waiter.given);
}

void HttpPool::GiveBack(std::unique_ptr<RunningHttp> running, bool exchange_ended) {
  std::vector<std::unique_ptr<RunningHttp>> too_many;  // ended without the lock
  const bool good = exchange_ended && IsIdle(*running);
  std::lock_guard lock(mutex_);
  --in_use_;
  if (good) Give(std::move(running));
  // A start costs more than an exchange: where many ask by turns, what one gives back is the next one's.
  while (idle_.size() > std::max(kLeastIdle, in_use_)) {
    too_many.push_back(std::move(idle_.front()));
    idle_.erase(idle_.begin());
  }
}

// With the lock: to who has waited longest, or to nobody yet.
void HttpPool::Give(Started started) {
  if (wanted_.empty()) {
    if (started) idle_.push_back(*std::move(started));
    return;
  }
  in_use_ += started ? 1 : 0;
  Waiter* waiter = wanted_.front();
  wanted_.pop_front();
  waiter->given.emplace(std::move(started));
  waiter->has_it.notify_one();
}

void HttpPool::StartWhatIsWanted(std::unique_lock<std::mutex> lock) {
  for (;;) {
    changed_.wait(lock, [&] { return ended_ || !wanted_.empty(); });
    if (ended_) return;
    lock.unlock();
    Started started = Start();
    lock.lock();
    Give(std::move(started));
  }
}

HttpPool::Started HttpPool::Start() {
  auto program = TRY(sandbox::SpawnProgram(program_, SOCK_STREAM, environment_));
  auto running = std::make_unique<RunningHttp>();
  running->process = std::move(program.process);
  running->socket = std::move(program.socket);
  running->reader = std::make_unique<FrameReader>(running->socket.get(), kMaxHttpFrameBytes);
  return running;
}

std::shared_ptr<HttpPool> SharedHttpPool(const std::string& url, const std::string& key, const std::string& program, const std::map<std::string, std::string>& environment) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<HttpPool>> pools;
  std::lock_guard lock(mutex);
  std::shared_ptr<HttpPool>& pool = pools[url + "\n" + Sha256Hex(key) + "\n" + program];
  if (!pool) pool = std::make_shared<HttpPool>(program, environment);
  return pool;
}

}  // namespace paddock::orchestrator

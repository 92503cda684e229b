#include "orchestrator/providers/http_pool.h"

#include <poll.h>
#include <sys/socket.h>

#include "base/sha256.h"
#include "orchestrator/providers/http/frames.h"
#include "sandbox/machine/mend.h"
#include "sandbox/spawn.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMostIdle = 8;

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

Result<std::unique_ptr<RunningHttp>> HttpPool::Take() {
  std::unique_lock lock(mutex_);
  while (!idle_.empty()) {
    std::unique_ptr<RunningHttp> running = std::move(idle_.back());
    idle_.pop_back();
    if (IsIdle(*running)) return running;
  }
  try {
    if (!starter_.joinable()) starter_ = std::thread([this] { StartWhatIsWanted(std::unique_lock(mutex_)); });
  } catch (const std::system_error& fault) {
    return FailErrno("no thread to start paddock-http with", fault.code().value(), sandbox::machine::kMoreProcesses);
  }
  std::optional<Started> started;
  wanted_.push_back(&started);
  changed_.notify_all();
  changed_.wait(lock, [&] { return started.has_value(); });
  return *std::move(started);
}

void HttpPool::GiveBack(std::unique_ptr<RunningHttp> running) {
  if (!IsIdle(*running)) return;
  std::lock_guard lock(mutex_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(running));
}

void HttpPool::StartWhatIsWanted(std::unique_lock<std::mutex> lock) {
  for (;;) {
    changed_.wait(lock, [&] { return ended_ || !wanted_.empty(); });
    if (ended_) return;
    std::optional<Started>* wanted = wanted_.front();
    wanted_.pop_front();
    lock.unlock();
    Started started = Start();
    lock.lock();
    wanted->emplace(std::move(started));
    changed_.notify_all();
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

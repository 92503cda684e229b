#include "orchestrator/delegation/warm_cells.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "sandbox/proc_reader.h"

namespace paddock::orchestrator {
namespace {

using std::chrono::milliseconds;

constexpr int64_t kAssumedKb = 4096;  // of a cell that could not be measured
constexpr milliseconds kLongestPause{30'000};

int64_t NumberIn(const std::map<std::string, std::string, std::less<>>& fields, const char* name) {
  auto found = fields.find(name);
  return found == fields.end() ? 0 : std::atoll(found->second.c_str());
}

// The proportional share of memory (proc(5), smaps_rollup) of a cell and its pid 1; 0: could not be read.
int64_t SizeKb(pid_t cell) {
  auto proc = sandbox::ProcReader::Open(cell);
  auto status = proc ? proc->File("status") : std::unexpected(proc.error());
  if (!status) return 0;
  auto init = sandbox::ProcReader::Open(static_cast<pid_t>(NumberIn(sandbox::StatusFields(*status), "PPid")));
  auto of_cell = proc->File("smaps_rollup");
  auto of_init = init ? init->File("smaps_rollup") : std::unexpected(init.error());
  if (!of_cell || !of_init) return 0;
  return NumberIn(sandbox::StatusFields(*of_cell), "Pss") + NumberIn(sandbox::StatusFields(*of_init), "Pss");
}

// Nothing has happened to it: it waits for go, and so does its pid 1.
bool Untouched(StartedCell* cell) {
  pollfd looks[] = {{cell->jail.payload_pidfd(), POLLIN, 0}, {cell->jail.end_fd(), POLLIN, 0}, {cell->from.get(), POLLIN, 0}, {cell->to.get(), 0, 0}};
  if (poll(looks, std::size(looks), 0) != 0) return false;
  cell->jail.ReadNews();
  return !cell->jail.end() && !cell->jail.stopped_by() && cell->jail.violation_count() == 0;
}

// The folder at the workspace's path is still the one that the plan names. A folder of another mount is another device or inode.
bool SameFolder(const std::optional<sandbox::Workspace>& workspace) {
  struct stat info;
  if (!workspace) return true;
  return lstat(workspace->path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_dev == workspace->device && info.st_ino == workspace->inode;
}

}  // namespace

WarmCells::~WarmCells() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    Wake();
    const uint64_t one = 1;
    if (stop_) (void)!write(stop_.get(), &one, sizeof one);
  }
  if (thread_.joinable()) thread_.join();
}

void WarmCells::Keep(const WarmBounds& bounds) {
  std::lock_guard lock(mutex_);
  bounds_ = bounds;
  Wake();
}

bool WarmCells::kept() const {
  std::lock_guard lock(mutex_);
  return bounds_.cells > 0;
}

std::optional<StartedCell> WarmCells::Take(WarmPlan plan) {
  std::list<Waiting> given_up;  // ended when nobody waits for the lock
  std::list<Waiting> one;
  std::unique_lock lock(mutex_);
  if (bounds_.cells == 0 || !EnsureRunning()) return std::nullopt;
  auto& kind = kinds_[plan.built.plan_digest];
  if (!kind) kind = std::make_shared<Kind>(std::move(plan));
  const std::shared_ptr<Kind> of = kind;
  of->asked.push_back(Clock::now());
  if (of->asked.size() > bounds_.cells) of->asked.pop_front();
  Wake();
  while (!of->waiting.empty()) {
    one.splice(one.end(), of->waiting, of->waiting.begin());
    const uint64_t mounts = Mounts();
    lock.unlock();
    // Looked at without the lock: a folder's disk may be slow.
    const bool good = one.front().mounts == mounts && SameFolder(of->plan.workspace) && Untouched(&one.front().cell);
    lock.lock();
    if (good) {
      of->failures = 0;
      news_.notify_all();
      return std::move(one.front().cell);
    }
    given_up.splice(given_up.end(), one);
  }
  return std::nullopt;
}

bool WarmCells::WaitFor(size_t cells, const Deadline& deadline) {
  std::unique_lock lock(mutex_);
  return news_.wait_for(lock, deadline.left().value_or(std::chrono::hours(1)), [&] { return Count() == cells && !busy_; });
}

size_t WarmCells::waiting() const {
  std::lock_guard lock(mutex_);
  return Count();
}

int64_t WarmCells::cell_kb() const {
  std::lock_guard lock(mutex_);
  return cell_kb_;
}

size_t WarmCells::Count() const {
  size_t count = 0;
  for (const auto& [digest, kind] : kinds_) count += kind->waiting.size();
  return count;
}

void WarmCells::Wake() {
  const uint64_t one = 1;
  if (wake_) (void)!write(wake_.get(), &one, sizeof one);
}

// False where this machine gives no way to know of changed mounts, or no thread.
bool WarmCells::EnsureRunning() {
  if (running_) return true;
  if (stopping_) return false;
  if (!wake_) wake_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_) stop_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!mount_table_) mount_table_.reset(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  if (!wake_ || !stop_ || !mount_table_) return false;
  if (thread_.joinable()) thread_.join();  // it has let go of everything
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error&) {
    return false;
  }
  running_ = true;
  return true;
}

// How often the mount table has changed, as far as was looked: each look of one open file tells of a change once (proc(5)).
uint64_t WarmCells::Mounts() {
  pollfd look{mount_table_.get(), POLLPRI, 0};
  if (poll(&look, 1, 0) != 0) ++mounts_;
  return mounts_;
}

// Those that are not wanted any more, or have ended.
std::list<WarmCells::Waiting> WarmCells::Tidy(Clock::time_point now) {
  std::list<Waiting> gone;
  const uint64_t mounts = Mounts();
  for (auto at = kinds_.begin(); at != kinds_.end();) {
    Kind& kind = *at->second;
    while (!kind.asked.empty() && now - kind.asked.front() >= bounds_.idle) kind.asked.pop_front();
    while (kind.waiting.size() > WantedOf(kind)) gone.splice(gone.end(), kind.waiting, kind.waiting.begin());
    for (auto one = kind.waiting.begin(); one != kind.waiting.end();) {
      const auto next = std::next(one);
      const bool touched = !Untouched(&one->cell);
      if (touched) Failed(&kind);
      if (touched || one->mounts != mounts) gone.splice(gone.end(), kind.waiting, one);
      one = next;
    }
    at = kind.asked.empty() ? kinds_.erase(at) : std::next(at);
  }
  return gone;
}

void WarmCells::Failed(Kind* kind) {
  const milliseconds pause = std::min(kLongestPause, bounds_.pause * (int64_t{1} << std::min(kind->failures, 12)));
  kind->not_before = Clock::now() + pause;
  ++kind->failures;
}

// A kind of which one more may and should be built: the one that was asked for last.
std::shared_ptr<WarmCells::Kind> WarmCells::Short(Clock::time_point now) const {
  const size_t count = Count();
  const int64_t each = cell_kb_ > 0 ? cell_kb_ : kAssumedKb;
  if (count >= bounds_.cells || static_cast<int64_t>(count + 1) * each > bounds_.memory_kb) return nullptr;
  std::shared_ptr<Kind> found;
  for (const auto& [digest, kind] : kinds_) {
    if (kind->waiting.size() >= WantedOf(*kind) || kind->not_before > now) continue;
    if (!found || kind->asked.back() > found->asked.back()) found = kind;
  }
  return found;
}

void WarmCells::BuildOne(std::unique_lock<std::mutex>* lock, const std::shared_ptr<Kind>& kind) {
  const uint64_t mounts = Mounts();
  const bool measure = cell_kb_ == 0;
  busy_ = true;
  lock->unlock();
  auto cell = build_(kind->plan, stop_.get());
  const int64_t size = cell && measure ? SizeKb(cell->jail.payload_pid()) : 0;
  lock->lock();
  busy_ = false;
  if (measure && cell) cell_kb_ = size > 0 ? size : kAssumedKb;
  if (!cell) return Failed(kind.get());
  kind->waiting.push_back({*std::move(cell), mounts});
  news_.notify_all();
}

// Until somebody asks, a cell that waits ends or says something, or the next point in time at which there is something to do.
void WarmCells::Wait(std::unique_lock<std::mutex>* lock) {
  std::vector<pollfd> looks{{wake_.get(), POLLIN, 0}};
  Deadline next = Deadline::Never();
  const auto now = Clock::now();
  for (const auto& [digest, kind] : kinds_) {
    next = next.Earlier(Deadline::After(kind->asked.front() + bounds_.idle - now));
    if (kind->not_before > now) next = next.Earlier(Deadline::After(kind->not_before - now));
    // One that is taken meanwhile wakes us for nothing: what is looked at then is only those that wait.
    for (const Waiting& one : kind->waiting)
      for (int fd : {one.cell.jail.end_fd(), one.cell.from.get()}) looks.push_back({fd, POLLIN, 0});
  }
  lock->unlock();
  poll(looks.data(), looks.size(), next.poll_ms());
  uint64_t drained;
  (void)!read(wake_.get(), &drained, sizeof drained);
  lock->lock();
}

void WarmCells::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto now = Clock::now();
    if (std::list<Waiting> gone = Tidy(now); !gone.empty()) {
      busy_ = true;
      lock.unlock();
      gone.clear();
      lock.lock();
      busy_ = false;
      news_.notify_all();
      continue;
    }
    if (kinds_.empty()) break;
    if (const auto kind = Short(now)) BuildOne(&lock, kind);
    else Wait(&lock);
  }
  running_ = false;
}

}  // namespace paddock::orchestrator

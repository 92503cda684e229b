// Cells that are built before anybody asks for them: each serves once, and never again.
//
// As many of a plan are kept as were asked for within the last seconds, so the stock grows with what is used, is empty again when
// nothing is, and costs nothing before. One thread builds, and watches those that wait; there is none while nothing is wanted.
//
// A cell is handed out only for an equal digest of the plan, which covers profile, ids, workspace (path, device, inode), program and
// environment. Its receipt was read when it was built. Between then and now:
//   - it has done nothing: it waits in read(2) for go, has read nothing of a repository, and its pipe is empty. It is the same process
//     (its pidfd has not ended, nor has pid 1's), and what the receipt lists can't be taken off a process from outside but by the host's
//     root: filters, no_new_privs and Landlock can't be removed, capabilities, ids and limits not be gained without a privilege that
//     nobody in the jail has, and its mounts lie in a namespace of its own that gets no news from the host's.
//   - the host may have changed: another folder or mount at the workspace's path (looked at again: device and inode), or a mount made
//     or taken away inside the repository, which the copy in the jail does not follow (the kernel tells of any change of the mount
//     table, and all cells that were built before are given up).
// Any doubt gives the cell up, and a fresh one is built in its place.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <expected>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "orchestrator/delegation/started_cell.h"
#include "sandbox/plan_builder.h"

namespace paddock::orchestrator {

struct WarmBounds {
  size_t cells = 8;                          // that wait at a time, of all plans together; 0: none
  int64_t memory_kb = 32 << 10;              // of all of them, as measured (PSS)
  std::chrono::milliseconds idle{20'000};    // of what was asked for longer ago nothing is kept
  std::chrono::milliseconds pause{100};      // before the next is built where one failed or died; doubles up to 30 s until one is used
};

// What a cell is built from, owned.
struct WarmPlan {
  sandbox::Profile profile;
  std::optional<sandbox::Workspace> workspace;
  sandbox::BuiltPlan built;
};

class WarmCells {
 public:
  // Builds one, held before go. Readable `cancel_fd`: stop. Called by the thread.
  using Build = std::function<std::expected<StartedCell, StartFailure>(const WarmPlan& plan, int cancel_fd)>;
  explicit WarmCells(Build build) : build_(std::move(build)) {}
  ~WarmCells();  // ends those that wait
  WarmCells(const WarmCells&) = delete;
  WarmCells& operator=(const WarmCells&) = delete;

  // All thread-safe.
  void Keep(const WarmBounds& bounds);
  bool kept() const;
  // One of exactly this plan, which has not been told go; nothing where there is none. Counts as asked for, either way.
  std::optional<StartedCell> Take(WarmPlan plan);
  // Until exactly so many wait, and nothing is under way; false when that is not so by the deadline. For tests, and whoever measures.
  bool WaitFor(size_t cells, const Deadline& deadline);
  // Those that wait, of all plans.
  size_t waiting() const;
  // Of one, as measured: of the cell and its pid 1; 0 before there was one.
  int64_t cell_kb() const;

 private:
  using Clock = Deadline::Clock;
  struct Waiting {
    StartedCell cell;
    uint64_t mounts = 0;  // the mount table that it was built under
  };
  struct Kind {
    explicit Kind(WarmPlan of) : plan(std::move(of)) {}
    const WarmPlan plan;
    std::deque<Clock::time_point> asked;  // within the idle time
    std::list<Waiting> waiting;
    int failures = 0;  // builds and cells, since one was used
    Clock::time_point not_before{};
  };

  void Run();
  void Wait(std::unique_lock<std::mutex>* lock);
  std::list<Waiting> Tidy(Clock::time_point now);
  std::shared_ptr<Kind> Short(Clock::time_point now) const;
  void BuildOne(std::unique_lock<std::mutex>* lock, const std::shared_ptr<Kind>& kind);
  void Failed(Kind* kind);
  size_t WantedOf(const Kind& kind) const { return std::min(kind.asked.size(), bounds_.cells); }
  size_t Count() const;
  bool EnsureRunning();
  uint64_t Mounts();
  void Wake();

  const Build build_;
  mutable std::mutex mutex_;
  std::condition_variable news_;  // more cells wait, or fewer
  WarmBounds bounds_{.cells = 0};
  std::map<std::string, std::shared_ptr<Kind>> kinds_;  // by digest
  UniqueFd wake_, stop_, mount_table_;
  uint64_t mounts_ = 0;  // changes of the mount table that were seen
  int64_t cell_kb_ = 0;
  bool running_ = false, stopping_ = false;
  bool busy_ = false;  // the thread builds or ends cells
  std::thread thread_;
};

}  // namespace paddock::orchestrator

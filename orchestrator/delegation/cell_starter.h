// From a profile to a cell that may be spoken to: jail, ready, receipt, go. Nothing is said to a cell before
// its receipt was compared with the profile.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/frame_pipe.h"
#include "orchestrator/delegation/started_cell.h"
#include "orchestrator/delegation/warm_cells.h"
#include "sandbox/jail.h"
#include "sandbox/plan_builder.h"
#include "sandbox/receipt.h"
#include "sandbox/workspace.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

class CellStarter {
 public:
  // `programs` is the folder of paddock-jail and paddock-cell. The launcher is started at once (while this
  // process is small), and waited for at the first cell.
  CellStarter();
  static Result<std::unique_ptr<CellStarter>> Make(const std::string& programs, uint32_t root_jail_uid = sandbox::kRootJailUid);

  struct Wanted {
    const sandbox::Profile* profile = nullptr;
    const sandbox::Workspace* workspace = nullptr;
    int64_t wall_ms = 0;   // pid 1's own clock; 0: the profile's
    int cancel_fd = -1;    // readable: stop
    const std::vector<std::string>* hidden = nullptr;  // paths that show nothing (hidden_paths.h); needed where the profile hides
  };
  // Thread-safe. Until ready or an end: by the deadline, and within 10 s of its turn (see building_). A warm one where cells are kept so and
  // there is one of this plan. What it points to is borrowed for the call.
  std::expected<StartedCell, StartFailure> Start(const Wanted& wanted, const Deadline& deadline);

  // From now on cells are also built ahead, for what is asked for lately. Not for profiles that hide files: what they hide is looked
  // for anew each time, and a cell that was built before might show what has appeared since.
  void KeepWarm(const WarmBounds& bounds = {}) { warm_.Keep(bounds); }
  WarmCells& warm() { return warm_; }

  sandbox::Launcher& launcher() { return *launcher_; }

  // For tests: a plan as it is about to be used, to leave a layer out behind the builder's back. No warm cell is taken then.
  std::function<void(sandbox::BuiltPlan*)> change_plan;

 private:
  Result<sandbox::BuiltPlan> PlanOf(const Wanted& wanted) const;
  std::optional<StartedCell> TakeWarm(const Wanted& wanted);
  std::expected<StartedCell, StartFailure> Build(const sandbox::Profile& profile, const sandbox::BuiltPlan& built, int cancel_fd, const Deadline& deadline);

  std::string programs_;
  sandbox::Caller caller_;
  std::unique_ptr<sandbox::Launcher> launcher_;
  std::mutex mutex_;  // of the launcher's socket and the baseline
  // So many jails are built at once. The others wait their turn, and their time to start begins with it: a launcher that is
  // only busy must not be taken for one that does not answer.
  std::counting_semaphore<> building_{16};
  std::optional<sandbox::Baseline> baseline_;
  WarmCells warm_;  // the last: it goes first, and its cells with it
};

// How a jail ended, in the words of a ticket. `own` is what the broker thinks; what the jail says outranks it.
subagents::Ending EndingOf(const sandbox::JailEnd& end, const subagents::Ending& own);

}  // namespace paddock::orchestrator

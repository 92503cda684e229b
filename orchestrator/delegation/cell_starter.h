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
#include "sandbox/jail.h"
#include "sandbox/plan_builder.h"
#include "sandbox/receipt.h"
#include "sandbox/workspace.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

// One cell, held. Its destructor ends the jail.
struct StartedCell {
  sandbox::Jail jail;
  UniqueFd to, from;  // the frame pipes
  sandbox::Receipt receipt;
  int64_t processor_ms = 0;  // its limit of processor time
};

// Why a cell was not started, as it goes into a ticket.
struct StartFailure {
  Error error;
  std::string kind;  // of the ending (subagents/ticket.h)
  int64_t code = 0;  // exit status or signal number; where there is neither, the errno counts
  std::optional<sandbox::Receipt> receipt;
};

class CellStarter {
 public:
  // `programs` is the folder of paddock-jail and paddock-cell. The launcher is started at once (while this
  // process is small), and waited for at the first cell.
  static Result<std::unique_ptr<CellStarter>> Make(const std::string& programs, uint32_t root_jail_uid = sandbox::kRootJailUid);

  struct Wanted {
    const sandbox::Profile* profile = nullptr;
    const sandbox::Workspace* workspace = nullptr;
    int64_t wall_ms = 0;   // pid 1's own clock; 0: the profile's
    int cancel_fd = -1;    // readable: stop
    const std::vector<std::string>* hidden = nullptr;  // paths that show nothing (hidden_paths.h); needed where the profile hides
  };
  // Thread-safe. Until ready or an end: by the deadline. What it points to is borrowed for the call.
  std::expected<StartedCell, StartFailure> Start(const Wanted& wanted, const Deadline& deadline);

  sandbox::Launcher& launcher() { return *launcher_; }

  // For tests: a plan as it is about to be used, to leave a layer out behind the builder's back.
  std::function<void(sandbox::BuiltPlan*)> change_plan;

 private:
  std::string programs_;
  sandbox::Caller caller_;
  std::unique_ptr<sandbox::Launcher> launcher_;
  std::mutex mutex_;  // of the launcher's socket and the baseline
  // So many jails are built at once. The others wait their turn, and their time to start begins with it: a launcher that is
  // only busy must not be taken for one that does not answer.
  std::counting_semaphore<> building_{16};
  std::optional<sandbox::Baseline> baseline_;
};

// How a jail ended, in the words of a ticket. `own` is what the broker thinks; what the jail says outranks it.
subagents::Ending EndingOf(const sandbox::JailEnd& end, const subagents::Ending& own);

}  // namespace paddock::orchestrator

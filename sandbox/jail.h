// A Launcher makes Jails; a Jail is a running confinement, and its destructor leaves nothing running.
//
// One Launcher serves a whole session. Not thread-safe: one thread starts jails at a time; a Jail is used by
// one thread at a time.
#pragma once

#include <signal.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/child_process.h"
#include "base/deadline.h"
#include "base/unique_fd.h"
#include "sandbox/messages.h"
#include "sandbox/plan.h"
#include "sandbox/setup_error.h"
#include "sandbox/spawn.h"
#include "sandbox/violation.h"

namespace paddock::sandbox {

enum class EndKind {
  kRunning,
  kExited,        // the payload ended by itself: code
  kSignaled,      // the payload was killed by a signal: code
  kKilled,        // this process ended the jail
  kDeadline,      // pid 1's own clock ran out
  kTooManyViolations,  // more calls were denied than the plan allows
  kCopyFailed,    // the copier of the workspace came to no good end, and the program was not let go: code (exit status, or 128 + signal)
  kSetupError,    // it was never complete: stage, code (errno), detail
  kLauncherDead,  // the launcher died, and took the jail along
  kLost,          // pid 1 was killed by somebody else
};

struct JailEnd {
  EndKind kind = EndKind::kRunning;
  int code = 0;
  Stage stage = Stage::kRequest;
  std::string detail;
  std::optional<uint64_t> cpu_us, peak_rss_kb;  // where the payload's end was reported
};

class Jail {
 public:
  Jail(Jail&&) noexcept;
  Jail& operator=(Jail&&) = delete;
  ~Jail();

  // Waits until the payload process exists (or, for a plan with hold, waits for go). The error of a jail
  // that could not be made names stage, errno and what to do. kCancelled as soon as `cancel_fd` is readable (-1:
  // none). A launcher that does not get on with it by `deadline` (kTimeout) is ended, and all its jails with it. `own` is the caller's own
  // time, which may pass while the launcher is only busy with others: this jail alone is given up then (kTimeout too), as when told to stop.
  Status WaitStarted(const Deadline& deadline, int cancel_fd = -1, const Deadline& own = Deadline::Never());
  // For a plan with hold: exec may happen.
  Status Go();
  // To the payload's process group, by way of pid 1. kClosed when the jail is gone.
  Status Signal(int number);
  // Pid 1's own clock begins again: what the jail is for begins only now.
  Status RestartClock() { return Signal(0); }
  // For a plan with terminal_descriptors, once it has started: the other end of the jail's terminal. Empty afterwards.
  UniqueFd TakeTerminal() { return std::move(terminal_); }

  // Takes in what pid 1 has said; never waits. There is something when news_fd is readable.
  void ReadNews() { Pump(); }
  int news_fd() const { return status_closed_ ? -1 : status_.get(); }
  // How it ended, as soon as that is known; Stop() must be called all the same.
  const std::optional<JailEnd>& end() const { return end_; }
  // What was denied so far was the witness's, and counts no more. For a program that is held this is done when it is.
  void ForgetWitness();
  // Hands out the denials that have come in since the last call. Some may be missing where many came at once:
  // violation_count is exact.
  std::vector<Violation> TakeViolations() { return std::exchange(violations_, {}); }
  // Nothing is reported where the plan does not say so.
  bool reports_violations() const { return reports_; }
  uint64_t violation_count() const { return violation_count_ - witness_count_; }
  // Pid 1 has told the count at its end. Where it was killed, reports that found no room are not in the count.
  bool violation_count_is_whole() const { return counted_; }
  // The signal that stopped the payload (job control); nothing while it runs.
  std::optional<int> stopped_by() const { return stopped_by_; }

  // What a payload that is held was denied, as errno: by Landlock, by the filter. 0: it was not.
  int landlock_witness() const { return landlock_witness_; }
  int seccomp_witness() const { return seccomp_witness_; }

  pid_t payload_pid() const { return payload_pid_; }   // on the host
  int payload_pidfd() const { return payload_pidfd_.get(); }
  int end_fd() const { return init_pidfd_ ? init_pidfd_.get() : status_.get(); }  // readable when the jail is gone (or has news)

  // Ends the jail if it runs and tells how it ended. Afterwards no process of it exists; of one that was given up before it was built,
  // the builder may, whose work ends where it finds the life line cut. A payload that has ended by itself in the meantime is reported as such.
  JailEnd Stop();

  // CLOCK_MONOTONIC nanoseconds at which each stage was done, 0 where it was not recorded.
  const std::array<uint64_t, static_cast<size_t>(Stage::kCount)>& stage_times() const { return at_ns_; }

 private:
  friend class Launcher;
  Jail() = default;
  void Pump();
  void EndUnbuilt();
  void DropViolations();
  void Handle(const StatusMessage& message, UniqueFd passed);

  UniqueFd status_;
  UniqueFd life_;  // closing it ends the jail
  UniqueFd go_;
  UniqueFd init_pidfd_, payload_pidfd_, terminal_;
  int launcher_pidfd_ = -1;  // borrowed from the launcher
  pid_t payload_pid_ = -1;
  bool started_ = false, held_ = false, wants_hold_ = false, reports_ = false, counted_ = false, status_closed_ = false, killed_ = false, hurry_ = false;
  std::optional<JailEnd> end_;
  std::vector<Violation> violations_;
  uint64_t violation_count_ = 0, witness_count_ = 0;
  std::optional<int> stopped_by_;
  int landlock_witness_ = 0, seccomp_witness_ = 0;
  std::array<uint64_t, static_cast<size_t>(Stage::kCount)> at_ns_{};
};

class Launcher {
 public:
  // Starts the launcher and returns at once; it makes its namespaces meanwhile. It ends with the thread that calls
  // this (PR_SET_PDEATHSIG), so let that be one that lives as long as the launcher is needed.
  // kOwnRoots: for one program and the like; only plans with own_root and without the shared network can be started
  // then, and the first is there sooner.
  enum class Serves { kEveryPlan, kOwnRoots };
  static Result<std::unique_ptr<Launcher>> Start(const std::string& program, Serves serves = Serves::kEveryPlan);

  // Waits until it can make jails; an error says which step the machine refused and how to mend that, or what
  // is wrong with the launcher. kCancelled as soon as `cancel_fd` is readable (-1: none).
  Status WaitReady(const Deadline& deadline, int cancel_fd = -1);

  // Asks for a jail, once ready. `passed` are the descriptors for plan.descriptors, in order, and one more for a plan with a copier; `groups` those of the
  // cgroup.procs files of the control groups that it is to be in from its first process on.
  Result<Jail> StartJail(const Plan& plan, std::vector<UniqueFd> passed, const Deadline& deadline, int cancel_fd = -1,
                         std::vector<UniqueFd> groups = {});

  const ChildProcess& process() const { return launcher_.process; }

  // No jail of it runs, and it is needed no more: it ends while the caller goes on. The destructor waits for it.
  void Dismiss() { (void)launcher_.process.Signal(SIGKILL); }

 private:
  std::unexpected<Error> Foreign(const std::string& what) const;
  std::unexpected<Error> DeadBeforeReady();

  std::string program_;
  LauncherProcess launcher_;
  bool ready_ = false;
};

// A memfd with `bytes`, sealed against any change.
Result<UniqueFd> SealedMemfd(const char* name, std::string_view bytes);

}  // namespace paddock::sandbox

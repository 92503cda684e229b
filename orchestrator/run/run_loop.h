// While a program runs in its jail: bytes both ways, signals, job control, the clock.
#pragma once

#include <functional>
#include <optional>

#include "base/deadline.h"
#include "orchestrator/run/run_signals.h"
#include "orchestrator/run/stdio.h"
#include "orchestrator/run/terminal.h"
#include "sandbox/jail.h"

namespace paddock::orchestrator {

// Why this process ended a jail.
enum class StopCause { kNone, kWall, kCpu, kCancelled, kOutput };

struct LoopEnd {
  StopCause cause = StopCause::kNone;
  int signal = 0;     // of kCancelled
  Error output;       // of kOutput
  sandbox::JailEnd jail;
};

// The jail's own terminal and the caller's, of a run that has them.
struct Terminals {
  UniqueFd master;
  OuterTerminal* outer = nullptr;
};

class RunLoop {
 public:
  // All are borrowed but the terminals. `cpu_passed` is asked now and then: has the jail used up its processor time?
  RunLoop(sandbox::Jail* jail, Stdio* stdio, RunSignals* signals, Terminals terminals, std::function<bool()> cpu_passed);

  // From the moment the program was let go until it has ended, no process of its jail is left, and what it wrote has
  // gone out. `news` is called when the jail may have told of denials.
  LoopEnd Run(const Deadline& wall, const std::function<void()>& news);

 private:
  void Look(const Deadline& until);
  void OnSignal(int number);
  void OnStop();
  void TakeOuter();
  void Drain();
  bool OutputDone() const;
  void Finish(StopCause cause);

  sandbox::Jail* jail_;
  Stdio* stdio_;
  RunSignals* signals_;
  Terminals terminals_;
  std::function<bool()> cpu_passed_;
  OutputBudget unlimited_;  // a person at a terminal sees what comes, and stops it
  std::optional<InputRelay> keys_;
  std::optional<OutputRelay> screen_;
  std::optional<Deadline> patience_;  // after the first signal
  Deadline same_wish_;
  LoopEnd end_;
  bool ended_ = false;      // no process of the jail is left
  bool impatient_ = false;  // told to stop a second time
};

}  // namespace paddock::orchestrator

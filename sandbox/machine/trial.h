// One thing tried for real, in a forked child that is gone afterwards: what it made in its namespaces goes with it.
//
// The child notes each step before it takes it, in memory that it shares with the parent. So a step that hangs
// or kills is named too.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>

#include "base/deadline.h"

namespace paddock::sandbox::machine {

enum class Outcome : int32_t {
  kOk,
  kPartial,  // works in part; `seen` says which
  kMissing,  // refused, or not there
  kUntried,  // not tried: `seen` says why
};

// The child's side. Each function that ends the trial ends its process.
class Trial {
 public:
  // Notes `what`, then does it: a negative result ends the trial as missing, with errno. Returns the result.
  template <class Call>
  long Do(const char* what, Call call) {
    Try(what);
    const long result = static_cast<long>(call());
    if (result < 0) Missing(errno);
    return result;
  }
  void Try(const char* what);  // a call, as in a man page
  [[noreturn]] void Ok(const std::string& seen = {});
  [[noreturn]] void Partial(const std::string& seen, int err = 0);
  [[noreturn]] void Missing(int err, const std::string& seen = {});
  [[noreturn]] void Untried(const std::string& seen);

 private:
  friend struct TrialRunner;
  [[noreturn]] void End(Outcome outcome, int err, const std::string& seen);

  int32_t done_ = 0;
  Outcome outcome_ = Outcome::kMissing;
  int32_t error_ = 0;
  char tried_[96] = {};
  char seen_[200] = {};
};

struct Tried {
  Outcome outcome = Outcome::kMissing;
  int error = 0;      // errno; 0 where there is none
  std::string tried;  // the last step taken
  std::string seen;   // in a few words
};

// Runs `trial(context, &t)` in a child; a child that hangs is killed at the deadline, and everything it made with it.
// Never fails: what goes wrong is what was tried. The caller must have one thread and SIGCHLD not ignored.
Tried RunTrial(void (*trial)(const void* context, Trial* t), const void* context, const Deadline& deadline);

}  // namespace paddock::sandbox::machine

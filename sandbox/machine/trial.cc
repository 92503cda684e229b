#include "sandbox/machine/trial.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "base/child_process.h"

namespace paddock::sandbox::machine {

// What the parent may see of a trial.
struct TrialRunner {
  static Tried Read(const Trial& trial, int status, bool late) {
    Tried tried;
    tried.tried.assign(trial.tried_, strnlen(trial.tried_, sizeof trial.tried_));
    if (trial.done_) {
      tried.outcome = trial.outcome_;
      tried.error = trial.error_;
      tried.seen.assign(trial.seen_, strnlen(trial.seen_, sizeof trial.seen_));
      return tried;
    }
    const char* name = WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : nullptr;
    if (late) tried.error = ETIMEDOUT, tried.seen = "no answer: it hung";
    else if (name) tried.seen = std::string("killed by SIG") + name;
    else tried.seen = "ended without an answer";
    return tried;
  }
};

void Trial::Try(const char* what) { std::snprintf(tried_, sizeof tried_, "%s", what); }

void Trial::End(Outcome outcome, int err, const std::string& seen) {
  outcome_ = outcome;
  error_ = err;
  std::snprintf(seen_, sizeof seen_, "%s", seen.c_str());
  done_ = 1;
  _exit(0);
}
void Trial::Ok(const std::string& seen) { End(Outcome::kOk, 0, seen); }
void Trial::Partial(const std::string& seen, int err) { End(Outcome::kPartial, err, seen); }
void Trial::Missing(int err, const std::string& seen) { End(Outcome::kMissing, err, seen); }
void Trial::Untried(const std::string& seen) { End(Outcome::kUntried, 0, seen); }

namespace {

Tried Failed(const char* what) { return {Outcome::kMissing, errno, what, "the trial could not be made"}; }

// Waits for the child by its pidfd where there is one; a machine without pidfds is waited for all the same.
bool WaitUntil(pid_t pid, const Deadline& deadline, int* status) {
  UniqueFd pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  while (!pidfd && !deadline.passed()) {
    if (waitpid(pid, status, WNOHANG) == pid) return true;
    usleep(1000);
  }
  if (!pidfd || !EndedByPidfd(pidfd.get(), deadline)) {
    kill(pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR) {
    }
    return false;
  }
  while (waitpid(pid, status, 0) < 0 && errno == EINTR) {
  }
  return true;
}

}  // namespace

Tried RunTrial(void (*trial)(const void* context, Trial* t), const void* context, const Deadline& deadline) {
  void* memory = mmap(nullptr, sizeof(Trial), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Failed("mmap");
  auto* shared = new (memory) Trial();
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    trial(context, shared);
    shared->Ok();
  }
  Tried tried;
  if (pid < 0) {
    tried = Failed("fork");
  } else {
    int status = 0;
    const bool in_time = WaitUntil(pid, deadline, &status);
    tried = TrialRunner::Read(*shared, status, !in_time);
  }
  munmap(memory, sizeof(Trial));
  return tried;
}

}  // namespace paddock::sandbox::machine

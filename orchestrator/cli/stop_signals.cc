#include "orchestrator/cli/stop_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace paddock::orchestrator {
namespace {

std::atomic<int> stop_signal{0};
int stop_pipe[2] = {-1, -1};

// A terminal and a wrapper may both send one: only a second that comes later is impatience.
constexpr time_t kImpatientSeconds = 1;
std::atomic<time_t> stop_at{0};

time_t Seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

void OnStop(int number) {
  const int saved = errno;
  int none = 0;
  if (stop_signal.compare_exchange_strong(none, number)) stop_at = Seconds();
  else if (Seconds() > stop_at + kImpatientSeconds) _exit(128 + number);
  (void)!write(stop_pipe[1], "s", 1);
  errno = saved;
}

}  // namespace

Result<int> StopDescriptor() {
  if (stop_pipe[0] >= 0) return stop_pipe[0];
  if (pipe2(stop_pipe, O_CLOEXEC | O_NONBLOCK) < 0) return FailErrno("pipe2");
  struct sigaction action {};
  action.sa_handler = OnStop;
  action.sa_flags = SA_RESTART;
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    // A caller that ignores one (nohup) means it.
    if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
  signal(SIGPIPE, SIG_IGN);
  return stop_pipe[0];
}

int StopSignal() { return stop_signal; }

}  // namespace paddock::orchestrator

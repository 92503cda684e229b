#include "orchestrator/cli/stop_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace paddock::orchestrator {
namespace {

std::atomic<int> stop_signal{0};
int stop_pipe[2] = {-1, -1};

void OnStop(int number) {
  int none = 0;
  if (!stop_signal.compare_exchange_strong(none, number)) _exit(128 + number);
  (void)!write(stop_pipe[1], "s", 1);
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

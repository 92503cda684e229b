#include "orchestrator/run/run_signals.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "orchestrator/run/terminal.h"

namespace paddock::orchestrator {
namespace {

constexpr int kCancel[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr int kJobControl[] = {SIGWINCH, SIGTSTP, SIGCONT};
constexpr int kFatal[] = {SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGSTKFLT, SIGXCPU,
                          SIGSEGV, SIGBUS,  SIGABRT, SIGFPE,    SIGILL,  SIGSYS,  SIGTRAP};

int news[2] = {-1, -1}, cancel[2] = {-1, -1};

void OnNews(int number) {
  const int saved = errno;
  const char byte = static_cast<char>(number);
  (void)!write(news[1], &byte, 1);
  for (int one : kCancel)
    if (one == number) (void)!write(cancel[1], &byte, 1);
  errno = saved;
}

void OnFatal(int number) {
  RestoreTerminalInHandler();
  // SA_RESETHAND made it the default action again; it is unblocked as this handler returns.
  raise(number);
}

void Handle(int number, void (*handler)(int), int flags) {
  struct sigaction before {}, action {};
  if (sigaction(number, nullptr, &before) < 0 || before.sa_handler == SIG_IGN) return;
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}

}  // namespace

Result<RunSignals> RunSignals::Install() {
  if (news[0] < 0 && (pipe2(news, O_CLOEXEC | O_NONBLOCK) < 0 || pipe2(cancel, O_CLOEXEC | O_NONBLOCK) < 0)) return FailErrno("pipe2");
  // Without SA_RESTART: a read or write that does wait is left.
  for (int number : kCancel) Handle(number, OnNews, 0);
  for (int number : kJobControl) Handle(number, OnNews, SA_RESTART);
  for (int number : kFatal) Handle(number, OnFatal, static_cast<int>(SA_RESETHAND));
  signal(SIGPIPE, SIG_IGN);
  RunSignals signals;
  signals.fd_ = news[0];
  signals.cancel_ = cancel[0];
  return signals;
}

RunSignals RunSignals::OfStop(int stop_fd) {
  RunSignals signals;
  signals.fd_ = signals.cancel_ = stop_fd;
  signals.at_once_ = true;
  return signals;
}

std::optional<int> RunSignals::Next() {
  if (at_once_) {
    pollfd stop{std::exchange(fd_, -1), POLLIN, 0};
    if (stop.fd >= 0 && poll(&stop, 1, 0) > 0) return SIGTERM;
    fd_ = stop.fd;
    return std::nullopt;
  }
  char byte;
  if (read(fd_, &byte, 1) != 1) return std::nullopt;
  return byte;
}

void RunSignals::StopSelf(bool whole_job) {
  struct sigaction before {}, standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &standard, &before);
  // Nothing happens where nobody could wake it: in an orphaned group (setpgid(2)).
  kill(whole_job ? 0 : getpid(), SIGTSTP);
  sigaction(SIGTSTP, &before, nullptr);
}

}  // namespace paddock::orchestrator

#include "orchestrator/run/terminal.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace paddock::orchestrator {
namespace {

// What a signal handler puts back.
termios handler_settings;
volatile sig_atomic_t handler_fd = -1;

// A job that is sent to the background in this moment must not be stopped half-way.
void Set(int fd, const termios& settings) {
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &block, &before);
  tcsetattr(fd, TCSADRAIN, &settings);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void RestoreTerminalInHandler() {
  if (handler_fd < 0) return;
  tcsetattr(handler_fd, TCSANOW, &handler_settings);  // signal-safety(7)
}

OuterTerminal::OuterTerminal(int in, int out) : in_(in), out_(out) { known_ = tcgetattr(in_, &before_) == 0; }

OuterTerminal::~OuterTerminal() { Restore(); }

bool OuterTerminal::foreground() const {
  const pid_t group = tcgetpgrp(in_);
  return group < 0 || group == getpgrp();  // not our controlling terminal: there is no job control on it
}

void OuterTerminal::MakeRaw() {
  if (!foreground()) return;
  // A shell may have changed it while this process was stopped or in the background.
  if (!raw_) known_ = tcgetattr(in_, &before_) == 0;
  if (!known_) return;
  handler_settings = before_;
  handler_fd = in_;
  termios raw = before_;
  cfmakeraw(&raw);
  Set(in_, raw);
  raw_ = true;
}

void OuterTerminal::Restore() {
  if (!raw_) return;
  if (foreground()) Set(in_, before_);
  handler_fd = -1;
  raw_ = false;
}

void OuterTerminal::GiveSettings(int master) {
  if (given_ || !foreground()) return;
  if (!raw_) known_ = tcgetattr(in_, &before_) == 0;
  if (known_) tcsetattr(master, TCSANOW, &before_);
  given_ = true;
}

void OuterTerminal::GiveSize(int master) const {
  winsize size{};
  if (ioctl(out_, TIOCGWINSZ, &size) == 0) ioctl(master, TIOCSWINSZ, &size);
}

}  // namespace paddock::orchestrator

// The caller's terminal, while a program in a jail has one of its own behind it.
//
// Meanwhile the outer one is raw: keys go to the inner one as bytes, and that one's line discipline makes signals of
// them. Whatever happens, it is put back: by the destructor, before this process stops, and by the handlers of signals
// that end it (RestoreTerminalInHandler).
#pragma once

#include <termios.h>

namespace paddock::orchestrator {

class OuterTerminal {
 public:
  // `in` and `out` are terminals, borrowed; most of the time the same one. One object a process.
  OuterTerminal(int in, int out);
  OuterTerminal(const OuterTerminal&) = delete;
  ~OuterTerminal();

  // False for a job in the background: it may neither read the terminal nor change it (tty_ioctl(4), "job control").
  bool foreground() const;
  bool raw() const { return raw_; }
  // In the background both do nothing.
  void MakeRaw();
  void Restore();

  // Its settings for the jail's terminal whose master is given: once, and from the foreground, since to a job in the background it
  // has those of a shell that reads a line.
  void GiveSettings(int master);
  void GiveSize(int master) const;

 private:
  int in_, out_;
  bool raw_ = false, known_ = false, given_ = false;
  termios before_{};
};

// Async-signal-safe. Nothing when no terminal is raw.
void RestoreTerminalInHandler();

}  // namespace paddock::orchestrator

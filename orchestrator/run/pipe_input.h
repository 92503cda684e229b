// An anonymous pipe of the caller's as a program's standard input, so that what the program does not read stays for the
// next reader (`while read x; do paddock run ...; done`).
//
// The pipe itself is never handed in: its inode belongs to the caller's user, and a program could open it again for writing
// (/proc/self/fd) and speak to whoever reads it next. The program gets a pipe of its own with room for one piece: a piece is
// copied into it without being taken (tee(2)), and taken from the caller's pipe once the program has read it.
#pragma once

#include <poll.h>

#include "base/unique_fd.h"

namespace paddock::orchestrator {

// One thread. SIGPIPE must be ignored.
class PipeInput {
 public:
  // `from` reads the caller's pipe; `to` is the write end of the program's, which does not block and was made as small as it
  // can be; `probe` its other end, to see how much is unread.
  PipeInput(UniqueFd from, UniqueFd to, UniqueFd probe) : from_(std::move(from)), to_(std::move(to)), probe_(std::move(probe)) {}

  pollfd wait() const;
  void Step();
  // What the program has read is taken from the caller's pipe. After its end too.
  void Settle();

 private:
  UniqueFd from_, to_, probe_;
  size_t copied_ = 0;  // bytes at the head of `from_` that are in the program's pipe, or were read there
};

}  // namespace paddock::orchestrator

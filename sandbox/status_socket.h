// What the launcher and pid 1 say to the parent (messages.h), and the wait for it.
#pragma once

#include <optional>

#include "base/deadline.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "sandbox/messages.h"

namespace paddock::sandbox {

inline constexpr char kAgainHint[] = "run it again; if it happens again, see the kernel log";
inline constexpr char kSlowHint[] = "run it again on a quieter machine";

enum class Got {
  kMessage,
  kNothing,  // yet
  kClosed,
  kForeign,  // not of our layout, so not from our launcher
};
// The next message, without waiting, and the descriptor beside it.
Got ReceiveMessage(int socket, StatusMessage* message, UniqueFd* passed);

// Waiting for the launcher's work: until there is news, the deadline, or a wish to stop. Descriptors are borrowed; -1: none.
class Patience {
 public:
  Patience(int launcher_pidfd, const Deadline& deadline, int cancel_fd) : launcher_(launcher_pidfd), deadline_(deadline), cancel_fd_(cancel_fd) {}

  // Returns when `socket` has something or the launcher has ended. kCancelled, or kTimeout with `late`; also when the launcher was
  // stopped by a signal and is not let go on within 2 s.
  Status Wait(int socket, const char* late, const char* hint);

 private:
  int launcher_;
  Deadline deadline_;
  int cancel_fd_;
  std::optional<Deadline> stopped_by_;
};

}  // namespace paddock::sandbox

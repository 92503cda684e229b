// Descriptors beside a message on a Unix socket (unix(7), SCM_RIGHTS).
#pragma once

#include <span>
#include <vector>

#include "base/unique_fd.h"

namespace paddock {

inline constexpr size_t kMostPassedFds = 64;

// sendmsg(2) of one message with at most kMostPassedFds descriptors, which are borrowed. Bytes sent, or -1 with errno; never
// EINTR, no SIGPIPE. Uses its stack alone.
ssize_t SendWithFds(int socket, const void* bytes, size_t size, std::span<const int> fds);

// recvmsg(2) with `flags` (MSG_DONTWAIT); what comes beside the message is appended to `fds`, close-on-exec. Bytes received, 0
// at the end, or -1 with errno; never EINTR.
ssize_t ReceiveWithFds(int socket, void* bytes, size_t size, std::vector<UniqueFd>* fds, int flags = 0);

}  // namespace paddock

#include "orchestrator/run/pipe_input.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace paddock::orchestrator {
namespace {

constexpr size_t kMostPiece = 65536;

// Never waits: another reader of the caller's may have been faster.
void Take(int from, size_t bytes) {
  UniqueFd null(open("/dev/null", O_WRONLY | O_CLOEXEC));
  while (null && bytes > 0) {
    const ssize_t n = splice(from, nullptr, null.get(), nullptr, bytes, SPLICE_F_NONBLOCK);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    bytes -= static_cast<size_t>(n);
  }
}

}  // namespace

pollfd PipeInput::wait() const {
  if (!to_) return {-1, 0, 0};
  // With room for one piece, there is room again when all of it was read.
  return copied_ ? pollfd{to_.get(), POLLOUT, 0} : pollfd{from_.get(), POLLIN, 0};
}

void PipeInput::Step() {
  if (!to_) return;
  if (copied_) {
    Settle();
    return;
  }
  const ssize_t n = tee(from_.get(), to_.get(), kMostPiece, SPLICE_F_NONBLOCK);
  if (n > 0) copied_ = static_cast<size_t>(n);
  else if (n == 0 || (errno != EAGAIN && errno != EINTR)) to_.reset();  // its end
}

void PipeInput::Settle() {
  int unread = 0;
  if (!copied_ || ioctl(probe_.get(), FIONREAD, &unread) < 0) return;
  const size_t left = std::min(copied_, static_cast<size_t>(std::max(unread, 0)));
  Take(from_.get(), copied_ - left);
  copied_ = left;
}

}  // namespace paddock::orchestrator

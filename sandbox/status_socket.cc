#include "sandbox/status_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <vector>

#include "base/passed_fds.h"

namespace paddock::sandbox {
namespace {

// A launcher that somebody stops may be let go on; so long it is waited for, and looked at so often.
constexpr auto kStoppedSpan = std::chrono::seconds(2);
constexpr auto kLookSpan = std::chrono::milliseconds(250);

// Stopped by a signal (waitid(2)); asked so that the answer stays for the next who asks.
bool IsStopped(int pidfd) {
  siginfo_t info{};
  return waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

}  // namespace

Status Patience::Wait(int socket, const char* late, const char* hint) {
  for (;;) {
    pollfd wait[3] = {{socket, POLLIN, 0}, {launcher_, POLLIN, 0}, {cancel_fd_, POLLIN, 0}};
    const int ready = poll(wait, 3, deadline_.Earlier(Deadline::After(kLookSpan)).poll_ms());
    if (wait[2].revents) return Fail(ErrorKind::kCancelled, "told to stop");
    if (ready > 0) return {};
    if (deadline_.passed()) return Fail(ErrorKind::kTimeout, late, hint);
    if (!IsStopped(launcher_)) stopped_by_.reset();
    else if (!stopped_by_) stopped_by_ = Deadline::After(kStoppedSpan);
    else if (stopped_by_->passed())
      return Fail(ErrorKind::kTimeout, "the launcher is stopped (SIGSTOP): it was given 2 s to go on",
                  "see who stopped paddock-jail, a debugger or a job control script, and run it again");
  }
}

Got ReceiveMessage(int socket, StatusMessage* message, UniqueFd* passed) {
  std::vector<UniqueFd> fds;
  const ssize_t n = ReceiveWithFds(socket, message, sizeof *message, &fds, MSG_DONTWAIT);
  if (n < 0 && errno == EAGAIN) return Got::kNothing;
  if (n <= 0) return Got::kClosed;
  if (!fds.empty()) *passed = std::move(fds.back());
  message->detail[sizeof message->detail - 1] = '\0';
  if (n != sizeof *message || message->magic != StatusMessage::kMagic || message->stage >= Stage::kCount) return Got::kForeign;
  return Got::kMessage;
}

}  // namespace paddock::sandbox

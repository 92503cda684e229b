#include "sandbox/child/report.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/passed_fds.h"

namespace paddock::sandbox::child {
namespace {

int status_socket = -1;
uint64_t stage_at_ns[static_cast<size_t>(Stage::kCount)];

}  // namespace

void SetStatusSocket(int fd) { status_socket = fd; }
int StatusSocket() { return status_socket; }

void StageDone(Stage stage) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  stage_at_ns[static_cast<size_t>(stage)] =
      static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

bool Send(StatusMessage message, int pidfd) {
  std::memcpy(message.at_ns, stage_at_ns, sizeof stage_at_ns);
  // The socket is non-blocking: a parent that does not read must not keep a jail from ending. Without a
  // descriptor write(2) serves, which a first filter allows where it denies sendmsg(2).
  if (pidfd < 0) {
    ssize_t sent;
    while ((sent = write(status_socket, &message, sizeof message)) < 0 && errno == EINTR) {
    }
    return sent == static_cast<ssize_t>(sizeof message);
  }
  return SendWithFds(status_socket, &message, sizeof message, {&pidfd, 1}) >= 0;
}

void Die(Stage stage, int err, std::string_view detail) {
  StatusMessage message;
  message.kind = MessageKind::kSetupError;
  message.stage = stage;
  message.error = err;
  size_t length = std::min(detail.size(), sizeof message.detail - 1);
  std::memcpy(message.detail, detail.data(), length);
  Send(message);
  _exit(125);
}

}  // namespace paddock::sandbox::child

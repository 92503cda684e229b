#include "orchestrator/run/own_description.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace paddock::orchestrator {
namespace {

constexpr size_t kAnySize = 1u << 20;
// A terminal takes less than it is asked to when it is slow; more at once could wait for a person's Ctrl-Q.
constexpr size_t kTerminalChunk = 256;

}  // namespace

UniqueFd OwnDescription(int fd, int access) {
  struct stat info;
  if (fstat(fd, &info) < 0 || !(S_ISFIFO(info.st_mode) || isatty(fd) == 1)) return {};
  return UniqueFd(open(("/proc/self/fd/" + std::to_string(fd)).c_str(), access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

OutputSink::OutputSink(int fd) : fd_(fd), own_(OwnDescription(fd, O_WRONLY)), most_(kAnySize) {
  struct stat info;
  if (own_ || fstat(fd, &info) < 0) return;
  socket_ = S_ISSOCK(info.st_mode);
  // A pipe that poll(2) calls writable takes so much without waiting (pipe(7)).
  if (S_ISFIFO(info.st_mode)) most_ = PIPE_BUF;
  if (isatty(fd) == 1) most_ = kTerminalChunk;
}

Result<size_t> OutputSink::Write(std::string_view bytes) {
  const size_t size = std::min(bytes.size(), most_);
  for (;;) {
    const ssize_t n = socket_ ? send(fd_, bytes.data(), size, MSG_DONTWAIT | MSG_NOSIGNAL) : write(fd(), bytes.data(), size);
    if (n >= 0) return static_cast<size_t>(n);
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    // EIO: a terminal that was closed.
    if (errno == EPIPE || errno == ECONNRESET || (errno == EIO && isatty(fd_) != 0)) return Fail(ErrorKind::kClosed, "nobody reads it");
    return FailErrno("write");
  }
}

InputSource::InputSource(int fd) : fd_(fd), own_(OwnDescription(fd, O_RDONLY)) {
  struct stat info;
  if (own_ || fstat(fd, &info) < 0) return;
  socket_ = S_ISSOCK(info.st_mode);
  if (S_ISREG(info.st_mode)) begin_ = offset_ = lseek(fd, 0, SEEK_CUR);
}

ssize_t InputSource::Read(char* buffer, size_t size) {
  for (;;) {
    const ssize_t n = seekable() ? pread(fd_, buffer, size, offset_) : socket_ ? recv(fd_, buffer, size, MSG_DONTWAIT) : read(own_ ? own_.get() : fd_, buffer, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? -1 : 0;
    if (seekable()) offset_ += n;
    return n;
  }
}

void InputSource::SetConsumed(uint64_t consumed) {
  if (seekable()) lseek(fd_, begin_ + static_cast<off_t>(consumed), SEEK_SET);
}

}  // namespace paddock::orchestrator

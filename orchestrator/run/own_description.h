// Reading and writing descriptors that are shared with strangers: whoever started paddock, and its other children.
//
// O_NONBLOCK belongs to the open file description (open(2)), so setting it would change what the caller's shell and
// its other programs see. What can block is therefore opened a second time, or used with calls that don't wait.
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace paddock::orchestrator {

// A description of our own of the pipe, FIFO or terminal behind `fd` (proc(5), /proc/PID/fd). `access` is O_RDONLY
// or O_WRONLY; it does not block. Empty where there is none to be had: another kind of file, a terminal of somebody else.
UniqueFd OwnDescription(int fd, int access);

// One of the caller's descriptors, for output.
class OutputSink {
 public:
  explicit OutputSink(int fd);  // borrowed, and must outlive this
  int fd() const { return own_ ? own_.get() : fd_; }  // to poll for POLLOUT
  // Bytes that it took; 0: no room now, poll. kClosed: nobody reads it any more (no SIGPIPE: the process must ignore it).
  // Other errors are those of write(2): a full disk.
  Result<size_t> Write(std::string_view bytes);

 private:
  int fd_;
  UniqueFd own_;
  bool socket_ = false;
  size_t most_;  // bytes of one write
};

// One of the caller's descriptors, for input.
class InputSource {
 public:
  explicit InputSource(int fd);  // borrowed
  // To poll for POLLIN. The caller's own: a FIFO that was opened after its writer had gone would not tell of the end.
  int fd() const { return fd_; }
  // A regular file: read from its position on without moving it.
  bool seekable() const { return offset_ >= 0; }
  // Bytes read into `buffer`; 0 at the end, and after an error; -1: nothing there now.
  ssize_t Read(char* buffer, size_t size);
  // Sets the position of a regular file behind the first `consumed` bytes that were read.
  void SetConsumed(uint64_t consumed);

 private:
  int fd_;
  UniqueFd own_;
  bool socket_ = false;
  off_t begin_ = -1, offset_ = -1;
};

}  // namespace paddock::orchestrator

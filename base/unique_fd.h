// A descriptor with an owner. A raw `int` in a signature means "borrowed for this call".
#pragma once

#include <unistd.h>

#include <utility>

namespace paddock {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~UniqueFd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);  // close(2): EINTR leaves the descriptor closed on Linux, never retry
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

}  // namespace paddock

#include "base/frame_pipe.h"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>

namespace paddock {
namespace {

constexpr size_t kReadBytes = 64u << 10;
constexpr size_t kFillBytes = 256u << 10;

std::unexpected<Error> TooLong(size_t max_frame_bytes) {
  return Fail(ErrorKind::kLimit, "a frame of more than " + std::to_string(max_frame_bytes) + " bytes");
}

}  // namespace

bool FramePool::TakePlace() {
  int taken = taken_.load(std::memory_order_relaxed);
  do {
    if (taken >= places_) return false;
  } while (!taken_.compare_exchange_weak(taken, taken + 1, std::memory_order_relaxed));
  return true;
}

FrameReader::FrameReader(int fd, size_t max_frame_bytes, FramePool* pool)
    : fd_(fd), max_frame_bytes_(max_frame_bytes), pool_(pool) {
  (void)SetNonBlocking(fd);
}

FrameReader::~FrameReader() {
  Starve(false);
  GivePlace();
}

void FrameReader::Starve(bool starved) {
  if (pool_ && starved != starved_) pool_->Wait(starved);
  starved_ = starved;
}

// True when the reader may hold more than a small frame.
bool FrameReader::NeedPlace() {
  if (!pool_ || has_place_) return true;
  has_place_ = pool_->TakePlace();
  Starve(!has_place_);
  return has_place_;
}

void FrameReader::GivePlace() {
  if (has_place_) pool_->GivePlace();
  has_place_ = false;
}

void FrameReader::Done() {
  if (buffer_.capacity() <= FramePool::kSmallFrame) GivePlace();
}

Status FrameReader::Fill() {
  Done();
  if (begin_ > 0 && (begin_ == buffer_.size() || begin_ > kFillBytes)) {
    buffer_.erase(0, begin_);
    searched_ -= begin_;
    begin_ = 0;
    if (buffer_.capacity() > FramePool::kSmallFrame && buffer_.size() + kReadBytes <= FramePool::kSmallFrame) {
      buffer_.shrink_to_fit();
      GivePlace();
    }
  }
  for (size_t filled = 0; filled < kFillBytes;) {
    if (buffer_.size() - searched_ > 0) {
      size_t newline = buffer_.find('\n', searched_);
      if (newline == std::string::npos) searched_ = buffer_.size();
      else if (newline - begin_ > max_frame_bytes_) return TooLong(max_frame_bytes_);
      else return {};  // a whole frame waits: take it first
    }
    if (buffer_.size() - begin_ > max_frame_bytes_) return TooLong(max_frame_bytes_);
    size_t old_size = buffer_.size();
    size_t wanted = old_size + kReadBytes;
    if (wanted > buffer_.capacity()) {
      if (wanted > FramePool::kSmallFrame && !NeedPlace()) return {};
      const size_t grown = std::max(wanted, buffer_.capacity() + buffer_.capacity() / 2);
      buffer_.reserve(wanted > FramePool::kSmallFrame ? grown : FramePool::kSmallFrame);
    }
    ssize_t n = 0;
    int err = 0;
    // Not resize(): that would clear 64 KiB for each frame of a hundred bytes.
    buffer_.resize_and_overwrite(wanted, [&](char* data, size_t) {
      n = ::read(fd_, data + old_size, kReadBytes);
      err = errno;
      return old_size + (n > 0 ? static_cast<size_t>(n) : 0);
    });
    if (n == 0) return Fail(ErrorKind::kClosed, "the other side closed its pipe");
    if (n < 0) {
      if (err == EINTR) continue;
      if (err == EAGAIN) return {};
      return FailErrno("read from the pipe", err);
    }
    filled += static_cast<size_t>(n);
    // Now and not when it is popped: a frame too long is told of though nothing follows it. Before this read there
    // was no newline.
    for (size_t begin = begin_, from = old_size;;) {
      const size_t end = std::min(buffer_.find('\n', from), buffer_.size());
      if (end - begin > max_frame_bytes_) return TooLong(max_frame_bytes_);
      if (end == buffer_.size()) break;
      begin = from = end + 1;
    }
    if (static_cast<size_t>(n) < kReadBytes && buffer_.back() == '\n') return {};  // most likely all there is
  }
  return {};
}

std::optional<std::string> FrameReader::Pop() {
  while (begin_ < buffer_.size()) {
    size_t newline = buffer_.find('\n', std::max(begin_, searched_));
    if (newline == std::string::npos) {
      searched_ = buffer_.size();
      return std::nullopt;
    }
    if (newline - begin_ > max_frame_bytes_) return std::nullopt;  // Fill says so
    std::string frame;
    if (begin_ == 0 && newline + 1 == buffer_.size() && buffer_.size() > kReadBytes) {  // a large one, alone: not copied
      buffer_.pop_back();
      frame = std::exchange(buffer_, {});
      begin_ = searched_ = 0;
      return frame;
    }
    frame = buffer_.substr(begin_, newline - begin_);
    begin_ = newline + 1;
    searched_ = begin_;
    if (!frame.empty()) return frame;
  }
  return std::nullopt;
}

Result<std::string> FrameReader::Next(const Deadline& deadline) {
  for (;;) {
    if (auto frame = Pop()) return *std::move(frame);
    pollfd wait{fd_, POLLIN, 0};
    int ready = ::poll(&wait, 1, deadline.poll_ms());
    if (ready < 0 && errno != EINTR) return FailErrno("poll on the pipe");
    if (ready == 0 && deadline.passed()) return Fail(ErrorKind::kTimeout, "no frame came in time");
    if (ready > 0) {
      Status filled = Fill();
      if (!filled) {
        if (auto frame = Pop()) return *std::move(frame);
        return std::unexpected(std::move(filled).error());
      }
      if (starved_) return Fail(ErrorKind::kLimit, "all places for large frames are taken");
    }
  }
}

Status WriteFrame(int fd, std::string_view frame, const Deadline& deadline) {
  std::string line;
  line.reserve(frame.size() + 1);
  line.append(frame);
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    ssize_t n = ::write(fd, rest.data(), rest.size());
    if (n > 0) {
      rest.remove_prefix(static_cast<size_t>(n));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EPIPE) return Fail(ErrorKind::kClosed, "the other side closed its pipe");
    if (errno != EAGAIN) return FailErrno("write to the pipe");
    pollfd wait{fd, POLLOUT, 0};
    int ready = ::poll(&wait, 1, deadline.poll_ms());
    if (ready < 0 && errno != EINTR) return FailErrno("poll on the pipe");
    if (ready == 0 && deadline.passed()) return Fail(ErrorKind::kTimeout, "the other side does not read");
  }
  return {};
}

Result<Pipe> MakePipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) < 0) return FailErrno("pipe2");
  return Pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

Status SetNonBlocking(int fd) {
  int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return FailErrno("fcntl O_NONBLOCK");
  return {};
}

}  // namespace paddock

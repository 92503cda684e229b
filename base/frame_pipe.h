// Frames: one JSON object a line, over a pair of pipes, read within bounds.
//
// Both ends use this. The reader never blocks in read(2) longer than its deadline, never holds more than
// its largest frame, and takes that memory from a pool shared by all readers of the process, so that many
// cells can't together exhaust the parent.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace paddock {

// Bytes that all frame readers of this process may hold together. Thread-safe.
class FramePool {
 public:
  explicit FramePool(size_t max_bytes) : max_bytes_(max_bytes) {}
  bool Take(size_t bytes);
  void Give(size_t bytes);
  size_t used() const { return used_.load(std::memory_order_relaxed); }
  size_t left() const { return max_bytes_ - std::min(max_bytes_, used()); }

  // Held while a frame is taken apart and what it says is taken in, so that only one at a time is in memory twice,
  // as text and as values. Never held while anything is waited for.
  std::mutex& gate() { return gate_; }

 private:
  const size_t max_bytes_;
  std::atomic<size_t> used_{0};
  std::mutex gate_;
};

class FrameReader {
 public:
  // `fd` is borrowed and set non-blocking. `pool` may be null (a cell's own reader), else must outlive this.
  FrameReader(int fd, size_t max_frame_bytes, FramePool* pool = nullptr);
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  int fd() const { return fd_; }

  // Takes what is there to read now, without waiting; at most 256 KiB a call. kClosed at end of file,
  // kLimit when a frame grows past its bound. When the pool is empty it takes less, or nothing: see starved().
  Status Fill();
  // The last Fill found no memory in the pool: others must give some back first.
  bool starved() const { return starved_; }
  // The next whole frame, without its newline, if there is one. Empty lines are skipped. What it held of the pool is
  // given back: the frame is the caller's.
  std::optional<std::string> Pop();
  // A frame has begun and is not whole yet.
  bool amid_frame() const { return begin_ < buffer_.size() && searched_ == buffer_.size(); }
  // Waits for a frame. kTimeout, kClosed, kLimit. For readers without a pool.
  Result<std::string> Next(const Deadline& deadline);

 private:
  void Account();

  int fd_;
  size_t max_frame_bytes_;
  FramePool* pool_;
  size_t taken_ = 0;     // bytes held from the pool
  std::string buffer_;   // bytes not yet popped, from begin_
  size_t begin_ = 0;
  size_t searched_ = 0;  // no newline before this offset
  bool starved_ = false;
};

// Writes `frame` and a newline. `fd` must be non-blocking, or a pipe that is read. kTimeout when the reader
// does not take it by the deadline, kClosed when it is gone (SIGPIPE must be ignored by the process).
Status WriteFrame(int fd, std::string_view frame, const Deadline& deadline);

struct Pipe {
  UniqueFd read, write;
};
// Both ends close-on-exec; the flag makes the parent's ends non-blocking by fcntl where wanted.
Result<Pipe> MakePipe();
Status SetNonBlocking(int fd);

}  // namespace paddock

// Frames: one JSON object a line, over a pair of pipes, read within bounds.
//
// Both ends use this. The reader never blocks in read(2) longer than its deadline, never holds more than
// its largest frame, and needs a place in a pool shared by all readers of the process for a large one, so that many
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

// The memory for large frames, which all frame readers of this process share. Thread-safe.
//
// A reader may hold kSmallFrame bytes as it likes. For more it needs one of a few places, so that many cells together
// can't make the parent hold more than that many of the largest frames; the others wait, their bytes in their pipes.
class FramePool {
 public:
  static constexpr size_t kSmallFrame = 128u << 10;
  static constexpr size_t kMaxText = 48u << 20;
  explicit FramePool(int places) : places_(places) {}
  bool TakePlace();
  void GivePlace() { taken_.fetch_sub(1, std::memory_order_relaxed); }
  int taken() const { return taken_.load(std::memory_order_relaxed); }
  // Readers that wait for a place.
  void Wait(bool begins) { waiting_.fetch_add(begins ? 1 : -1, std::memory_order_relaxed); }
  bool wanted() const { return waiting_.load(std::memory_order_relaxed) > 0; }

  // Bytes of conversations that are kept to be sent again, of all cells together; what there is room for still.
  void KeepText(size_t bytes) { text_.fetch_add(bytes, std::memory_order_relaxed); }
  void DropText(size_t bytes) { text_.fetch_sub(bytes, std::memory_order_relaxed); }
  size_t text_room() const { return kMaxText - std::min(kMaxText, text_.load(std::memory_order_relaxed)); }

  // Held while a frame is taken apart and what it says is taken in, so that only one at a time is in memory twice,
  // as text and as values. Never held while anything is waited for.
  std::mutex& gate() { return gate_; }

 private:
  const int places_;
  std::atomic<int> taken_{0}, waiting_{0};
  std::atomic<size_t> text_{0};
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
  // kLimit when a frame grows past its bound. Without a place in the pool for a large one it takes no more: see starved().
  Status Fill();
  // The last Fill found no place in the pool: others must give one back first.
  bool starved() const { return starved_; }
  bool has_place() const { return has_place_; }
  // The next whole frame, without its newline, if there is one. Empty lines are skipped. The frame is the caller's, who
  // says Done() when it is gone from memory: until then a large one keeps its place in the pool.
  std::optional<std::string> Pop();
  void Done();
  // A frame has begun and is not whole yet.
  bool amid_frame() const { return begin_ < buffer_.size() && searched_ == buffer_.size(); }
  // Waits for a frame. kTimeout, kClosed, kLimit. For readers without a pool.
  Result<std::string> Next(const Deadline& deadline);

 private:
  bool NeedPlace();
  void Starve(bool starved);
  void GivePlace();

  int fd_;
  size_t max_frame_bytes_;
  FramePool* pool_;
  std::string buffer_;   // bytes not yet popped, from begin_
  size_t begin_ = 0;
  size_t searched_ = 0;  // no newline before this offset
  bool starved_ = false, has_place_ = false;
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

// The parent's ends of one cell's pipes: full duplex, in one thread, with nothing in it that can block.
//
// Frames to the cell wait in a queue while it doesn't read; frames of the cell are handed out one by one.
// Every wait ends by itself: with a frame, the end of the jail, a closed pipe, a wish to stop, a deadline.
#pragma once

#include <functional>
#include <string>

#include "base/deadline.h"
#include "base/frame_pipe.h"

namespace paddock::orchestrator {

// Borrowed descriptors. SIGPIPE must be ignored by the process.
struct CellLink {
  int write_fd = -1;  // to the cell; is set non-blocking
  int read_fd = -1;   // from the cell
  int end_fd = -1;    // readable when the jail has ended; -1 where there is none
  int news_fd = -1;   // readable when the jail's pid 1 has said something (a denied call); -1 where there is none
  std::function<int()> take_news = {};  // takes it in, and says what to wait for from then on: news_fd, or -1
};

class CellChannel {
 public:
  enum class Event { kFrame, kEnded, kClosed, kCancelled, kTimeout, kBroken };
  struct Arrival {
    Event event = Event::kTimeout;
    std::string text;  // the frame, or what broke
  };

  // `cancel_fd`: readable means stop; -1 for none. `pool` must outlive this.
  CellChannel(const CellLink& link, int cancel_fd, size_t max_frame_bytes, FramePool* pool);

  void Send(std::string frame);
  Arrival Wait(const Deadline& until);
  // The frame that came last is gone from memory: others may have a large one.
  void Done() { reader_.Done(); }
  // Whether somebody wants us to stop; doesn't wait.
  bool cancelled() const;

 private:
  void Flush();
  Arrival AfterClose(const Deadline& until);

  CellLink link_;
  int cancel_fd_;
  FramePool* pool_;
  FrameReader reader_;
  std::string queue_;
  size_t sent_ = 0;  // bytes of queue_ that were written
  bool write_closed_ = false;
  bool read_closed_ = false;
  std::string broken_;
  Deadline::Clock::time_point frame_since_ = Deadline::Clock::now();  // no frame was open
};

}  // namespace paddock::orchestrator

// The cell's end of the two pipes: whole frames in, whole frames out. The parent owns every deadline, so
// nothing here has one: a parent that is gone closes its pipe.
#pragma once

#include <deque>
#include <optional>
#include <string_view>

#include "base/frame_pipe.h"
#include "base/result.h"
#include "subagents/frames.h"

namespace paddock::subagents {

class Channel {
 public:
  // Both are borrowed.
  Channel(int in_fd, int out_fd) : reader_(in_fd, kMaxFrameBytes), out_fd_(out_fd) {}

  // Waits. kClosed at the end of the pipe, kProtocol and kLimit for what is no frame.
  Result<RawFrame> Receive();
  // A frame that is there already, or none. Errors as Receive.
  Result<std::optional<RawFrame>> Poll();
  // kClosed when the parent is gone.
  Status Send(std::string_view line);

 private:
  FrameReader reader_;
  int out_fd_;
};

// Takes a frame's body apart; kProtocol when it doesn't fit its table.
template <class Frame>
Result<Frame> BodyOf(const RawFrame& raw) {
  auto frame = FromJson<Frame>(raw.body);
  if (!frame) return Fail(ErrorKind::kProtocol, "frame " + raw.type + ": " + frame.error().message);
  return frame;
}

}  // namespace paddock::subagents

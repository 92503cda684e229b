#include "subagents/cell/channel.h"

namespace paddock::subagents {

Result<RawFrame> Channel::Receive() { return DecodeFrame(TRY(reader_.Next(Deadline::Never()))); }

Result<std::optional<RawFrame>> Channel::Poll() {
  auto line = reader_.Pop();
  if (!line) {
    Status filled = reader_.Fill();
    line = reader_.Pop();
    if (!line && !filled) return std::unexpected(std::move(filled).error());
  }
  if (!line) return std::optional<RawFrame>();
  return std::optional<RawFrame>(TRY(DecodeFrame(*line)));
}

Status Channel::Send(std::string_view line) { return WriteFrame(out_fd_, line, Deadline::Never()); }

}  // namespace paddock::subagents

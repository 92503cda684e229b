#include "orchestrator/broker/channel.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace paddock::orchestrator {
namespace {

constexpr std::chrono::milliseconds kEndAfterClose{500};
constexpr std::chrono::milliseconds kFrameSpan{10'000}, kWantedSpan{250};  // from the first byte of a frame to its last
constexpr std::chrono::milliseconds kStarvedSpan{10}, kLookSpan{100};

bool Readable(int fd) {
  if (fd < 0) return false;
  pollfd wait{fd, POLLIN, 0};
  return ::poll(&wait, 1, 0) > 0 && wait.revents != 0;
}

}  // namespace

CellChannel::CellChannel(const CellLink& link, int cancel_fd, size_t max_frame_bytes, FramePool* pool)
    : link_(link), cancel_fd_(cancel_fd), pool_(pool), reader_(link.read_fd, max_frame_bytes, pool) {
  (void)SetNonBlocking(link.write_fd);
}

bool CellChannel::cancelled() const { return Readable(cancel_fd_); }

void CellChannel::Send(std::string frame) {
  queue_ += frame;
  queue_ += '\n';
  Flush();
}

void CellChannel::Flush() {
  while (sent_ < queue_.size() && !write_closed_) {
    ssize_t n = ::write(link_.write_fd, queue_.data() + sent_, queue_.size() - sent_);
    if (n > 0) sent_ += static_cast<size_t>(n);
    else if (n < 0 && errno == EINTR) continue;
    else if (n < 0 && errno == EAGAIN) return;
    else write_closed_ = true;
  }
  queue_.clear();
  sent_ = 0;
}

// A cell that dies closes its pipe a moment before its jail has ended; one that lives on has only closed it.
CellChannel::Arrival CellChannel::AfterClose(const Deadline& until) {
  Deadline wait = Deadline::After(kEndAfterClose).Earlier(until);
  for (;;) {
    pollfd waits[2] = {{link_.end_fd, POLLIN, 0}, {cancel_fd_, POLLIN, 0}};
    int ready = ::poll(waits, 2, wait.poll_ms());
    if (ready > 0 && waits[0].revents) return {Event::kEnded, "the jail ended"};
    if (ready > 0) return {Event::kCancelled, ""};
    if (wait.passed() || (ready < 0 && errno != EINTR)) return {Event::kClosed, "it closed its pipe and lives on"};
  }
}

CellChannel::Arrival CellChannel::Wait(const Deadline& until) {
  for (;;) {
    // Looked at for every frame: a cell that floods us keeps nobody from stopping it.
    if (cancelled()) return {Event::kCancelled, ""};
    if (until.passed()) return {Event::kTimeout, ""};
    if (auto frame = reader_.Pop()) return {Event::kFrame, *std::move(frame)};
    if (!broken_.empty()) return {Event::kBroken, broken_};
    if (read_closed_) return AfterClose(until);
    if (write_closed_) {  // nobody reads what we have to say: take what it still says, and that is all
      Status filled = reader_.Fill();
      if (auto frame = reader_.Pop()) return {Event::kFrame, *std::move(frame)};
      if (!filled && filled.error().kind != ErrorKind::kClosed) return {Event::kBroken, filled.error().message};
      return AfterClose(until);
    }

    // Without a place for its large frame a cell waits, its bytes in the pipe. One that has a place must use it: it has
    // begun a frame and must end it, soon when others wait.
    const bool starved = reader_.starved();
    if (starved || !reader_.amid_frame()) frame_since_ = Deadline::Clock::now();
    const auto span = reader_.has_place() && pool_ && pool_->wanted() ? kWantedSpan : kFrameSpan;
    pollfd waits[5] = {{starved ? -1 : link_.read_fd, POLLIN, 0},
                       {queue_.empty() ? -1 : link_.write_fd, POLLOUT, 0},
                       {link_.end_fd, POLLIN, 0},
                       {cancel_fd_, POLLIN, 0},
                       {link_.news_fd, POLLIN, 0}};
    const Deadline look = starved || reader_.amid_frame() ? until.Earlier(Deadline::After(starved ? kStarvedSpan : kLookSpan)) : until;
    int ready = ::poll(waits, 5, look.poll_ms());
    if (starved && ready == 0) waits[0].revents = POLLIN, ready = 1;
    if (ready == 0 && reader_.amid_frame() && Deadline::Clock::now() - frame_since_ > span)
      return {Event::kBroken, "a frame was begun and did not end within " + std::to_string(span.count()) + " ms"};
    if (ready < 0 && errno != EINTR) return {Event::kBroken, "poll failed"};
    if (ready <= 0) continue;
    if (waits[4].revents) link_.news_fd = link_.take_news();
    if (waits[1].revents) Flush();
    if (waits[0].revents || waits[2].revents) {
      // At the end as well: what was written last may have come between the two looks of poll.
      Status filled = reader_.Fill();
      if (!filled && filled.error().kind == ErrorKind::kClosed) read_closed_ = true;
      else if (!filled) broken_ = filled.error().message;
      if (!filled || waits[0].revents) continue;  // what came before it is still to be had
      if (auto frame = reader_.Pop()) return {Event::kFrame, *std::move(frame)};
      return {Event::kEnded, "the jail ended"};
    }
  }
}

}  // namespace paddock::orchestrator

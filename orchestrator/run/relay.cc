#include "orchestrator/run/relay.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace paddock::orchestrator {
namespace {

constexpr size_t kChunk = 65536;

// On a small stack (ulimit -s) there would be no room.
char* Buffer() {
  thread_local const auto buffer = std::make_unique_for_overwrite<char[]>(kChunk);
  return buffer.get();
}

}  // namespace

OutputRelay::OutputRelay(UniqueFd from, std::optional<OutputSink> to, OutputBudget* budget, uint64_t keep)
    : from_(std::move(from)), to_(std::move(to)), budget_(budget), keep_(keep) {}

pollfd OutputRelay::wait() const {
  if (!pending_.empty()) return {to_->fd(), POLLOUT, 0};
  return {from_.get(), POLLIN, 0};
}

Status OutputRelay::Step() {
  if (pending_.empty() && from_) {
    const char* const chunk = Buffer();
    const ssize_t n = read(from_.get(), Buffer(), kChunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return {};
    // EIO is how a terminal says that all of its other ends are closed.
    if (n <= 0) {
      from_.reset();
      to_.reset();  // a second description of a pipe would keep its reader waiting
      return {};
    }
    const auto got = static_cast<uint64_t>(n);
    total_ += got;
    const uint64_t take = std::min(got, budget_->left);
    budget_->left -= take;
    budget_->dropped += got - take;
    truncated_ |= take < got;
    if (to_) {
      pending_.assign(chunk, take);
    } else {
      const uint64_t room = std::min(take, keep_ - kept_.size());
      kept_.append(chunk, room);
      truncated_ |= room < take;
      if (keep_tail_ > 0) KeepLast(chunk + room, got - room);
    }
  }
  if (pending_.empty()) return {};
  auto written = to_->Write(pending_);
  if (written) {
    pending_.erase(0, *written);
    return {};
  }
  GiveUp();
  if (written.error().kind == ErrorKind::kClosed) return {};
  return std::unexpected(std::move(written).error());
}

// Beyond the budget too: it is bounded by itself, and how a program ended is what it says last.
void OutputRelay::KeepLast(const char* bytes, size_t size) {
  tail_.append(bytes, size);
  if (tail_.size() > 2 * keep_tail_) tail_.erase(0, tail_.size() - keep_tail_);
}

void OutputRelay::GiveUp() {
  truncated_ |= !done();
  from_.reset();
  to_.reset();
  pending_.clear();
}

InputRelay::InputRelay(InputSource from, UniqueFd to, UniqueFd probe) : from_(std::move(from)), to_(std::move(to)), probe_(std::move(probe)) {}

pollfd InputRelay::wait() const {
  if (!to_) return {-1, 0, 0};
  if (!pending_.empty()) return {to_.get(), POLLOUT, 0};
  return {from_.fd(), POLLIN, 0};
}

void InputRelay::Step() {
  if (!to_) return;
  if (pending_.empty()) {
    const char* const chunk = Buffer();
    const ssize_t n = from_.Read(Buffer(), kChunk);
    if (n < 0) return;
    if (n == 0) {
      source_ended_ = true;
      to_.reset();
      return;
    }
    pending_.assign(chunk, static_cast<size_t>(n));
  }
  const ssize_t n = write(to_.get(), pending_.data(), pending_.size());
  if (n > 0) {
    written_ += static_cast<uint64_t>(n);
    pending_.erase(0, static_cast<size_t>(n));
  } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
    to_.reset();  // EPIPE: the program reads no more
  }
}

void InputRelay::SetBack() {
  int unread = 0;
  if (probe_ && ioctl(probe_.get(), FIONREAD, &unread) == 0) from_.SetConsumed(written_ - static_cast<uint64_t>(std::max(unread, 0)));
}

}  // namespace paddock::orchestrator

#include "orchestrator/workbench/workbench.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "base/readable_any.h"
#include "base/text.h"
#include "orchestrator/broker/conclusion.h"
#include "orchestrator/delegation/end_cell.h"
#include "sandbox/machine/mend.h"
#include "subagents/frames.h"

namespace paddock::orchestrator {
namespace {

using agentcore::ToolFailure;
using agentcore::ToolResult;
using agentcore::ToolStatus;

constexpr auto kStartSpan = std::chrono::seconds(10), kEndSpan = std::chrono::seconds(5);
constexpr int kExitMs = 500;

ToolResult Lost(const std::string& why) {
  return ToolFailure(ToolStatus::kFailed, "the workbench was lost: " + why, "the next call gets a fresh one; if this call costs too much, ask for less at once");
}
ToolResult Stopped() { return ToolFailure(ToolStatus::kFailed, "told to stop", "nothing more is run"); }

}  // namespace

std::expected<sandbox::Receipt, StartFailure> Workbench::Start(const Deadline& deadline) {
  std::lock_guard starting(starting_);
  return StartCell(deadline);
}

// With starting_ held, and no thread running.
std::expected<sandbox::Receipt, StartFailure> Workbench::StartCell(const Deadline& deadline) {
  auto wake = UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  auto interrupts = ReadableAny({wake.get(), setup_.cancel_fd});
  if (!interrupts) return std::unexpected(StartFailure{interrupts.error(), "setup_error", 0, {}});
  auto cell = setup_.starter->Start(setup_.wanted, deadline);
  if (!cell) return std::unexpected(std::move(cell).error());
  sandbox::Receipt receipt = cell->receipt;
  std::lock_guard lock(mutex_);
  cell_.emplace(*std::move(cell));
  wake_ = std::move(wake);
  interrupts_ = *std::move(interrupts);
  to_send_.clear();
  blame_.clear();
  renew_ = false;
  spent_ = {};
  ++cells_;
  state_ = State::kRunning;
  try {
    thread_ = std::thread([this] { Converse(); });
  } catch (const std::system_error& fault) {
    state_ = State::kNone;
    cell_.reset();
    return std::unexpected(StartFailure{Error{ErrorKind::kSystem, std::string("no thread for the workbench: ") + fault.what(), sandbox::machine::kMoreProcesses, fault.code().value()}, "setup_error", 0, {}});
  }
  return receipt;
}

bool Workbench::Cancelled() const {
  pollfd wait{setup_.cancel_fd, POLLIN, 0};
  return setup_.cancel_fd >= 0 && ::poll(&wait, 1, 0) > 0;
}

void Workbench::Wake() {
  const uint64_t one = 1;
  (void)!::write(wake_.get(), &one, sizeof one);
}

// Until there is a cell that runs. `lock` is of mutex_.
Status Workbench::Ready(std::unique_lock<std::mutex>* lock) {
  while (state_ != State::kRunning) {
    if (state_ != State::kLost) return Fail(ErrorKind::kClosed, "it was ended");
    if (lost_ > kMaxFreshWorkbenches) return Fail(ErrorKind::kLimit, why_lost_ + "; it was lost " + std::to_string(lost_) + " times, and no other is started");
    lock->unlock();
    std::expected<sandbox::Receipt, StartFailure> started;
    {
      std::lock_guard starting(starting_);
      lock->lock();
      if (state_ != State::kLost) continue;  // another call was faster
      if (thread_.joinable()) thread_.join();  // it has let go of everything
      lock->unlock();
      started = StartCell(Deadline::After(kStartSpan));
    }
    lock->lock();
    if (!started) {
      ++lost_;
      why_lost_ = "a fresh one did not start: " + started.error().error.message;
      return Fail(started.error().error.kind, why_lost_);
    }
    setup_.events->Record("workbench_started", Json{{"lost", lost_}});
  }
  return {};
}

ToolResult Workbench::Call(const agentcore::ToolCall& call, const Deadline& deadline) {
  const Deadline own = Deadline::After(setup_.call_time + setup_.answer_grace);
  std::unique_lock lock(mutex_);
  const auto wait = [&](const Deadline& until, auto&& done) {
    const auto left = until.left();
    return left ? changed_.wait_for(lock, *left, done) : (changed_.wait(lock, done), true);
  };
  // A seat: calls whose callers have given up still have theirs.
  if (!wait(own.Earlier(deadline), [&] { return open_.size() < subagents::kMaxOpenCalls || state_ == State::kStopped; }))
    return ToolFailure(ToolStatus::kTimeout, "the workbench had no room for another call in time", "make fewer calls at a time");
  if (Cancelled()) return Stopped();
  if (state_ == State::kRunning && open_.empty() && spent_ > std::chrono::milliseconds(cell_->processor_ms) / 2) {
    renew_ = true;
    Wake();
    // Another call may have started the next one before this thread is woken.
    changed_.wait(lock, [&, old = cells_] { return state_ != State::kRunning || cells_ != old; });
  }
  if (auto ready = Ready(&lock); !ready) return Lost(ready.error().message);
  const std::string id = "c" + std::to_string(next_++);
  open_.try_emplace(id);
  to_send_.push_back(subagents::EncodeFrame("call", subagents::CallFrame{{id, call.tool, call.arguments}}));
  Wake();
  const auto answered = [&] { return open_.at(id).result.has_value(); };
  const auto begun = Deadline::Clock::now();
  if (!wait(own.Earlier(deadline), answered) && own.passed()) {  // the cell ends each call by itself, and earlier
    blame_ = "it did not answer within " + std::to_string((setup_.call_time + setup_.answer_grace).count()) + " ms";
    Wake();
    wait(Deadline::After(kEndSpan), answered);
  }
  spent_ += Deadline::Clock::now() - begun;
  if (answered()) {
    ToolResult result = *std::move(open_.at(id).result);
    open_.erase(id);
    changed_.notify_all();
    return result;
  }
  open_.at(id).given_up = true;
  return ToolFailure(ToolStatus::kTimeout, "no answer before the time was up", "report what was found so far");
}

void Workbench::Stop() {
  std::lock_guard starting(starting_);
  {
    std::lock_guard lock(mutex_);
    if (state_ == State::kRunning) Wake();
    state_ = State::kStopped;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

// The thread of one cell.
void Workbench::Converse() {
  CellChannel channel(LinkTo(&*cell_), interrupts_.get(), subagents::kMaxFrameBytes, setup_.pool);
  subagents::TaskFrame task;
  task.kind = subagents::CellKind::kWorkbench;
  task.tools = setup_.tools;
  task.tool_timeout_ms = setup_.call_time.count();
  task.processor_ms = cell_->processor_ms;
  if (setup_.wanted.profile) task.hide = setup_.wanted.profile->filesystem.hide;
  channel.Send(subagents::EncodeFrame("task", task));
  for (std::string broken; broken.empty();) {
    auto arrival = channel.Wait(Deadline::Never());
    switch (arrival.event) {
      case CellChannel::Event::kFrame: {
        std::unique_lock<std::mutex> gate;
        if (setup_.pool) gate = std::unique_lock(setup_.pool->gate());
        broken = TakeFrame(arrival.text);
        std::string().swap(arrival.text);
        channel.Done();
        break;
      }
      case CellChannel::Event::kCancelled: {
        uint64_t woken;
        (void)!::read(wake_.get(), &woken, sizeof woken);
        std::lock_guard lock(mutex_);
        if (state_ == State::kStopped || Cancelled()) {
          state_ = State::kStopped;
          EndCell();
          return;
        }
        if (renew_) {
          state_ = State::kLost;
          EndCell();
          return;
        }
        broken = blame_;
        for (std::string& frame : to_send_) channel.Send(std::move(frame));
        to_send_.clear();
        break;
      }
      case CellChannel::Event::kEnded: broken = "its cell ended"; break;
      case CellChannel::Event::kClosed: broken = "its cell: " + arrival.text; break;
      case CellChannel::Event::kBroken: broken = "its cell misbehaved: " + ShownText(arrival.text, *setup_.redactor); break;
      case CellChannel::Event::kTimeout: break;
    }
    if (!broken.empty()) Lose(std::move(broken));
    else continue;
    return;
  }
}

// Empty, or what is wrong with it.
std::string Workbench::TakeFrame(const std::string& line) {
  const auto bad = [&](const std::string& what) { return "its cell misbehaved: " + ShownText(what, *setup_.redactor, 512); };
  auto frame = subagents::DecodeFrame(line);
  if (!frame) return bad(frame.error().message);
  if (frame->type == "fault") {
    auto fault = FromJson<subagents::FaultFrame>(frame->body);
    return fault ? "its cell gave up: " + ShownText(fault->message, *setup_.redactor, 512) : bad(fault.error().message);
  }
  if (frame->type != "answer") return bad("a frame \"" + frame->type.substr(0, 32) + "\" that was not asked for");
  auto answer = FromJson<subagents::CallAnswer>(frame->body);
  if (!answer) return bad(answer.error().message);
  std::lock_guard lock(mutex_);
  auto open = open_.find(answer->id);
  if (open == open_.end() || open->second.result) return bad("an answer to a call that is not open");
  if (open->second.given_up) open_.erase(open);
  else open->second.result = std::move(answer->result);
  changed_.notify_all();
  return "";
}

void Workbench::Lose(std::string why) {
  std::lock_guard lock(mutex_);
  why_lost_ = std::move(why);
  EndCell();
  if (state_ == State::kStopped) return;
  state_ = State::kLost;
  ++lost_;
  setup_.events->Record("workbench_lost", Json{{"why", why_lost_}, {"times", lost_}});
}

// With mutex_ held: the jail is gone, and every open call has a result.
void Workbench::EndCell() {
  if (state_ == State::kStopped && !Cancelled()) {  // with a moment to exit by itself: then its use of the machine is known
    cell_->to.reset();
    pollfd wait{cell_->jail.end_fd(), POLLIN, 0};
    ::poll(&wait, 1, kExitMs);
  }
  const sandbox::JailEnd end = cell_->jail.Stop();
  if (state_ != State::kStopped) {
    const subagents::Ending ending = EndingOf(end, {"", 0, "", ""});
    if (!ending.detail.empty()) why_lost_ += " (" + ending.detail + ")";
  }
  if (end.cpu_us) cpu_ms_ = cpu_ms_.value_or(0) + static_cast<int64_t>(*end.cpu_us / 1000);
  TakeDenied(&*cell_);
  AddBlockedCalls(cell_->denied, &violations_);
  violation_count_ += cell_->jail.violation_count();
  // One that waits for calls is ended by us: then there is none that was denied and not reported, but for a flood.
  violation_count_is_whole_ = violation_count_is_whole_ && (cell_->jail.violation_count_is_whole() || cell_->jail.violation_count() == 0);
  if (end.peak_rss_kb) peak_rss_kb_ = std::max(peak_rss_kb_.value_or(0), static_cast<int64_t>(*end.peak_rss_kb));
  cell_.reset();
  for (auto open = open_.begin(); open != open_.end();) {
    if (open->second.given_up) {
      open = open_.erase(open);
      continue;
    }
    if (!open->second.result) open->second.result = state_ == State::kStopped ? Stopped() : Lost(why_lost_);
    ++open;
  }
  changed_.notify_all();
}

}  // namespace paddock::orchestrator

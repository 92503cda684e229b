#include "orchestrator/cli/exec_output.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "orchestrator/cli/print.h"

namespace paddock::orchestrator {
namespace {

constexpr auto kLastSpan = std::chrono::seconds(2);  // for a slow reader, once the run is to end

std::string First(const std::string& text, size_t bytes) {
  const std::string line = VisibleText(text.substr(0, text.find('\n')), Newlines::kEscape);
  return std::string(TruncateUtf8(line, bytes));
}

}  // namespace

ExecOutput::ExecOutput(bool json, int64_t max_turns, int cancel_fd, const Deadline& deadline, std::function<void()> on_lost)
    : json_(json), max_turns_(max_turns), cancel_fd_(cancel_fd), deadline_(deadline), on_lost_(std::move(on_lost)), view_(2, max_turns) {}

void ExecOutput::Show(const ExecEvent& event) {
  std::lock_guard lock(mutex_);
  if (!json_) return Tell(event);
  const auto at = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started_);
  Print(DumpJson(EventJson(event, at.count())) + "\n");
}

void ExecOutput::Done() {
  std::lock_guard lock(mutex_);
  if (!json_) view_.Done();
}

bool ExecOutput::WaitWritable() {
  pollfd waits[2] = {{1, POLLOUT, 0}, {cancel_fd_, POLLIN, 0}};
  for (;;) {
    const int ready = poll(waits, 2, deadline_.poll_ms());
    if (ready < 0 && errno == EINTR) continue;
    if (waits[0].revents) return true;
    // To be stopped, or late.
    return poll(waits, 1, static_cast<int>(std::chrono::milliseconds(kLastSpan).count())) > 0;
  }
}

// A pipe that may be written takes PIPE_BUF bytes without blocking.
void ExecOutput::Print(const std::string& line) {
  for (size_t sent = 0; sent < line.size() && !lost_;) {
    const bool writable = WaitWritable();
    const ssize_t n = writable ? write(1, line.data() + sent, std::min<size_t>(line.size() - sent, PIPE_BUF)) : -1;
    if (n >= 0) {
      sent += static_cast<size_t>(n);
    } else if (!writable || errno != EINTR) {
      PrintError(writable ? FailErrno("the events could not be written").error() : Error{ErrorKind::kTimeout, "the events could not be written: nobody reads them", "", 0});
      lost_ = true;
      on_lost_();
    }
  }
}

void ExecOutput::Tell(const ExecEvent& event) {
  const auto turn = [&] { return "turn " + std::to_string(turn_) + "/" + std::to_string(max_turns_); };
  if (const auto* one = std::get_if<PhaseEvent>(&event)) {
    // The rest shows in turns and calls.
    if (one->phase != "act" && one->phase != "observe" && (one->phase != "plan" || turn_ == 0)) view_.Say(one->phase + (one->reason.empty() ? "" : ": " + one->reason));
  } else if (const auto* answered = std::get_if<TurnEvent>(&event)) {
    turn_ = answered->turn;
    view_.Say(turn());
  } else if (const auto* text = std::get_if<TextEvent>(&event)) {
    view_.Say(turn() + "  " + First(text->text, 200));
  } else if (const auto* call = std::get_if<CallStartedEvent>(&event)) {
    view_.Say(turn() + "  " + call->tool + "  " + call->subject);
  } else if (const auto* child = std::get_if<SubagentStartedEvent>(&event)) {
    view_.Say(turn() + "  " + child->subagent + " " + child->id + "  " + child->goal);
  } else if (const auto* progress = std::get_if<SubagentProgressEvent>(&event)) {
    view_.Say(turn() + "  " + progress->id + "  " + progress->tool + "  " + progress->subject);
  } else if (const auto* ended = std::get_if<SubagentFinishedEvent>(&event)) {
    view_.Say(turn() + "  " + ended->child.id + "  " + NameOf(ended->child.status));
  } else if (const auto* warning = std::get_if<WarningEvent>(&event)) {
    view_.Last(warning->text);
  } else if (const auto* retry = std::get_if<RetryEvent>(&event)) {
    view_.Say(retry->text);
  } else if (const auto* other = std::get_if<ModelSwitchedEvent>(&event)) {
    view_.Last(other->to + " takes over from " + other->from + ": " + other->reason);
  }
}

}  // namespace paddock::orchestrator

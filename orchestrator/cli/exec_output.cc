#include "orchestrator/cli/exec_output.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/report/findings_text.h"
#include "orchestrator/report/text_style.h"

namespace paddock::orchestrator {
namespace {

constexpr auto kLastSpan = std::chrono::seconds(2);  // for a slow reader, once the run is to end

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

std::string ExecOutput::NameOfChild(const std::string& id) const {
  auto found = children_.find(id);
  return found == children_.end() ? id : found->second;
}

void ExecOutput::ShowRecord(const std::string& folder) {
  std::lock_guard lock(mutex_);
  if (!json_) view_.Last("record: " + folder);
}

// What goes on is said for the moment; what a person may want to read again is kept.
void ExecOutput::Tell(const ExecEvent& event) {
  const auto turn = [&] { return "turn " + std::to_string(turn_) + "/" + std::to_string(max_turns_); };
  const auto owner = [&](const std::string& child) { return child.empty() ? "" : NameOfChild(child) + ": "; };
  if (const auto* one = std::get_if<PhaseEvent>(&event)) {
    if (one->phase != "act" && one->phase != "observe" && (one->phase != "plan" || turn_ == 0)) view_.Say(one->phase + (one->reason.empty() ? "" : ": " + one->reason));
  } else if (const auto* answered = std::get_if<TurnEvent>(&event)) {
    if (!words_.empty()) view_.Keep(turn() + "  " + words_);
    words_.clear();
    turn_ = answered->turn;
    calls_ = answered->calls;
    view_.Now(turn());
  } else if (const auto* text = std::get_if<TextEvent>(&event)) {
    if (calls_ > 0) view_.Keep(turn() + "  " + text->text);
    else words_ = text->text;
  } else if (const auto* call = std::get_if<CallStartedEvent>(&event)) {
    view_.Say(turn() + "  " + call->tool + "  " + NameInSentence(call->subject));
  } else if (const auto* child = std::get_if<SubagentStartedEvent>(&event)) {
    const std::string& name = children_[child->id] = child->subagent + "#" + std::to_string(++numbers_[child->subagent]);
    view_.Say(turn() + "  " + name + "  " + child->goal);
  } else if (const auto* progress = std::get_if<SubagentProgressEvent>(&event)) {
    view_.Say(turn() + "  " + NameOfChild(progress->id) + "  " + progress->tool + "  " + NameInSentence(progress->subject));
  } else if (const auto* ended = std::get_if<SubagentFinishedEvent>(&event)) {
    const ChildResult& done = ended->child;
    view_.Keep(turn() + "  " + NameOfChild(done.id) + "  " + NameOf(done.status) + ", " + Count(done.findings, "finding") + ", " + VerifiedText(done.citations_verified, done.citations) +
               (done.denied_calls.value_or(0) > 0 ? ", and its jail denied " + Count(*done.denied_calls, "call") : ""));
  } else if (const auto* step = std::get_if<StepStartedEvent>(&event)) {
    turn_ = 0;
    view_.Keep("step " + std::to_string(step->step) + " of " + std::to_string(step->steps) + "  " + step->title);
  } else if (const auto* carried = std::get_if<StepFinishedEvent>(&event)) {
    view_.Keep("step " + std::to_string(carried->step) + "  " + NameOf(carried->result.status));
  } else if (const auto* warning = std::get_if<WarningEvent>(&event)) {
    view_.Keep(warning->text);
  } else if (const auto* retry = std::get_if<RetryEvent>(&event)) {
    view_.Keep(owner(retry->subagent) + retry->text);
  } else if (const auto* other = std::get_if<ModelSwitchedEvent>(&event)) {
    view_.Keep(owner(other->subagent) + other->to + " takes over from " + other->from + ": " + other->reason);
  } else if (const auto* result = std::get_if<ResultEvent>(&event)) {
    if (!words_.empty() && result->result.answer.empty()) view_.Keep(turn() + "  " + words_);  // they were no answer
    words_.clear();
  }
}

}  // namespace paddock::orchestrator

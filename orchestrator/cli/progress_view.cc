#include "orchestrator/cli/progress_view.h"

#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "orchestrator/report/text_style.h"

namespace paddock::orchestrator {
namespace {

constexpr char kLead[] = "paddock: ";
constexpr char kClear[] = "\r\x1b[K";
constexpr size_t kLogColumns = 120;  // of a line that goes to a file or a program
constexpr int kKeptWaitMs = 100;  // for a slow reader of a long text

}  // namespace

ProgressView::ProgressView(int fd, int64_t max_turns) : fd_(fd), terminal_(isatty(fd) == 1), max_turns_(max_turns) {
  winsize size{};
  if (terminal_ && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 10) width_ = size.ws_col;
  // A terminal that can't move its cursor gets plain lines.
  const char* kind = getenv("TERM");
  if (!kind || std::string_view(kind) == "dumb") terminal_ = false;
}

// A terminal that was stopped, or a pipe that nobody reads, gets nothing: progress holds nobody up.
void ProgressView::Write(std::string_view text, int wait_ms) {
  while (!text.empty()) {
    pollfd wait{fd_, POLLOUT, 0};
    deaf_ = poll(&wait, 1, deaf_ ? 0 : wait_ms) != 1 || !(wait.revents & POLLOUT);
    if (deaf_) return;
    const ssize_t n = write(fd_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
    if (n <= 0) return;
    text.remove_prefix(static_cast<size_t>(n));
  }
}

void ProgressView::Now(const std::string& text) {
  if (!terminal_) return;
  now_ = VisibleText(kLead + text, Newlines::kEscape);
  if (Columns(now_) > width_ - 1) now_ = std::string(TruncateColumns(now_, width_ - 4)) + "...";
  Write(kClear + now_, 0);
}

void ProgressView::Say(const std::string& text) {
  if (terminal_) return Now(text);
  std::string line = VisibleText(kLead + text, Newlines::kEscape);
  if (Columns(line) > kLogColumns) line = std::string(TruncateColumns(line, kLogColumns - 3)) + "...";
  Write(line + "\n", 0);
}

void ProgressView::PutLines(const std::string& lines) { Write(terminal_ ? kClear + lines + now_ : lines, kKeptWaitMs); }

void ProgressView::Keep(const std::string& text) {
  std::string lines;
  AddParagraph(&lines, text, kLead, terminal_ ? width_ - 1 : SIZE_MAX);
  PutLines(lines);
}

void ProgressView::Last(const std::string& text) { PutLines(VisibleText(kLead + text, Newlines::kEscape) + "\n"); }

void ProgressView::Show(const Progress& progress) {
  const std::string turn = "turn " + std::to_string(progress.turn) + "/" + std::to_string(max_turns_);
  switch (progress.kind) {
    case Progress::Kind::kAsking:
      return Say(turn + "  asking " + progress.subject);
    case Progress::Kind::kTurn:
      return Now(turn);
    case Progress::Kind::kToolStarted:
      return Say(turn + "  " + progress.tool + "  " + NameInSentence(progress.subject));
    case Progress::Kind::kWrapUp:
      return Keep(turn + "  wrapping up (" + progress.subject + ")");
    case Progress::Kind::kReflect:
      return Keep("no progress: " + progress.subject + "; the model is asked what it will change");
    case Progress::Kind::kRoom:
      return Keep(progress.subject);
    case Progress::Kind::kRunStarted:
      return Say("running in a jail, as the subagent asks: " + progress.subject);
    case Progress::Kind::kRunFinished:
      return Keep("ran " + progress.subject);
    case Progress::Kind::kCall:
    case Progress::Kind::kToolFinished:
      return;
  }
}

void ProgressView::Done() {
  now_.clear();
  if (terminal_) Write(kClear, 0);
}

}  // namespace paddock::orchestrator

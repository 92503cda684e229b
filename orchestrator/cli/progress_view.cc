#include "orchestrator/cli/progress_view.h"

#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"

namespace paddock::orchestrator {

ProgressView::ProgressView(int fd, int64_t max_turns) : fd_(fd), terminal_(isatty(fd) == 1), max_turns_(max_turns) {
  winsize size{};
  if (terminal_ && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 10) width_ = size.ws_col;
  // A terminal that can't move its cursor gets plain lines.
  const char* kind = getenv("TERM");
  if (!kind || std::string_view(kind) == "dumb") terminal_ = false;
}

// A terminal that was stopped, or a pipe that nobody reads, gets nothing: progress is never waited for.
void ProgressView::Write(const std::string& text) {
  pollfd wait{fd_, POLLOUT, 0};
  if (poll(&wait, 1, 0) == 1 && (wait.revents & POLLOUT)) (void)!write(fd_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
}

void ProgressView::Put(std::string text) {
  text = VisibleText(text, Newlines::kEscape);
  if (terminal_) {
    if (text.size() > width_ - 1) text = std::string(TruncateUtf8(text, width_ - 4)) + "...";
    text = "\r\x1b[K" + text;
  } else {
    text += "\n";
  }
  Write(text);
}

void ProgressView::Say(const std::string& text) { Put("paddock: " + text); }

// Whole, whatever the width: it is there to be copied.
void ProgressView::Last(const std::string& text) {
  const std::string line = (terminal_ ? "\r\x1b[K" : "") + VisibleText("paddock: " + text, Newlines::kEscape) + "\n";
  Write(line);
}

void ProgressView::Show(const Progress& progress) {
  const std::string turn = "turn " + std::to_string(progress.turn) + "/" + std::to_string(max_turns_);
  switch (progress.kind) {
    case Progress::Kind::kAsking:
      return Put("paddock: " + turn + "  asking " + progress.subject);
    case Progress::Kind::kTurn:
      return Put("paddock: " + turn);
    case Progress::Kind::kToolStarted:
      return Put("paddock: " + turn + "  " + progress.tool + "  " + progress.subject);
    case Progress::Kind::kWrapUp:
      return Put("paddock: " + turn + "  wrapping up (" + progress.subject + ")");
    case Progress::Kind::kReflect:
      return Put("paddock: no progress: " + progress.subject + "; the model is asked what it will change");
    case Progress::Kind::kRoom:
      return Put("paddock: " + progress.subject);
    case Progress::Kind::kCall:
    case Progress::Kind::kToolFinished:
      return;
  }
}

void ProgressView::Done() {
  if (terminal_) Write("\r\x1b[K");
}

}  // namespace paddock::orchestrator

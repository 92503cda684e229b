#include "orchestrator/run/run_loop.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include <array>
#include <chrono>

#include "base/frame_pipe.h"

namespace paddock::orchestrator {
namespace {

using std::chrono::milliseconds;

// A program that was told to stop may tidy up so long.
constexpr milliseconds kPatience{5000};
// A terminal and a wrapper may both send one signal: only one that comes later is a second one.
constexpr milliseconds kSameWish{200};
// Nothing tells a job that it came to the foreground.
constexpr milliseconds kForegroundLook{250};
constexpr milliseconds kCpuLook{250};
constexpr milliseconds kGoesOn{1000};
// After a jail was ended early, for a reader that doesn't read.
constexpr milliseconds kDrain{2000};

bool Ready(const pollfd& one) { return one.fd >= 0 && one.revents != 0; }

}  // namespace

RunLoop::RunLoop(sandbox::Jail* jail, Stdio* stdio, RunSignals* signals, Terminals terminals, std::function<bool()> cpu_passed)
    : jail_(jail), stdio_(stdio), signals_(signals), terminals_(std::move(terminals)), cpu_passed_(std::move(cpu_passed)) {
  if (!terminals_.master) return;
  (void)SetNonBlocking(terminals_.master.get());
  auto another = [&] { return UniqueFd(fcntl(terminals_.master.get(), F_DUPFD_CLOEXEC, 3)); };
  keys_.emplace(InputSource(0), another());
  screen_.emplace(another(), OutputSink(1), &unlimited_);
}

void RunLoop::Finish(StopCause cause) {
  if (ended_) return;
  if (end_.cause == StopCause::kNone) end_.cause = cause;
  end_.jail = jail_->Stop();
  ended_ = true;
}

void RunLoop::OnSignal(int number) {
  switch (number) {
    case SIGWINCH:
      if (terminals_.master) terminals_.outer->GiveSize(terminals_.master.get());
      return;
    case SIGTSTP:
      (void)jail_->Signal(SIGSTOP);
      OnStop();
      return;
    case SIGCONT:
      if (terminals_.master) TakeOuter();
      return;
    default:
      break;
  }
  if (signals_->at_once()) {
    end_.signal = number;
    impatient_ = true;
    return Finish(StopCause::kCancelled);
  }
  if (patience_) {
    // Of the other kinds a second one is passed on as well.
    if ((number == SIGINT || number == SIGTERM) && same_wish_.passed()) {
      end_.signal = number;
      impatient_ = true;
      Finish(StopCause::kCancelled);
      return;
    }
  } else {
    end_.signal = number;
    patience_ = Deadline::After(kPatience);
    same_wish_ = Deadline::After(kSameWish);
  }
  if (!ended_) (void)jail_->Signal(number);
}

// In the background nothing happens.
void RunLoop::TakeOuter() {
  terminals_.outer->GiveSettings(terminals_.master.get());
  terminals_.outer->MakeRaw();
  terminals_.outer->GiveSize(terminals_.master.get());
}

// As a program that Ctrl-Z stops: the terminal as it was, this job stopped, and all of it goes on with `fg`.
void RunLoop::OnStop() {
  if (terminals_.outer) terminals_.outer->Restore();
  // Without a terminal the others of this group are a script that knows nothing of it.
  signals_->StopSelf(bool(terminals_.master));
  if (terminals_.master) TakeOuter();
  (void)jail_->Signal(SIGCONT);
  // Until it is known to go on, it would be taken to be stopped again.
  const Deadline soon = Deadline::After(kGoesOn);
  while (jail_->stopped_by() && !jail_->end() && !soon.passed()) {
    pollfd news{jail_->news_fd(), POLLIN, 0};
    if (poll(&news, 1, soon.poll_ms()) > 0) jail_->ReadNews();
  }
}

bool RunLoop::OutputDone() const {
  auto done = [](const std::optional<OutputRelay>& relay) { return !relay || relay->done(); };
  return done(stdio_->out) && done(stdio_->err) && done(screen_);
}

void RunLoop::Look(const Deadline& until) {
  // Keys are for whoever is in the foreground.
  const bool reads_keys = keys_ && terminals_.outer->raw() && !ended_;
  const pollfd nobody{-1, 0, 0};
  std::array<pollfd, 8> wait{pollfd{signals_->fd(), POLLIN, 0},
                             ended_ ? nobody : pollfd{jail_->news_fd(), POLLIN, 0},
                             ended_ ? nobody : pollfd{jail_->end_fd(), POLLIN, 0},
                             ended_ ? nobody : stdio_->in ? stdio_->in->wait() : stdio_->pipe_in ? stdio_->pipe_in->wait() : nobody,
                             stdio_->out ? stdio_->out->wait() : nobody,
                             stdio_->err ? stdio_->err->wait() : nobody,
                             reads_keys ? keys_->wait() : nobody,
                             screen_ ? screen_->wait() : nobody};
  if (poll(wait.data(), wait.size(), until.poll_ms()) <= 0) return;
  if (Ready(wait[0]))
    while (auto number = signals_->Next()) OnSignal(*number);
  if (Ready(wait[3]) && stdio_->in) stdio_->in->Step();
  if (Ready(wait[3]) && stdio_->pipe_in) stdio_->pipe_in->Step();
  if (Ready(wait[6])) keys_->Step();
  std::optional<OutputRelay>* const outputs[] = {&stdio_->out, &stdio_->err, &screen_};
  const pollfd* const ready[] = {&wait[4], &wait[5], &wait[7]};
  for (size_t i = 0; i < 3; ++i) {
    if (!Ready(*ready[i])) continue;
    if (auto moved = (*outputs[i])->Step(); !moved && end_.cause == StopCause::kNone) {
      end_.cause = StopCause::kOutput;
      end_.output = std::move(moved).error();
    }
  }
  if (!ended_ && (Ready(wait[1]) || Ready(wait[2]))) jail_->ReadNews();
}

void RunLoop::Drain() {
  const bool early = end_.cause != StopCause::kNone || end_.jail.kind == sandbox::EndKind::kDeadline;
  const Deadline give_up = early ? Deadline::After(kDrain) : Deadline::Never();
  // Whoever waits for a reader that does not come can still stop this.
  const bool cancelled = patience_.has_value();
  while (!OutputDone()) {
    Look(give_up);
    if (!give_up.passed() && !impatient_ && (cancelled || !patience_) && end_.cause != StopCause::kOutput) continue;
    for (std::optional<OutputRelay>* relay : {&stdio_->out, &stdio_->err, &screen_})
      if (*relay) (*relay)->GiveUp();
  }
}

LoopEnd RunLoop::Run(const Deadline& wall, const std::function<void()>& news) {
  if (terminals_.master) TakeOuter();
  while (!ended_) {
    Deadline until = wall;
    if (patience_) until = until.Earlier(*patience_);
    if (cpu_passed_) until = until.Earlier(Deadline::After(kCpuLook));
    if (terminals_.master && !terminals_.outer->raw()) {
      until = until.Earlier(Deadline::After(kForegroundLook));
      TakeOuter();
    }
    Look(until);
    if (ended_) break;
    news();
    if (EndedByPidfd(jail_->end_fd(), Deadline::After({}))) Finish(StopCause::kNone);
    else if (end_.cause == StopCause::kOutput) Finish(StopCause::kOutput);
    else if (wall.passed()) Finish(StopCause::kWall);
    else if (patience_ && patience_->passed()) Finish(StopCause::kCancelled);
    else if (cpu_passed_ && cpu_passed_()) Finish(StopCause::kCpu);
    // Only a program with a terminal can stop this job: one without could stop the caller's scripts.
    else if (terminals_.master && jail_->stopped_by()) OnStop();
    // The person's terminal is gone, and so the program's is.
    if (!ended_ && terminals_.master && (screen_->done() || keys_->source_ended())) {
      screen_->GiveUp();
      keys_.reset();
      terminals_.master.reset();
      terminals_.outer = nullptr;
    }
  }
  news();
  Drain();
  if (stdio_->in) stdio_->in->SetBack();
  if (stdio_->pipe_in) stdio_->pipe_in->Settle();
  return std::move(end_);
}

}  // namespace paddock::orchestrator

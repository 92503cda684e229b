#include "sandbox/jail.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "sandbox/status_socket.h"

namespace paddock::sandbox {
namespace {

constexpr auto kEndSpan = std::chrono::seconds(10);  // an ending that takes longer is a kernel's fault
// A jail that is given up while it is built: until its builder comes to an end by itself.
constexpr auto kUnbuiltSpan = std::chrono::seconds(2);
constexpr auto kHurrySpan = std::chrono::milliseconds(80);

Violation ViolationOf(const StatusMessage& message) {
  Violation out;
  out.number = message.call;
  std::copy(std::begin(message.arguments), std::end(message.arguments), out.arguments.begin());
  out.process = message.process;
  out.process_name.assign(message.process_name, strnlen(message.process_name, sizeof message.process_name));
  out.text.assign(message.detail, std::min<size_t>(message.detail_size, sizeof message.detail - 1));
  out.error = message.error;
  return out;
}

// Of the payload, or of the copier.
JailEnd EndOf(const StatusMessage& message) {
  const bool signaled = WIFSIGNALED(message.wait_status);
  JailEnd end;
  end.kind = signaled ? EndKind::kSignaled : EndKind::kExited;
  end.code = signaled ? WTERMSIG(message.wait_status) : WEXITSTATUS(message.wait_status);
  if (message.kind == MessageKind::kCopyFailed) {
    end.kind = EndKind::kCopyFailed;
    end.code += signaled ? 128 : 0;
  }
  end.stage = Stage::kExec;
  end.cpu_us = message.cpu_us;
  end.peak_rss_kb = message.peak_rss_kb;
  return end;
}

// The pid that a pidfd stands for, as this process sees it (pidfd_open(2), "fdinfo").
pid_t PidOf(int pidfd) {
  char path[64], text[512];
  std::snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pidfd);
  UniqueFd fd(open(path, O_RDONLY | O_CLOEXEC));
  ssize_t n = fd ? read(fd.get(), text, sizeof text - 1) : -1;
  if (n <= 0) return -1;
  text[n] = '\0';
  const char* line = std::strstr(text, "\nPid:");
  int pid = -1;
  if (!line || std::sscanf(line, "\nPid: %d", &pid) != 1) return -1;
  return pid;
}

}  // namespace

Jail::Jail(Jail&& other) noexcept
    : status_(std::move(other.status_)), life_(std::move(other.life_)), go_(std::move(other.go_)),
      init_pidfd_(std::move(other.init_pidfd_)), payload_pidfd_(std::move(other.payload_pidfd_)), terminal_(std::move(other.terminal_)),
      launcher_pidfd_(other.launcher_pidfd_), payload_pid_(other.payload_pid_), started_(other.started_), held_(other.held_),
      wants_hold_(other.wants_hold_), reports_(other.reports_), counted_(other.counted_), status_closed_(other.status_closed_), killed_(other.killed_), hurry_(other.hurry_), end_(std::move(other.end_)),
      violations_(std::move(other.violations_)), violation_count_(other.violation_count_), witness_count_(other.witness_count_), stopped_by_(other.stopped_by_),
      landlock_witness_(other.landlock_witness_), seccomp_witness_(other.seccomp_witness_), at_ns_(other.at_ns_) {}

Jail::~Jail() {
  if (status_) Stop();
}

void Jail::Handle(const StatusMessage& message, UniqueFd passed) {
  for (size_t i = 0; i < at_ns_.size(); ++i)
    if (message.at_ns[i]) at_ns_[i] = message.at_ns[i];
  violation_count_ = std::max(violation_count_, message.violations);
  if (message.kind == MessageKind::kExited || message.kind == MessageKind::kTooMany || message.kind == MessageKind::kDeadline) counted_ = true;
  switch (message.kind) {
    case MessageKind::kBuilt:
      init_pidfd_ = std::move(passed);
      break;
    case MessageKind::kStarted:
      payload_pidfd_ = std::move(passed);
      payload_pid_ = PidOf(payload_pidfd_.get());
      started_ = true;
      break;
    case MessageKind::kHeld:
      held_ = true;
      landlock_witness_ = message.landlock_witness;
      seccomp_witness_ = message.seccomp_witness;
      // Only the witness can have been denied anything before.
      DropViolations();
      break;
    case MessageKind::kTerminal:
      terminal_ = std::move(passed);
      break;
    case MessageKind::kViolation:
      violations_.push_back(ViolationOf(message));
      break;
    case MessageKind::kTooMany:
      if (!end_) end_ = JailEnd{EndKind::kTooManyViolations, 0, Stage::kExec, {}, {}, {}};
      break;
    case MessageKind::kStopped:
      stopped_by_.reset();
      if (WIFSTOPPED(message.wait_status)) stopped_by_ = WSTOPSIG(message.wait_status);
      break;
    case MessageKind::kSetupError:
      // The first one counts: what follows is the wreckage.
      if (!end_) end_ = JailEnd{EndKind::kSetupError, message.error, message.stage, message.detail, {}, {}};
      break;
    case MessageKind::kExited:
    case MessageKind::kCopyFailed:
      if (!end_) end_ = EndOf(message);
      break;
    case MessageKind::kDeadline:
      if (!end_) end_ = JailEnd{EndKind::kDeadline, 0, Stage::kExec, {}, {}, {}};
      break;
    case MessageKind::kLauncherReady:
      break;
  }
}

void Jail::DropViolations() {
  witness_count_ = violation_count_;
  violations_.clear();
}

void Jail::ForgetWitness() {
  Pump();
  DropViolations();
}

void Jail::Pump() {
  while (!status_closed_) {
    StatusMessage message;
    UniqueFd passed;
    Got got = ReceiveMessage(status_.get(), &message, &passed);
    if (got == Got::kNothing) return;
    if (got == Got::kClosed) status_closed_ = true;
    else if (got == Got::kMessage) Handle(message, std::move(passed));
  }
}

Status Jail::WaitStarted(const Deadline& deadline, int cancel_fd, const Deadline& own) {
  Patience patience(launcher_pidfd_, deadline.Earlier(own), cancel_fd);
  for (;;) {
    Pump();
    if (end_ && end_->kind == EndKind::kSetupError)
      return std::unexpected(SetupError(end_->stage, end_->code, end_->detail));
    if (started_ && (held_ || !wants_hold_)) return {};
    const bool launcher_dead = EndedByPidfd(launcher_pidfd_, Deadline::After({}));
    if (launcher_dead && (end_ || status_closed_ || !init_pidfd_)) return Fail(ErrorKind::kClosed, "the launcher is dead", kAgainHint);
    if (end_ || status_closed_) return Fail(ErrorKind::kClosed, "the jail ended before its program was started", kAgainHint);
    auto news = patience.Wait(status_.get(), "the jail was not made in time", kSlowHint);
    if (news) continue;
    hurry_ = true;
    // It is of no use to anybody any more, and the next who asks it is told so at once.
    if (news.error().kind == ErrorKind::kTimeout && !init_pidfd_ && !own.passed()) (void)SignalByPidfd(launcher_pidfd_, SIGKILL);
    return news;
  }
}

Status Jail::Go() {
  if (write(go_.get(), "g", 1) != 1) return FailErrno("go");
  return {};
}

Status Jail::Signal(int number) {
  const unsigned char byte = static_cast<unsigned char>(number);
  if (!life_ || write(life_.get(), &byte, 1) != 1) return Fail(ErrorKind::kClosed, "the jail is gone");
  return {};
}

// Without a pidfd yet, the closed life line ends what may still be under way; its socket closes then. That is not waited for where
// somebody is in a hurry: the launcher may be busy with the jails of others. Else one that doesn't let go of it is ended.
void Jail::EndUnbuilt() {
  life_.reset();
  go_.reset();
  auto wait_for_end = [&](const Deadline& deadline) {
    while (!status_closed_ && !init_pidfd_ && !deadline.passed()) {
      pollfd wait{status_.get(), POLLIN, 0};
      poll(&wait, 1, deadline.poll_ms());
      Pump();
    }
  };
  wait_for_end(Deadline::After(hurry_ ? std::chrono::nanoseconds(kHurrySpan) : kUnbuiltSpan));
  if (status_closed_ || init_pidfd_) return;
  killed_ = true;
  if (hurry_) return;
  (void)SignalByPidfd(launcher_pidfd_, SIGKILL);
  wait_for_end(Deadline::After(kHurrySpan));
}

JailEnd Jail::Stop() {
  Pump();
  if (!init_pidfd_ && !status_closed_) EndUnbuilt();
  if (init_pidfd_ && !EndedByPidfd(init_pidfd_.get(), Deadline::After({}))) {
    if (!end_) killed_ = true;
    (void)SignalByPidfd(init_pidfd_.get(), SIGKILL);
    EndedByPidfd(init_pidfd_.get(), Deadline::After(kEndSpan));
  }
  life_.reset();
  Pump();
  status_.reset();
  status_closed_ = true;
  if (!end_) {
    JailEnd end;
    const bool launcher_dead = launcher_pidfd_ >= 0 && EndedByPidfd(launcher_pidfd_, Deadline::After({}));
    end.kind = launcher_dead ? EndKind::kLauncherDead : killed_ ? EndKind::kKilled : EndKind::kLost;
    end_ = end;
  }
  return *end_;
}

}  // namespace paddock::sandbox

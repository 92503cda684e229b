#include "sandbox/jail.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/frame_pipe.h"

namespace paddock::sandbox {
namespace {

constexpr char kAgain[] = "run it again; if it happens again, see the kernel log";
constexpr char kSlow[] = "run it again on a quieter machine";
constexpr auto kEndSpan = std::chrono::seconds(10);  // an ending that takes longer is a kernel's fault
// A launcher that somebody stops may be let go on; so long it is waited for, and looked at so often.
constexpr auto kStoppedSpan = std::chrono::seconds(2);
constexpr auto kLookSpan = std::chrono::milliseconds(250);
// A jail that is given up while it is built: until its builder comes to an end by itself.
constexpr auto kUnbuiltSpan = std::chrono::seconds(2);
constexpr auto kHurrySpan = std::chrono::milliseconds(80);

// Descriptors to be sent: control message of at most kMaxDescriptors.
Status SendRequest(int socket, const StartRequest& request, const std::vector<int>& fds, const Deadline& deadline) {
  iovec data{const_cast<StartRequest*>(&request), sizeof request};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxDescriptors)] = {};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = CMSG_SPACE(sizeof(int) * fds.size());
  cmsghdr* rights = CMSG_FIRSTHDR(&header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
  std::memcpy(CMSG_DATA(rights), fds.data(), sizeof(int) * fds.size());
  for (;;) {
    if (sendmsg(socket, &header, MSG_NOSIGNAL) >= 0) return {};
    if (errno == EPIPE || errno == ECONNRESET) return Fail(ErrorKind::kClosed, "the launcher is dead", kAgain);
    if (errno != EAGAIN && errno != EINTR) return FailErrno("request to the launcher");
    pollfd wait{socket, POLLOUT, 0};
    if (poll(&wait, 1, deadline.poll_ms()) == 0 && deadline.passed())
      return Fail(ErrorKind::kTimeout, "the launcher takes no request", kSlow);
  }
}

// Stopped by a signal (waitid(2)); asked so that the answer stays for the next who asks.
bool IsStopped(int pidfd) {
  siginfo_t info{};
  return waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

// Waiting for the launcher's work: until there is news, the deadline, or a wish to stop.
class Patience {
 public:
  Patience(int launcher_pidfd, const Deadline& deadline, int cancel_fd)
      : launcher_(launcher_pidfd), deadline_(deadline), cancel_fd_(cancel_fd) {}

  // Returns when `socket` has something or the launcher has ended. kCancelled, or kTimeout with `late`.
  Status Wait(int socket, const char* late, const char* hint) {
    for (;;) {
      pollfd wait[3] = {{socket, POLLIN, 0}, {launcher_, POLLIN, 0}, {cancel_fd_, POLLIN, 0}};
      const int ready = poll(wait, 3, deadline_.Earlier(Deadline::After(kLookSpan)).poll_ms());
      if (wait[2].revents) return Fail(ErrorKind::kCancelled, "told to stop");
      if (ready > 0) return {};
      if (deadline_.passed()) return Fail(ErrorKind::kTimeout, late, hint);
      if (!IsStopped(launcher_)) stopped_by_.reset();
      else if (!stopped_by_) stopped_by_ = Deadline::After(kStoppedSpan);
      else if (stopped_by_->passed())
        return Fail(ErrorKind::kTimeout, "the launcher is stopped (SIGSTOP): it was given 2 s to go on",
                    "see who stopped paddock-jail, a debugger or a job control script, and run it again");
    }
  }

 private:
  int launcher_;
  Deadline deadline_;
  int cancel_fd_;
  std::optional<Deadline> stopped_by_;
};

// kForeign: not of our layout, so not from our launcher.
enum class Got { kMessage, kNothing, kClosed, kForeign };

Got ReceiveMessage(int socket, StatusMessage* message, UniqueFd* passed) {
  iovec data{message, sizeof *message};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t n = 0;
  do {
    n = recvmsg(socket, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  } while (n < 0 && errno == EINTR);
  if (n < 0 && errno == EAGAIN) return Got::kNothing;
  if (n <= 0) return Got::kClosed;
  for (cmsghdr* item = CMSG_FIRSTHDR(&header); item; item = CMSG_NXTHDR(&header, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
    int fd;
    std::memcpy(&fd, CMSG_DATA(item), sizeof fd);
    passed->reset(fd);
  }
  message->detail[sizeof message->detail - 1] = '\0';
  if (n != sizeof *message || message->magic != StatusMessage::kMagic || message->stage >= Stage::kCount) return Got::kForeign;
  return Got::kMessage;
}

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

Result<UniqueFd> SealedMemfd(const char* name, std::string_view bytes) {
  UniqueFd fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) return FailErrno("memfd_create");
  const ssize_t written = write(fd.get(), bytes.data(), bytes.size());
  // Less than all: the limit of file sizes counts for memory files too (setrlimit(2), RLIMIT_FSIZE).
  if (written != static_cast<ssize_t>(bytes.size())) return FailErrno("write to a memfd", written < 0 ? errno : EFBIG);
  if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0) return FailErrno("seal a memfd");
  return fd;
}

Result<std::unique_ptr<Launcher>> Launcher::Start(const std::string& program, Serves serves) {
  auto launcher = std::make_unique<Launcher>();
  launcher->program_ = program;
  launcher->launcher_ = TRY(SpawnLauncher(program, serves == Serves::kOwnRoots ? kOwnRootsOnly : nullptr));
  return launcher;
}

std::unexpected<Error> Launcher::Foreign(const std::string& what) const {
  return Fail(ErrorKind::kProtocol, program_ + " " + what, "paddock and paddock-jail belong together: install or build both again, side by side");
}

std::unexpected<Error> Launcher::DeadBeforeReady() {
  std::string how;
  if (auto ended = launcher_.process.Wait(Deadline::After(kHurrySpan)); ended && *ended) {
    const char* name = WIFSIGNALED(**ended) ? sigabbrev_np(WTERMSIG(**ended)) : nullptr;
    how = WIFSIGNALED(**ended) ? ", killed by SIG" + std::string(name ? name : "?") : ", exit status " + std::to_string(WEXITSTATUS(**ended));
  }
  return Fail(ErrorKind::kClosed, "the launcher is dead" + how + ", and did not say why: " + program_,
              "if it is not the paddock-jail of this paddock, install or build both again; else see the kernel log");
}

Status Launcher::WaitReady(const Deadline& deadline, int cancel_fd) {
  Patience patience(launcher_.process.pidfd(), deadline, cancel_fd);
  while (!ready_) {
    StatusMessage message;
    UniqueFd passed;
    // Asked first: what it said before its end is still to be read then.
    const bool ended = EndedByPidfd(launcher_.process.pidfd(), Deadline::After({}));
    switch (ReceiveMessage(launcher_.socket.get(), &message, &passed)) {
      case Got::kMessage:
        if (message.kind == MessageKind::kLauncherReady) ready_ = true;
        if (message.kind == MessageKind::kSetupError)
          return std::unexpected(SetupError(message.stage, message.error, message.detail));
        break;
      case Got::kForeign:
        return Foreign("speaks another language than this paddock: it is of another version, or another program");
      case Got::kClosed:
        return DeadBeforeReady();
      case Got::kNothing: {
        if (ended) return DeadBeforeReady();  // a child of it may still hold the socket
        auto news = patience.Wait(launcher_.socket.get(), "the launcher did not say in time that it is ready",
                                  "see that the paddock-jail beside paddock is its own (install or build both again); if it is, run it again on a quieter machine");
        if (!news) return news;
      }
    }
  }
  return {};
}

Result<Jail> Launcher::StartJail(const Plan& plan, std::vector<UniqueFd> passed, const Deadline& deadline, int cancel_fd,
                                 std::vector<UniqueFd> groups) {
  if (passed.size() != plan.descriptors.size() + !plan.copier.empty() || passed.size() + groups.size() + kFixedDescriptors > kMaxDescriptors)
    return Fail(ErrorKind::kInternal, "descriptors passed do not fit the plan");
  TRY(WaitReady(deadline, cancel_fd));
  Jail jail;
  UniqueFd plan_fd = TRY(SealedMemfd("paddock-plan", EncodePlan(plan)));
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0) return FailErrno("socketpair");
  jail.status_.reset(ends[0]);
  UniqueFd status_theirs(ends[1]);
  Pipe life = TRY(MakePipe());
  Pipe go = TRY(MakePipe());
  jail.life_ = std::move(life.write);
  jail.go_ = std::move(go.write);
  jail.wants_hold_ = plan.hold;
  jail.launcher_pidfd_ = launcher_.process.pidfd();
  std::vector<int> fds{plan_fd.get(), status_theirs.get(), life.read.get(), go.read.get()};
  for (const UniqueFd& fd : groups) fds.push_back(fd.get());
  for (const UniqueFd& fd : passed) fds.push_back(fd.get());
  StartRequest request;
  request.outer_uid = plan.outer_uid;
  request.outer_gid = plan.outer_gid;
  request.groups = static_cast<uint32_t>(groups.size());
  for (const MountOp& op : plan.mounts) request.id_mapped |= op.id_mapped;
  TRY(SendRequest(launcher_.socket.get(), request, fds, deadline));
  return jail;
}

Jail::Jail(Jail&& other) noexcept
    : status_(std::move(other.status_)), life_(std::move(other.life_)), go_(std::move(other.go_)),
      init_pidfd_(std::move(other.init_pidfd_)), payload_pidfd_(std::move(other.payload_pidfd_)), terminal_(std::move(other.terminal_)),
      launcher_pidfd_(other.launcher_pidfd_), payload_pid_(other.payload_pid_), started_(other.started_), held_(other.held_),
      wants_hold_(other.wants_hold_), status_closed_(other.status_closed_), killed_(other.killed_), hurry_(other.hurry_), end_(std::move(other.end_)),
      violations_(std::move(other.violations_)), violation_count_(other.violation_count_), witness_count_(other.witness_count_), stopped_by_(other.stopped_by_),
      landlock_witness_(other.landlock_witness_), seccomp_witness_(other.seccomp_witness_), at_ns_(other.at_ns_) {}

Jail::~Jail() {
  if (status_) Stop();
}

void Jail::Handle(const StatusMessage& message, UniqueFd passed) {
  for (size_t i = 0; i < at_ns_.size(); ++i)
    if (message.at_ns[i]) at_ns_[i] = message.at_ns[i];
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
      witness_count_ = violation_count_;
      violations_.clear();
      break;
    case MessageKind::kTerminal:
      terminal_ = std::move(passed);
      break;
    case MessageKind::kViolation:
      violation_count_ = std::max(violation_count_, message.violations);
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
      violation_count_ = std::max(violation_count_, message.violations);
      if (!end_) {
        const bool signaled = WIFSIGNALED(message.wait_status);
        end_ = JailEnd{signaled ? EndKind::kSignaled : EndKind::kExited,
                       signaled ? WTERMSIG(message.wait_status) : WEXITSTATUS(message.wait_status),
                       Stage::kExec, {}, message.cpu_us, message.peak_rss_kb};
      }
      break;
    case MessageKind::kDeadline:
      if (!end_) end_ = JailEnd{EndKind::kDeadline, 0, Stage::kExec, {}, {}, {}};
      break;
    case MessageKind::kLauncherReady:
      break;
  }
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

Status Jail::WaitStarted(const Deadline& deadline, int cancel_fd) {
  Patience patience(launcher_pidfd_, deadline, cancel_fd);
  for (;;) {
    Pump();
    if (end_ && end_->kind == EndKind::kSetupError)
      return std::unexpected(SetupError(end_->stage, end_->code, end_->detail));
    if (started_ && (held_ || !wants_hold_)) return {};
    const bool launcher_dead = EndedByPidfd(launcher_pidfd_, Deadline::After({}));
    if (launcher_dead && (end_ || status_closed_ || !init_pidfd_)) return Fail(ErrorKind::kClosed, "the launcher is dead", kAgain);
    if (end_ || status_closed_) return Fail(ErrorKind::kClosed, "the jail ended before its program was started", kAgain);
    auto news = patience.Wait(status_.get(), "the jail was not made in time", kSlow);
    if (news) continue;
    hurry_ = true;
    // It is of no use to anybody any more, and the next who asks it is told so at once.
    if (news.error().kind == ErrorKind::kTimeout && !init_pidfd_) (void)SignalByPidfd(launcher_pidfd_, SIGKILL);
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

// Without a pidfd yet, the closed life line ends what may still be under way; its socket closes then. A launcher
// that doesn't let go of it is ended: there is no other way to be sure.
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

// The launcher's half of jail.h: it is started, and asked for jails.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/frame_pipe.h"
#include "base/passed_fds.h"
#include "sandbox/jail.h"
#include "sandbox/status_socket.h"

namespace paddock::sandbox {
namespace {

constexpr auto kLastWordSpan = std::chrono::milliseconds(80);  // for a launcher that has ended to be waited for

Status SendRequest(int socket, const StartRequest& request, const std::vector<int>& fds, const Deadline& deadline) {
  for (;;) {
    if (SendWithFds(socket, &request, sizeof request, fds) >= 0) return {};
    if (errno == EPIPE || errno == ECONNRESET) return Fail(ErrorKind::kClosed, "the launcher is dead", kAgainHint);
    if (errno != EAGAIN) return FailErrno("request to the launcher");
    pollfd wait{socket, POLLOUT, 0};
    if (poll(&wait, 1, deadline.poll_ms()) == 0 && deadline.passed()) return Fail(ErrorKind::kTimeout, "the launcher takes no request", kSlowHint);
  }
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
  if (auto ended = launcher_.process.Wait(Deadline::After(kLastWordSpan)); ended && *ended) {
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
  if (passed.size() != plan.descriptors.size() + !plan.copier.empty() || passed.size() + groups.size() + kFixedDescriptors > kMostPassedFds)
    return Fail(ErrorKind::kInternal, "descriptors passed do not fit the plan");
  TRY(WaitReady(deadline, cancel_fd));
  Jail jail;
  UniqueFd plan_fd = TRY(SealedMemfd("paddock-plan", EncodePlan(plan)));
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0) return FailErrno("socketpair");
  jail.status_.reset(ends[0]);
  UniqueFd status_theirs(ends[1]);
  // Room for more than a hundred reports of denied calls, which come while nobody reads (socket(7): what is given is doubled, for the kernel's own).
  constexpr int kRoom = 256 << 10;
  (void)setsockopt(status_theirs.get(), SOL_SOCKET, SO_SNDBUF, &kRoom, sizeof kRoom);
  Pipe life = TRY(MakePipe());
  Pipe go = TRY(MakePipe());
  jail.life_ = std::move(life.write);
  jail.go_ = std::move(go.write);
  jail.wants_hold_ = plan.hold;
  jail.reports_ = plan.notify;
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

}  // namespace paddock::sandbox

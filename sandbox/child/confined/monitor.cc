#include "sandbox/child/confined/monitor.h"

#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/passed_fds.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {
namespace {

constexpr uint64_t kPage = 4096;

// What the program's pointer leads to, as far as it can be read; page by page, since a transfer may end at a page.
size_t ReadMemory(int process, uint64_t address, char* out, size_t size) {
  const size_t first = std::min<uint64_t>(size, kPage - address % kPage);
  iovec local{out, size};
  const iovec remote[2] = {{reinterpret_cast<void*>(address), first}, {reinterpret_cast<void*>(address + first), size - first}};
  const ssize_t n = process_vm_readv(process, &local, 1, remote, size > first ? 2 : 1, 0);
  return n < 0 ? 0 : static_cast<size_t>(n);
}

void Peek(const Plan& plan, const seccomp_notif& call, StatusMessage* message) {
  for (const PeekRule& peek : plan.peeks) {
    if (peek.call != static_cast<uint32_t>(call.data.nr) || peek.argument > 5) continue;
    constexpr size_t kAddressSize = 128;  // sockaddr_storage
    size_t size = sizeof message->detail - 1;
    // Its length stands in the next argument (bind(2), connect(2)), and in sendto(2) too.
    if (peek.address) size = std::min<uint64_t>(kAddressSize, peek.argument < 5 ? call.data.args[peek.argument + 1] : 0);
    size = ReadMemory(static_cast<int>(call.pid), call.data.args[peek.argument], message->detail, size);
    message->detail_size = static_cast<uint32_t>(peek.address ? size : strnlen(message->detail, size));
    return;
  }
}

void NameProcess(int names, uint32_t process, char (&out)[16]) {
  char path[32];
  snprintf(path, sizeof path, "%u/comm", process);
  UniqueFd file(openat(names, path, O_RDONLY | O_CLOEXEC));
  const ssize_t n = file ? read(file.get(), out, sizeof out - 1) : -1;
  if (n > 0 && out[n - 1] == '\n') out[n - 1] = '\0';
}

// The parent of a cell reads no reports before its end. Half of the socket stays free for what must arrive: how it ended.
bool RoomForReport() {
  int queued = 0, size = 0;
  socklen_t length = sizeof size;
  return ioctl(StatusSocket(), SIOCOUTQ, &queued) == 0 && getsockopt(StatusSocket(), SOL_SOCKET, SO_SNDBUF, &size, &length) == 0 && queued < size / 2;
}

}  // namespace

void Monitor::TakeListener() {
  char byte;
  std::vector<UniqueFd> fds;
  if (ReceiveWithFds(arrival_.get(), &byte, 1, &fds, MSG_DONTWAIT) < 0 && errno == EAGAIN) return;
  if (!fds.empty()) listener_ = std::move(fds[0]);
  arrival_.reset();
}

bool Monitor::Handle(short events) {
  if (!listener_) {
    if (events) TakeListener();
    return true;
  }
  if (!(events & POLLIN)) {
    if (events) listener_.reset();  // nobody is under the filter any more
    return true;
  }
  seccomp_notif call{};
  if (ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, &call) < 0) return true;  // it was killed meanwhile
  StatusMessage message;
  message.kind = MessageKind::kViolation;
  message.error = plan_.notify_errno;
  message.violations = ++count_;
  message.call = static_cast<uint32_t>(call.data.nr);
  std::copy(std::begin(call.data.args), std::end(call.data.args), message.arguments);
  message.process = static_cast<int32_t>(call.pid);
  if (RoomForReport()) {
    if (names_) NameProcess(names_.get(), call.pid, message.process_name);
    Peek(plan_, call, &message);
    Send(message);
  }
  seccomp_notif_resp answer{};
  answer.id = call.id;
  answer.error = -plan_.notify_errno;
  (void)ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, &answer);
  return count_ <= plan_.notify_limit;
}

}  // namespace paddock::sandbox::child

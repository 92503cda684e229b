#include "subagents/cell/second_stage.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxInstructions = 4096;  // BPF_MAXINSNS

Status Install(const sock_fprog& program) {
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0) return {};
  int err = errno;
  // A first filter may allow only one of the two doors.
  if ((err == EPERM || err == ENOSYS) && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0) return {};
  return FailErrno("install the second filter", err);
}

}  // namespace

Status InstallSecondFilter(int fd) {
  UniqueFd file(fd);
  struct stat info;
  if (::fstat(fd, &info) < 0) return FailErrno("the descriptor of the second filter");
  // The size of a pipe or a device is 0 or means nothing: only a regular file (a memfd is one) is a program.
  const auto bytes = static_cast<size_t>(info.st_size);
  if (!S_ISREG(info.st_mode) || bytes == 0 || bytes % sizeof(sock_filter) != 0 || bytes > kMaxInstructions * sizeof(sock_filter))
    return Fail(ErrorKind::kInvalid, "the second filter is no BPF program of 1 to 4096 instructions");
  sock_filter instructions[kMaxInstructions];  // 32 KiB of stack: the heap is not needed yet
  for (size_t have = 0; have < bytes;) {
    ssize_t n = ::pread(fd, reinterpret_cast<char*>(instructions) + have, bytes - have, static_cast<off_t>(have));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FailErrno("read the second filter");
    if (n == 0) return Fail(ErrorKind::kInvalid, "the second filter ends early");
    have += static_cast<size_t>(n);
  }
  // Before the filter, which need not allow more than the cell's own work.
  file.reset();
  sock_fprog program{static_cast<unsigned short>(bytes / sizeof(sock_filter)), instructions};
  return Install(program);
}

}  // namespace paddock::subagents

#include "sandbox/child/filter.h"

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cerrno>

#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {

void InstallFilter(const Plan& plan) {
  sock_fprog program{};
  program.len = static_cast<unsigned short>(plan.filter.size() / sizeof(sock_filter));
  program.filter = reinterpret_cast<sock_filter*>(const_cast<char*>(plan.filter.data()));
  if (plan.filter.size() % sizeof(sock_filter) != 0 || plan.filter.size() / sizeof(sock_filter) > BPF_MAXINSNS)
    Die(Stage::kFilter, EINVAL, "size of the filter");
  // Its time is noted before: the filter may not allow a clock.
  StageDone(Stage::kFilter);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0) Die(Stage::kFilter, errno, "first filter");
}

}  // namespace paddock::sandbox::child

#include "sandbox/child/confined/descriptors.h"

#include <linux/close_range.h>

#include <cerrno>

#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {

void PlaceDescriptors(const Plan& plan, const std::vector<UniqueFd>& passed) {
  // Everything below is the launcher's and goes now; what is passed, and the status and go channels, are
  // from here on up and close at exec. Then those with a number are made, which dup2 leaves open
  // (close_range(2), dup(2)).
  if (syscall(SYS_close_range, 0u, static_cast<unsigned>(kHighDescriptor - 1), 0u) < 0 ||
      syscall(SYS_close_range, static_cast<unsigned>(kHighDescriptor), ~0u, CLOSE_RANGE_CLOEXEC) < 0)
    Die(Stage::kDescriptors, errno, "close_range");
  for (size_t i = 0; i < plan.descriptors.size(); ++i)  // a copier has one more
    if (dup2(passed[i].get(), plan.descriptors[i]) < 0) Die(Stage::kDescriptors, errno, "dup2");
  StageDone(Stage::kDescriptors);
}

}  // namespace paddock::sandbox::child

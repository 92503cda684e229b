#include "sandbox/child/limits.h"

#include <sys/resource.h>

#include <cerrno>
#include <string>

#include "sandbox/child/report.h"

namespace paddock::sandbox::child {

void SetLimits(const Plan& plan) {
  for (const ResourceLimit& limit : plan.limits) {
    const rlimit both{limit.value, limit.value};
    if (setrlimit(static_cast<__rlimit_resource>(limit.resource), &both) < 0)
      Die(Stage::kLimits, errno, "resource limit " + std::to_string(limit.resource));
  }
  StageDone(Stage::kLimits);
}

}  // namespace paddock::sandbox::child

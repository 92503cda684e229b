#include "sandbox/child/confined/limits.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "sandbox/child/report.h"

namespace paddock::sandbox::child {

void SetLimits(const Plan& plan) {
  for (const ResourceLimit& limit : plan.limits) {
    const auto resource = static_cast<__rlimit_resource>(limit.resource);
    const std::string name = "resource limit " + std::to_string(limit.resource);
    rlimit inherited;
    if (getrlimit(resource, &inherited) < 0) Die(Stage::kLimits, errno, name);
    // A caller's own lower limit stays: raising a hard limit is not ours to do.
    const rlim_t value = std::min<rlim_t>(limit.value, inherited.rlim_max);
    const rlimit both{value, value};
    if (setrlimit(resource, &both) < 0) Die(Stage::kLimits, errno, name);
  }
  StageDone(Stage::kLimits);
}

}  // namespace paddock::sandbox::child

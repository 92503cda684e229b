// The survey: every step tried, each for itself, and what rests on which.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sandbox/limits/view.h"
#include "sandbox/machine/facts.h"
#include "sandbox/machine/steps.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::machine {

// What is asked, and where.
struct Asked {
  std::string repository, programs;       // folders, for the file systems at hand
  uint32_t jail_uid = 0, jail_gid = 0;    // what a jail would be on the host
  std::optional<limits::CgroupView> cgroups;  // nullopt: what this process sees
};

// In the order of StepId. Takes some tens of milliseconds; a step that hangs costs two seconds. Leaves no
// process, mount, cgroup or file behind. The caller has one thread.
std::vector<Finding> Survey(const Asked& asked);
// One step of it.
Finding TryStep(StepId step, const Asked& asked, const Facts& facts);

// The steps without which this plan can't be carried out: read from the plan, and from what the launcher does
// for every plan.
std::vector<StepId> StepsOf(const Plan& plan, uint32_t caller_uid);

}  // namespace paddock::sandbox::machine

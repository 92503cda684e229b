// The proof of a profile: a jail is built for it as for any cell, its receipt is read and compared, and it is ended
// again before anybody speaks to what is in it.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/report/doctor_report.h"
#include "sandbox/profile.h"
#include "sandbox/workspace.h"

namespace paddock::orchestrator {

// `steps` is what the survey of the machine found; `programs` the folder of paddock-jail and paddock-cell. Takes
// at most ten seconds, ordinarily some milliseconds.
ProfileVerdict ProveProfile(const sandbox::Profile& profile, const sandbox::Workspace& workspace, const std::string& programs,
                            uint32_t root_jail_uid, const std::vector<sandbox::machine::Finding>& steps);

}  // namespace paddock::orchestrator

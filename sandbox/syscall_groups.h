// The shipped groups of system calls (profiles/syscall-groups.json), as rules.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/filter_rules.h"

namespace paddock::sandbox {

// The rules of a list of group names (@x) and call names. kInvalid for an unknown group, kNotFound for an unknown
// call; the hint has the nearest name.
Result<CallRules> ResolveCalls(const std::vector<std::string>& names);

}  // namespace paddock::sandbox

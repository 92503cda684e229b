// The shipped groups of system calls (profiles/syscall-groups.json), as rules.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/filter_rules.h"

namespace paddock::sandbox {

// The rules of a list of group names (@x) and call names, as a profile has it. kInvalid for an unknown group and for
// what no profile can grant (sandbox/never_granted.h), kNotFound for an unknown call; the hint has the nearest name.
Result<CallRules> ResolveCalls(const std::vector<std::string>& names);

// What the first filter of a cell allows beyond its profile: @start, which no profile can name.
Result<CallRules> StartCalls();

// Names of the groups that a profile can name, sorted.
std::vector<std::string> CallGroupNames();

// What would allow a call.
struct Grants {
  std::string never;                // why no profile can; empty when one can
  std::vector<std::string> groups;  // the groups that list the call themselves with such arguments, smallest first
  bool by_name = false;             // the bare name can be granted as well
};
Grants WhichAllows(uint32_t number, const uint64_t (&arguments)[6]);

}  // namespace paddock::sandbox

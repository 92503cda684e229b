// What no profile can grant, whatever it says: calls that lead out of a jail, or that a network namespace, a mount
// namespace or the absence of capabilities do not confine. Fixed here, so that a mistake in a group or in a profile of
// somebody's own is found when it is read.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sandbox/filter_rules.h"

namespace paddock::sandbox {

// argument & mask is one of the values, or none of them.
struct NeverCondition {
  ArgumentRule rule;
  bool none_of = false;
};

// The call is never allowed while all conditions hold; with no conditions never at all.
struct NeverRule {
  std::string_view call;
  std::string_view reason;      // reads on after "no profile can grant CALL: "
  std::string_view what;        // the arguments that are meant, for people; empty: all
  std::vector<NeverCondition> when;  // at most one condition an argument
};
// May hold calls that this build does not know by name; those can't be granted by name either.
const std::vector<NeverRule>& NeverGranted();

// kInvalid when the rules allow such a call for any arguments: says which call and why.
Status CheckGrantable(const CallRules& rules);

// Why the call with these arguments is never granted; nullptr when a profile can grant it.
const NeverRule* WhyNever(uint32_t number, const uint64_t (&arguments)[6]);

}  // namespace paddock::sandbox

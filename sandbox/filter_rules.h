// What a seccomp filter allows, as data: per system call either always, or when its arguments fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace paddock::sandbox {

// argument & mask must be one of `values`. All 64 bits count.
struct ArgumentRule {
  int argument = 0;  // 0..5
  uint64_t mask = ~uint64_t{0};
  std::vector<uint64_t> values;
};

struct CallRule {
  uint32_t number = 0;
  std::string name;
  std::vector<ArgumentRule> arguments;  // all must hold; empty: always allowed
};

// Sorted by number, one rule a call.
using CallRules = std::vector<CallRule>;

// Both: what either allows. A call with argument rules in both must have equal ones (kInvalid otherwise).
Result<CallRules> Union(const CallRules& a, const CallRules& b);

bool SameArguments(const CallRule& a, const CallRule& b);

// What a program gets that makes a call which is not allowed.
struct Denial {
  int known = 1;     // errno for a call of this kernel generation: EPERM
  int unknown = 38;  // errno for a number that is not known, and for clone3: ENOSYS, so that libc falls back
};

// The decision of the rules for one call; 0 is allow, else the errno. This is the plain reading that the
// compiled filter is tested against.
int Decide(const CallRules& rules, const Denial& denial, uint32_t number, const uint64_t (&arguments)[6]);

}  // namespace paddock::sandbox

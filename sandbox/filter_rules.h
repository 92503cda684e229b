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

// How a filter says no to a known call. Where two filters disagree the kernel takes ERRNO before USER_NOTIF
// before TRACE (seccomp(2)), so a denial can only be reported by the first filter's listener if the second
// one does not answer it with ERRNO: it then denies with TRACE, which nobody traces and which is ENOSYS alone.
enum class Answer { kErrno, kNotify, kTrace };

// What a program gets that makes a call which is not allowed.
struct Denial {
  int known = 1;     // errno for a call of this kernel generation: EPERM
  int unknown = 38;  // errno for a number that is not known, and for clone3: ENOSYS, so that libc falls back
  Answer answer = Answer::kErrno;  // to a known call; kNotify and kTrace are for jails that report violations
};

// The decision of the rules for one call; 0 is allow, else the errno. This is the plain reading that the
// compiled filter is tested against.
int Decide(const CallRules& rules, const Denial& denial, uint32_t number, const uint64_t (&arguments)[6]);

}  // namespace paddock::sandbox

// What a seccomp filter allows, as data: per system call either always, or when its arguments fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::sandbox {

constexpr size_t kMostValues = 64;  // of one argument rule

// argument & mask must be one of `values`. All 64 bits count; where the kernel reads an int, the mask is 0xffffffff,
// as a comparison of all 64 bits is passed by setting a bit that the kernel does not look at.
struct ArgumentRule {
  int argument = 0;  // 0..5
  uint64_t mask = ~uint64_t{0};
  std::vector<uint64_t> values;
  friend bool operator==(const ArgumentRule&, const ArgumentRule&) = default;
};

// All of them hold.
using Conditions = std::vector<ArgumentRule>;

struct CallRule {
  uint32_t number = 0;
  std::string name;
  std::vector<Conditions> alternatives;  // one of them fits; none: always allowed
};

// Sorted by number, one rule a call.
using CallRules = std::vector<CallRule>;

// What any of the rules allows, which may be several for a call; without what says nothing new.
CallRules Together(std::vector<CallRule> rules);

// What either allows.
CallRules Union(CallRules a, const CallRules& b);

// Everything that `a` fits fits `b`, as far as can be seen rule by rule: a true answer is certain, a false one is not.
bool Within(const Conditions& a, const Conditions& b);

// nullptr when there is no rule for the call.
const CallRule* FindRule(const CallRules& rules, uint32_t number);

// How a filter says no to a known call. Where two filters disagree the kernel takes ERRNO before USER_NOTIF
// before TRACE (seccomp(2)), so a denial can only be reported by the first filter's listener if the second
// one does not answer it with ERRNO: it then denies with TRACE, which nobody traces and which is ENOSYS alone.
enum class Answer { kErrno, kNotify, kTrace };

// What a program gets that makes a call which is not allowed.
struct Denial {
  int known = 1;     // errno for a call of this kernel generation: EPERM
  int unknown = 38;  // errno for a number that is not known, and for clone3 and openat2: ENOSYS, so that libc falls back
  Answer answer = Answer::kErrno;  // to a known call; kNotify and kTrace are for jails that report violations
};

// Do the arguments fit what the rule allows?
bool Fits(const CallRule& rule, const uint64_t (&arguments)[6]);

// The decision of the rules for one call; 0 is allow, else the errno. This is the plain reading that the
// compiled filter is tested against.
int Decide(const CallRules& rules, const Denial& denial, uint32_t number, const uint64_t (&arguments)[6]);

}  // namespace paddock::sandbox

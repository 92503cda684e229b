// Seccomp programs from rules.
//
// The program is a binary search over merged ranges of equal decision: loading a filter costs time for each
// instruction, and libseccomp's own output has one comparison a call. Equality with the plain rules is
// proven in tests for every number and for edge values of arguments, by an evaluator that needs no kernel.
// A call for another architecture kills the process; x32 numbers are unknown calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sandbox/filter_rules.h"

namespace paddock::sandbox {

// The number of a call on this architecture, kNotFound for a name that is not known; the hint has
// the nearest.
Result<uint32_t> SystemCallNumber(std::string_view name);
std::optional<uint32_t> FindSystemCall(std::string_view name);
// The name, or "syscall N".
std::string SystemCallName(uint32_t number);
// Calls that exist as far as this build knows, and that are to be answered EPERM rather than ENOSYS. clone3 and openat2
// are not among them: their flags lie in memory, where a filter can't read them, and ENOSYS makes programs fall back to
// clone and openat, whose flags it can.
bool IsKnownSystemCall(uint32_t number);

// struct sock_filter[] as bytes. kLimit when it would have more than 4,096 instructions.
Result<std::string> CompileFilter(const CallRules& rules, const Denial& denial);

}  // namespace paddock::sandbox

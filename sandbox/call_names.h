// Names of the constants that stand in arguments of system calls: the ones that a person meets in a denial.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace paddock::sandbox {

struct NamedValue {
  uint64_t value;
  std::string_view name;
};

std::span<const NamedValue> SocketFamilies();
std::span<const NamedValue> SocketTypes();
std::span<const NamedValue> SocketFlags();   // or-ed to a type
std::span<const NamedValue> OpenFlags();     // O_SYNC and O_TMPFILE before the bits that they contain; no access modes
std::span<const NamedValue> CloneFlags();
std::span<const NamedValue> IoctlRequests();
std::span<const NamedValue> PrctlOptions();
std::span<const NamedValue> PtraceRequests();
std::span<const NamedValue> FcntlCommands();
std::span<const NamedValue> ProtectionBits();
std::span<const NamedValue> SeccompOperations();
std::span<const NamedValue> FileTypes();     // S_IFMT

}  // namespace paddock::sandbox

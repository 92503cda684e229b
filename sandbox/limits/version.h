// What the two versions of control groups do in different words (cgroups(7); Documentation/admin-guide of the kernel,
// cgroup-v2.rst and cgroup-v1/).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/deadline.h"

namespace paddock::sandbox::limits {

struct Version {
  const char* name;  // "cgroup v2"
  // Memory of all processes of `group` together, swap included. errno, or 0.
  int (*bind_memory)(const std::string& group, uint64_t bytes);
  // nullopt: this kernel or this group doesn't count that.
  std::optional<uint64_t> (*cpu_us)(const std::string& group);
  std::optional<uint64_t> (*peak_memory)(const std::string& group);
  std::optional<uint64_t> (*oom_kills)(const std::string& group);  // processes killed for memory
  // Waits until the group may be empty, at most until the deadline.
  void (*await_empty)(const std::string& group, const Deadline& deadline);
};

extern const Version kVersion1, kVersion2;

// The same in both: tasks (threads count) at one time. errno, or 0.
int BindProcesses(const std::string& group, uint64_t processes);

}  // namespace paddock::sandbox::limits

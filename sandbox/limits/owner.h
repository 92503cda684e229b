// Who made a group: its name says it, and so the next run can tell a group that was left from one in use.
//
// paddock-PID-START-N, START being when that process began in clock ticks (proc_pid_stat(5)), since pids come again. A process
// of another pid namespace may share the tree, and its pid means nothing here: so an owner also holds a lock (flock(2)) on
// its group, which the kernel drops with it. A group was left only if both say so.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/unique_fd.h"

namespace paddock::sandbox::limits {

struct Owner {
  pid_t pid = 0;
  uint64_t started = 0;  // clock ticks since the machine's start; 0: unknown
};

Owner ThisProcess();
std::string GroupName(const Owner& owner, uint64_t number);
// The group that the process itself steps into, where it must make room for others (v2.cc).
std::string MainGroupName(const Owner& owner);
// nullopt: not a name that paddock gives.
std::optional<Owner> OwnerIn(const std::string& name);

// No such process, one that began at another time, or one that ended and is not reaped. False in doubt.
bool IsGone(const Owner& owner);
// Is it `ancestor`, or does it descend from it?
bool DescendsFrom(pid_t pid, pid_t ancestor);

// Empty when another holds it.
UniqueFd LockGroup(const std::string& folder);

}  // namespace paddock::sandbox::limits

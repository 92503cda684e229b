// Version 1: a hierarchy for each controller, or for some together; limits are set in the group itself.
#include <poll.h>

#include <algorithm>

#include "sandbox/limits/files.h"
#include "sandbox/limits/place.h"
#include "sandbox/limits/version.h"

namespace paddock::sandbox::limits {
namespace {

int BindMemory(const std::string& group, uint64_t bytes) {
  if (const int err = WriteValue(group + "/memory.limit_in_bytes", std::to_string(bytes))) return err;
  // Memory and swap together; it can't be set below the other. Kernels that don't count swap have no such file: then nothing
  // of the group may be swapped out.
  if (WriteValue(group + "/memory.memsw.limit_in_bytes", std::to_string(bytes)) != 0) WriteValue(group + "/memory.swappiness", "0");
  return 0;
}

std::optional<uint64_t> CpuMicroseconds(const std::string& group) {
  auto nanoseconds = NumberIn(group + "/cpuacct.usage");
  if (nanoseconds) *nanoseconds /= 1000;
  return nanoseconds;
}

std::optional<uint64_t> PeakMemory(const std::string& group) { return NumberIn(group + "/memory.max_usage_in_bytes"); }
std::optional<uint64_t> OomKills(const std::string& group) { return NumberIn(group + "/memory.oom_control", "oom_kill"); }

// Nothing tells when a group becomes empty but a program that the kernel starts as root.
void AwaitEmpty(const std::string&, const Deadline& deadline) { poll(nullptr, 0, std::min(2, deadline.poll_ms())); }

}  // namespace

const Version kVersion1 = {"cgroup v1", BindMemory, CpuMicroseconds, PeakMemory, OomKills, AwaitEmpty};

int BindProcesses(const std::string& group, uint64_t processes) { return WriteValue(group + "/pids.max", std::to_string(processes)); }

std::vector<Place> FindInVersion1(const std::vector<Hierarchy>& hierarchies) {
  std::vector<Place> places;
  for (const Hierarchy& one : hierarchies) {
    // A new group of cpuset takes no process before it was given processors.
    if (one.version != 1 || one.read_only || one.Has("cpuset") || !CanHold(one.own)) continue;
    places.push_back({&kVersion1, one.own, one.Has("memory"), one.Has("pids"), one.Has("cpuacct")});
  }
  return places;
}

}  // namespace paddock::sandbox::limits

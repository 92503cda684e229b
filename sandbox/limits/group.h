// The parent's side of a jail's limits: a control group around all of its processes, where this machine lets us make one.
//
// Resource limits (setrlimit(2)) hold for each process by itself, so many processes add up; a group holds them together. What
// no group binds is left to the resource limits, and bindings() says which is which.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "sandbox/limits/place.h"

namespace paddock::sandbox::limits {

// nullopt: not limited by this group.
struct LimitWanted {
  std::optional<uint64_t> memory_bytes;  // of all processes together, with the pages of their tmpfs and the page cache they fill
  std::optional<uint64_t> processes;     // tasks at one time: threads, pid 1 and the launcher's builder count too
  std::optional<uint64_t> cpu_us;        // of all processes together, ended ones too. Not held by the kernel: poll CpuPassed
};

struct Binding {
  std::string limit;  // "memory", "processes", "cpu"
  std::string by;     // "cgroup v2", "cgroup v1", "rlimit, each process", ...

  bool operator==(const Binding&) const = default;
};

struct Usage {
  std::optional<uint64_t> cpu_us, peak_memory_bytes, processes;  // nullopt: nothing here counts it
};

class LimitGroup {
 public:
  LimitGroup() = default;  // of no group: rlimits bind
  // Makes the group in each place, with its limits set and no process in it. Never fails: what could not be bound is in
  // bindings(). Any thread. Some 100 microseconds a place.
  static LimitGroup Make(const LimitWanted& wanted, const Places& places);
  LimitGroup(LimitGroup&&) noexcept = default;
  LimitGroup& operator=(LimitGroup&& other) noexcept;
  ~LimitGroup();  // Remove, by the process that made it

  // One for each limit that was wanted.
  const std::vector<Binding>& bindings() const { return bindings_; }
  // For a process that is to join: it writes "0" to each of them (cgroup.procs, write only, close-on-exec). Empty where
  // rlimits alone bind. The kernel checks the rights of who opened them. Error: no descriptor is left for a copy. Joining moves all threads of the process and all that it starts from then on.
  Result<std::vector<UniqueFd>> JoinDescriptors() const;
  // Is the process in all of them? What a receipt should know. False when there are none.
  bool Holds(pid_t pid) const;

  // Until Remove.
  Usage Read() const;
  uint64_t OomKills() const;                // processes killed because the memory limit was reached
  bool CpuPassed(uint64_t limit_us) const;  // false where nothing counts processor time

  // Waits for the last process to be gone, at most a second. A failure leaves the groups to the next run and is worth a note.
  Status Remove();

 private:
  // The group in one place.
  struct Part {
    Place binds;
    std::string folder;
    UniqueFd lock, procs;
  };
  static std::optional<Part> MakePart(const Place& place, const std::string& name, const LimitWanted& wanted, const CgroupView& view, int* err);
  template <class Reading>
  std::optional<uint64_t> First(bool Place::*what, Reading reading) const;

  std::vector<Part> parts_;
  std::vector<Binding> bindings_;
  std::shared_ptr<const CgroupView> view_;
  pid_t owner_ = 0;
};

}  // namespace paddock::sandbox::limits

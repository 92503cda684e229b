// Control groups for real, around children of a test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "base/child_process.h"
#include "sandbox/limits/group.h"
#include "sandbox/limits/owner.h"

namespace paddock::sandbox::limits {

inline constexpr uint64_t kMemory = 48u << 20;

inline Deadline Soon() { return Deadline::After(std::chrono::seconds(60)); }

// A child that joins first. `act` gives its exit status; 99: it couldn't join.
inline ChildProcess InGroup(const LimitGroup& group, const std::function<int()>& act) {
  const pid_t pid = fork();
  if (pid == 0) {
    const auto join = group.JoinDescriptors();
    if (!join) _exit(99);
    for (const UniqueFd& fd : *join)
      if (write(fd.get(), "0", 1) != 1) _exit(99);
    _exit(act());
  }
  auto child = ChildProcess::Adopt(pid);
  EXPECT_TRUE(child);
  return std::move(*child);
}
inline int StatusOf(ChildProcess child) {
  auto status = child.Wait(Soon());
  EXPECT_TRUE(status && *status);
  return status && *status ? **status : -1;
}

// Children of the places that this process made.
inline size_t GroupsIn(const Places& places, pid_t pid) {
  size_t count = 0;
  for (const Place& place : places.all)
    for (const auto& entry : std::filesystem::directory_iterator(place.folder)) {
      const auto owner = OwnerIn(entry.path().filename());
      count += owner && owner->pid == pid;
    }
  return count;
}

// Finding the places may move this process into a child of its group, once; the next test finds what was made then.
class LimitsOnThisMachine : public testing::Test {
 protected:
  LimitsOnThisMachine() : places_(FindPlaces(CgroupView::OfThisProcess(), Moving::kAllowed)) {}
  bool Has(bool Place::*what) const {
    for (const Place& place : places_.all)
      if (place.*what) return true;
    return false;
  }
  LimitGroup Make(const LimitWanted& wanted) const { return LimitGroup::Make(wanted, places_); }
  // Whether a limit is bound by a group; a limit that is not must say that an rlimit does it.
  static bool Binds(const LimitGroup& group, const std::string& limit) {
    for (const Binding& one : group.bindings())
      if (one.limit == limit) {
        if (one.by == "cgroup v1" || one.by == "cgroup v2") return true;
        EXPECT_THAT(one.by, testing::StartsWith("rlimit, each "));
        return false;
      }
    ADD_FAILURE() << limit;
    return false;
  }
  void TearDown() override { EXPECT_EQ(GroupsIn(places_, getpid()) - Mains(), 0u); }
  size_t Mains() const {
    size_t count = 0;
    for (const Place& place : places_.all) count += std::filesystem::exists(place.folder + "/" + MainGroupName(ThisProcess()));
    return count;
  }

  Places places_;
};

// Touches memory until it is killed, or 160 MiB were had.
inline int Hog() {
  constexpr size_t kSize = 160u << 20;
  char* memory = static_cast<char*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED) return 2;
  for (size_t i = 0; i < kSize; i += 4096) memory[i] = 1;
  return 0;
}

}  // namespace paddock::sandbox::limits

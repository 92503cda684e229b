// Where groups for jails can be made, and what they limit there. Found once; each jail then makes its group in each place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/limits/version.h"
#include "sandbox/limits/view.h"

namespace paddock::sandbox::limits {

struct Place {
  const Version* version = nullptr;
  std::string folder;  // a group of which ours become children
  bool memory = false, processes = false, cpu = false;
  std::optional<uint64_t> processes_at_most = std::nullopt;  // a limit of processes that ours leave behind when they join a group here
};

struct Places {
  CgroupView view;
  std::vector<Place> all;      // one for v2, up to three for v1, none where rlimits alone bind
  bool could_move = false;     // Moving::kNo only: v2 would do more if this process stepped aside in its own group
};

// With v2 a group with processes of its own can't hand controllers on ("No internal processes"). If it was handed down and all of them
// are ours, as in a service with Delegate=yes, they can step aside into a child: that changes this process's group.
enum class Moving { kNo, kAllowed };

// The nearest group of v2 that hands on memory and pids, then v1 for what v2 doesn't have. Nothing above a group with limits of
// its own: processes that joined a group there would be rid of them. Also removes the groups that killed
// runs have left there. Never fails, never changes a group's settings but the own one's. Call it once, before other threads
// and before processes are started that are to join groups. Some hundred microseconds.
Places FindPlaces(CgroupView view, Moving moving);

// v2.cc. All flags false: no group can be made.
Place FindInVersion2(const CgroupView& view, const Hierarchy& hierarchy, Moving moving, bool* could_move);
// v1.cc
std::vector<Place> FindInVersion1(const std::vector<Hierarchy>& hierarchies);
// leftovers.cc. Removes children of `folder` whose owner is gone; kills nothing, so one that isn't empty stays.
void RemoveLeftovers(const CgroupView& view, const std::string& folder);

}  // namespace paddock::sandbox::limits

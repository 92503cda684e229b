// What a process sees of control groups, and where its own group lies in each hierarchy (cgroups(7)).
//
// /proc/PID/cgroup says which group, mountinfo where a hierarchy is mounted and from which group on. Both can mislead: mounts
// are hidden by later ones, containers mount subtrees, a cgroup namespace shows "/../..". So a folder counts as the own
// group only if its cgroup.procs lists the process, which the kernel alone writes.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

namespace paddock::sandbox::limits {

// The outside world of this folder. The tests put a made-up tree in its place.
struct CgroupView {
  std::string own_groups;  // text of /proc/PID/cgroup
  std::string mountinfo;   // text of /proc/PID/mountinfo
  std::string root;        // stands before each path of mountinfo; empty but in tests
  pid_t pid = getpid();    // the process: it, and what descends from it, are "ours"
  // mkdir(2) with 0700 and rmdir(2): errno, or 0.
  std::function<int(const std::string&)> make_folder, remove_folder;
  // Has systemd (251 or later) marked the group as handed down, by the attribute user.delegate (its CGROUP_DELEGATION.md)?
  std::function<bool(const std::string&)> is_delegated;

  // Reads both texts once; what can't be read is empty. Never fails.
  static CgroupView OfThisProcess();
};

struct Hierarchy {
  int version = 2;
  std::vector<std::string> controllers;  // v1: of the hierarchy. v2: that the own group may hand on (cgroup.controllers)
  std::string top;                       // the folder where it is mounted
  std::string own;                       // the process's group: `top` or below
  bool read_only = false;                // mounted so

  bool Has(const std::string& controller) const;
};

// v2, and those of v1 with memory, pids or cpuacct, where the own group can be seen. One each: of several mounts of one, the
// first that isn't read-only.
std::vector<Hierarchy> Hierarchies(const CgroupView& view);

// Do the mode bits, the mounts and the kernel's other rules allow children of this group, and moving processes within it?
// A group with threads of its own can't have children that processes join ("Threads", cgroups(7)).
bool CanHold(const std::string& group);

}  // namespace paddock::sandbox::limits

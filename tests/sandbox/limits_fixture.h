// What the tests of limits share: what binds in a made-up tree, and two trees that are common.
#pragma once

#include <string>
#include <vector>

#include "sandbox/limits/group.h"
#include "tests/sandbox/cgroup_tree.h"

namespace paddock::sandbox::limits {

inline constexpr char kTop[] = "/sys/fs/cgroup";
inline const LimitWanted kAll = {1 << 30, 32, 5'000'000};

inline Places Find(CgroupTree* tree, Moving moving = Moving::kAllowed) { return FindPlaces(tree->view(), moving); }

// "memory=cgroup v2 processes=..."; of the rlimits the first word only.
inline std::string Bound(const LimitGroup& group) {
  std::string text;
  for (const Binding& one : group.bindings())
    text += (text.empty() ? "" : " ") + one.limit + "=" + (one.by.starts_with("rlimit, each ") ? "rlimit" : one.by);
  return text;
}
inline std::string Bound(CgroupTree* tree, Moving moving = Moving::kAllowed) { return Bound(LimitGroup::Make(kAll, Find(tree, moving))); }

inline constexpr char kNothing[] = "memory=rlimit processes=rlimit cpu=rlimit";
inline constexpr char kVersion2Binds[] = "memory=cgroup v2 processes=cgroup v2 cpu=cgroup v2";
inline constexpr char kVersion1Binds[] = "memory=cgroup v1 processes=cgroup v1 cpu=cgroup v1";

// As systemd sets up a user: the own group is a leaf with another's process, the slice above hands on.
inline void MakeDelegated(CgroupTree* tree) {
  tree->MountV2(kTop, "/");
  tree->GroupV2(kTop, "cpu memory pids", "cpu memory pids", "");
  tree->GroupV2(kTop + std::string("/app.slice"), "memory pids", "memory pids", "");
  tree->GroupV2(kTop + std::string("/app.slice/shell.scope"), "memory pids", "", CgroupTree::Self() + "1\n");
  tree->Enter("0::/app.slice/shell.scope");
}

inline void MakeVersion1(CgroupTree* tree, const std::string& options = "rw", const std::vector<std::string>& names = {"memory", "pids", "cpu,cpuacct"}) {
  for (const std::string& name : names) {
    const std::string top = kTop + ("/" + name);
    tree->MountV1(top, "/", name, options);
    tree->GroupV1(top, "");
    tree->GroupV1(top + "/of:this one");
  }
  tree->Enter("9:name=systemd:/x\n4:memory:/of:this one\n3:pids:/of:this one\n2:cpu,cpuacct:/of:this one\n0::/");
}

}  // namespace paddock::sandbox::limits

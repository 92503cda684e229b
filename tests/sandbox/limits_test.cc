// Where groups for jails are made, and what binds, on machines of every kind: made-up trees (cgroup_tree.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "sandbox/limits/owner.h"
#include "tests/sandbox/limits_fixture.h"

namespace paddock::sandbox::limits {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(LimitsTest, Version2IsTheNearestGroupThatHandsOn) {
  CgroupTree tree;
  MakeDelegated(&tree);
  const size_t before = tree.Entries();
  {
    LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
    EXPECT_EQ(Bound(group), kVersion2Binds);
    ASSERT_THAT(tree.Children(kTop + std::string("/app.slice")), SizeIs(1));
    const std::string made = tree.Children(kTop + std::string("/app.slice"))[0];
    EXPECT_EQ(tree.Read(made + "/memory.max"), "1073741824");
    EXPECT_EQ(tree.Read(made + "/memory.swap.max"), "0");
    EXPECT_EQ(tree.Read(made + "/memory.oom.group"), "1");
    EXPECT_EQ(tree.Read(made + "/pids.max"), "32");
    EXPECT_EQ(std::filesystem::status(made).permissions(), std::filesystem::perms(0700));
    const auto join = group.JoinDescriptors();
    ASSERT_TRUE(join);
    ASSERT_THAT(*join, SizeIs(1));
    ASSERT_EQ(write((*join)[0].get(), "0", 1), 1);
    EXPECT_EQ(tree.Read(made + "/cgroup.procs"), "0");
    EXPECT_EQ(group.Read().cpu_us, 1500u);
    EXPECT_EQ(group.Read().peak_memory_bytes, 4096u);
    EXPECT_EQ(group.Read().processes, 3u);
    EXPECT_EQ(group.OomKills(), 1u) << "not oom, not oom_group_kill";
    EXPECT_TRUE(group.CpuPassed(1499));
    EXPECT_FALSE(group.CpuPassed(1500));
  }
  EXPECT_EQ(tree.Entries(), before);
}

// Runs `act` as an ordinary user, whom permissions stop.
void AsNobody(const std::function<void()>& act) {
  const bool root = geteuid() == 0;
  ASSERT_TRUE(!root || seteuid(65534) == 0);
  act();
  ASSERT_TRUE(!root || seteuid(0) == 0);
}

TEST(LimitsTest, Version2OfSomebodyElseBindsNothing) {
  CgroupTree tree;
  MakeDelegated(&tree);
  for (const char* group : {"", "/app.slice", "/app.slice/shell.scope"}) {
    const std::string path = tree.root() + kTop + group;
    chmod(path.c_str(), 0555);
    chmod((path + "/cgroup.procs").c_str(), 0444);
  }
  AsNobody([&] { EXPECT_EQ(Bound(&tree), kNothing); });
  for (const char* group : {"", "/app.slice", "/app.slice/shell.scope"}) chmod((tree.root() + kTop + group).c_str(), 0755);
}

TEST(LimitsTest, Version2WhereOnlyTheFolderIsWritableCanNotBeJoined) {
  CgroupTree tree;
  MakeDelegated(&tree);
  for (const char* group : {"", "/app.slice", "/app.slice/shell.scope"}) {
    chmod((tree.root() + kTop + group).c_str(), 0777);
    chmod((tree.root() + kTop + group + "/cgroup.procs").c_str(), 0444);
  }
  AsNobody([&] { EXPECT_EQ(Bound(&tree), kNothing); });
}


// The own group is all that can be seen, as in a cgroup namespace.
void MakeScope(CgroupTree* tree, const std::string& processes = CgroupTree::Self()) {
  tree->MountV2(kTop, "/");
  tree->GroupV2(kTop, "cpu memory pids", "", processes);
  tree->Enter("0::/");
}

TEST(LimitsTest, InAScopeOfItsOwnTheProcessStepsAside) {
  CgroupTree tree;
  MakeScope(&tree);
  LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
  EXPECT_EQ(Bound(group), kVersion2Binds);
  EXPECT_EQ(tree.Read(tree.root() + kTop + "/cgroup.subtree_control"), "+memory +pids");
  const std::string main = tree.root() + kTop + "/" + MainGroupName(ThisProcess());
  EXPECT_EQ(tree.Read(main + "/cgroup.procs") + "\n", CgroupTree::Self());
}

constexpr char kShell[] = "/sys/fs/cgroup/app.slice/shell.scope";

TEST(LimitsTest, WhatSystemdHandedDownIsUsedBeforeWhatLiesAbove) {
  CgroupTree tree;
  MakeDelegated(&tree);
  tree.Write(kShell + std::string("/cgroup.procs"), CgroupTree::Self());
  tree.Delegate(kShell);
  const Places asked = Find(&tree, Moving::kNo);
  EXPECT_TRUE(asked.could_move);
  LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
  EXPECT_EQ(Bound(group), kVersion2Binds);
  EXPECT_THAT(tree.Children(kShell), SizeIs(2)) << "this process's, and the jail's";
  EXPECT_THAT(tree.Children("/sys/fs/cgroup/app.slice"), IsEmpty());
}

TEST(LimitsTest, WhatSystemdHandedDownWithSomebodyElseInItIsLeftAlone) {
  CgroupTree tree;
  MakeDelegated(&tree);
  tree.Delegate(kShell);
  LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
  EXPECT_EQ(Bound(group), kVersion2Binds);
  EXPECT_THAT(tree.Children(kShell), IsEmpty());
  EXPECT_THAT(tree.Children("/sys/fs/cgroup/app.slice"), SizeIs(1));
}

TEST(LimitsTest, AJailDoesNotGetRidOfTheLimitsThatPaddockIsUnder) {
  for (const char* file : {"memory.max", "memory.high", "memory.swap.max", "cpu.max", "cpuset.cpus", "io.max"}) {
    CgroupTree tree;
    MakeDelegated(&tree);
    const std::string path = kShell + std::string("/") + file;
    for (const char* none : {"max 100000\n", "max\n", "\n"}) {
      tree.Write(path, none);
      EXPECT_EQ(Bound(&tree), kVersion2Binds) << file << " " << none;
    }
    tree.Write(path, "50000 100000\n");
    EXPECT_EQ(Bound(&tree), "memory=rlimit processes=rlimit cpu=cgroup v2") << file;
    EXPECT_THAT(tree.Children("/sys/fs/cgroup/app.slice"), IsEmpty()) << file;
    // Alone in it, it may have both only in what was handed down.
    tree.Write(kShell + std::string("/cgroup.procs"), CgroupTree::Self());
    EXPECT_EQ(Bound(&tree), "memory=rlimit processes=rlimit cpu=cgroup v2") << file;
    tree.Delegate(kShell);
    LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
    EXPECT_EQ(Bound(group), kVersion2Binds) << file;
    EXPECT_THAT(tree.Children(kShell), SizeIs(2)) << file;
  }
}

TEST(LimitsTest, AJailGetsNoMoreProcessesThanPaddockMayHave) {
  for (const auto& [limit, bound] : {std::pair{"20\n", "20"}, {"100\n", "32"}, {"max\n", "32"}}) {
    CgroupTree tree;
    MakeDelegated(&tree);
    tree.Write(kShell + std::string("/pids.max"), limit);
    LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
    EXPECT_EQ(Bound(group), kVersion2Binds);
    ASSERT_THAT(tree.Children("/sys/fs/cgroup/app.slice"), SizeIs(1));
    EXPECT_EQ(tree.Read(tree.Children("/sys/fs/cgroup/app.slice")[0] + "/pids.max"), bound);
  }
}

TEST(LimitsTest, ItDoesNotStepAsideWhereItMayNot) {
  CgroupTree tree;
  MakeScope(&tree);
  const Places places = Find(&tree, Moving::kNo);
  EXPECT_TRUE(places.could_move);
  EXPECT_EQ(tree.Read(tree.root() + kTop + "/cgroup.subtree_control"), "\n");
  EXPECT_THAT(tree.Children(kTop), IsEmpty());
  EXPECT_EQ(Bound(LimitGroup::Make(kAll, places)), "memory=rlimit processes=rlimit cpu=cgroup v2") << "processor time needs no controller";
}

TEST(LimitsTest, AScopeWithSomebodyElseInItIsLeftAlone) {
  for (const std::string& other : {std::to_string(getppid()), std::string("0")}) {  // 0: of a pid namespace further out
    CgroupTree tree;
    MakeScope(&tree, CgroupTree::Self() + other + "\n");
    EXPECT_FALSE(Find(&tree, Moving::kNo).could_move);
    EXPECT_EQ(Bound(&tree), "memory=rlimit processes=rlimit cpu=cgroup v2");
    EXPECT_EQ(tree.Read(tree.root() + kTop + "/cgroup.subtree_control"), "\n");
    EXPECT_THAT(tree.Children(kTop), IsEmpty());
  }
}

TEST(LimitsTest, StepsBackWhereControllersCanNotBeHandedOn) {
  CgroupTree tree;
  MakeScope(&tree);
  const std::string control = tree.root() + kTop + "/cgroup.subtree_control";
  std::filesystem::remove(control);
  std::filesystem::create_directory(control);  // writable by its mode, and no write succeeds
  EXPECT_EQ(Bound(&tree), "memory=rlimit processes=rlimit cpu=cgroup v2");
  EXPECT_THAT(tree.Children(kTop), IsEmpty());
}

TEST(LimitsTest, BindsWhatTheControllersAllow) {
  CgroupTree only_pids;
  only_pids.MountV2(kTop, "/");
  only_pids.GroupV2(kTop, "pids", "pids");
  only_pids.Enter("0::/");
  EXPECT_EQ(Bound(&only_pids), "memory=rlimit processes=cgroup v2 cpu=cgroup v2");
  CgroupTree could_more;
  could_more.MountV2(kTop, "/");
  could_more.GroupV2(kTop, "memory pids", "memory pids");
  could_more.Enter("0::/");
  could_more.Lack("memory.max");
  could_more.Lack("memory.swap.max");
  EXPECT_EQ(Bound(&could_more), "memory=rlimit processes=cgroup v2 cpu=cgroup v2");
}

TEST(LimitsTest, KernelsThatDoNotCountSwapBindMemory) {
  CgroupTree tree;
  MakeDelegated(&tree);
  tree.Lack("memory.swap.max");
  tree.Lack("memory.peak");
  LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
  EXPECT_EQ(Bound(group), kVersion2Binds);
  EXPECT_EQ(group.Read().peak_memory_bytes, std::nullopt);
}

TEST(LimitsTest, ThreadedGroupsCanNotBeJoined) {
  CgroupTree tree;
  MakeDelegated(&tree);
  for (const char* group : {"", "/app.slice", "/app.slice/shell.scope"}) tree.Write(kTop + std::string(group) + "/cgroup.type", "domain threaded\n");
  EXPECT_EQ(Bound(&tree), kNothing);
}

TEST(LimitsTest, Version1HasAGroupInEachHierarchy) {
  CgroupTree tree;
  MakeVersion1(&tree);
  const size_t before = tree.Entries();
  {
    LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
    EXPECT_EQ(Bound(group), kVersion1Binds);
    EXPECT_THAT(group.JoinDescriptors().value(), SizeIs(3));
    const auto made = tree.Children(kTop + std::string("/memory/of:this one"));
    ASSERT_THAT(made, SizeIs(1));
    EXPECT_EQ(tree.Read(made[0] + "/memory.limit_in_bytes"), "1073741824");
    EXPECT_EQ(tree.Read(made[0] + "/memory.memsw.limit_in_bytes"), "1073741824");
    EXPECT_EQ(tree.Read(made[0] + "/memory.swappiness"), "");
    EXPECT_EQ(group.Read().cpu_us, 2500u) << "cpuacct counts in nanoseconds";
    EXPECT_EQ(group.Read().peak_memory_bytes, 8192u);
    EXPECT_EQ(group.OomKills(), 2u);
  }
  EXPECT_EQ(tree.Entries(), before);
}

TEST(LimitsTest, Version1ThatDoesNotCountSwapMayNotSwap) {
  CgroupTree tree;
  MakeVersion1(&tree);
  tree.Lack("memory.memsw.limit_in_bytes");
  LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
  EXPECT_EQ(Bound(group), kVersion1Binds);
  EXPECT_EQ(tree.Read(tree.Children(kTop + std::string("/memory/of:this one"))[0] + "/memory.swappiness"), "0");
}

TEST(LimitsTest, Version1ReadOnlyBindsNothing) {
  CgroupTree tree;
  MakeVersion1(&tree, "ro");
  EXPECT_EQ(Bound(&tree), kNothing);
}

TEST(LimitsTest, AnEmptyVersion2BesideVersion1IsNotUsed) {
  CgroupTree tree;
  tree.MountV2(kTop + std::string("/unified"), "/");
  tree.GroupV2(kTop + std::string("/unified"), "hugetlb", "");
  MakeVersion1(&tree);
  EXPECT_EQ(Bound(&tree), kVersion1Binds);
}

TEST(LimitsTest, EachControllerBindsWhereItIs) {
  CgroupTree tree;
  tree.MountV2(kTop + std::string("/unified"), "/");
  tree.GroupV2(kTop + std::string("/unified"), "memory", "memory");
  MakeVersion1(&tree, "rw", {"pids", "cpu,cpuacct"});
  LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
  EXPECT_EQ(Bound(group), "memory=cgroup v2 processes=cgroup v1 cpu=cgroup v2");
  EXPECT_THAT(group.JoinDescriptors().value(), SizeIs(2)) << "nothing is left for cpuacct to do";
}

TEST(LimitsTest, AGroupOfCpusetIsNotJoined) {
  CgroupTree tree;
  MakeVersion1(&tree, "rw", {"pids"});
  tree.MountV1(kTop + std::string("/both"), "/", "cpuset,memory");
  tree.GroupV1(kTop + std::string("/both"));
  tree.Enter("4:cpuset,memory:/\n3:pids:/of:this one");
  EXPECT_EQ(Bound(&tree), "memory=rlimit processes=cgroup v1 cpu=rlimit");
}

TEST(LimitsTest, NoneMounted) {
  CgroupTree tree;
  EXPECT_EQ(Bound(&tree), kNothing);
  tree.Enter("0::/");
  EXPECT_EQ(Bound(&tree), kNothing);
  EXPECT_EQ(Bound(LimitGroup()), "");
  EXPECT_FALSE(LimitGroup().Holds(getpid()));
  EXPECT_FALSE(LimitGroup().CpuPassed(0));
}

TEST(LimitsTest, WhatIsNotWantedIsNotToldOf) {
  CgroupTree tree;
  MakeDelegated(&tree);
  LimitGroup group = LimitGroup::Make({std::nullopt, 5, std::nullopt}, Find(&tree));
  EXPECT_THAT(group.bindings(), ElementsAre(Binding{"processes", "cgroup v2"}));
  EXPECT_EQ(tree.Read(tree.Children(kTop + std::string("/app.slice"))[0] + "/memory.max"), "");
  EXPECT_EQ(group.Read().cpu_us, 1500u) << "and counted all the same";
}

TEST(LimitsTest, GroupsThatCanNotBeMadeLeaveItToTheRlimits) {
  CgroupTree tree;
  MakeDelegated(&tree);
  for (const int err : {EACCES, EROFS, EAGAIN, ENOENT, EEXIST}) {
    tree.FailMaking(err);
    EXPECT_EQ(Bound(&tree), kNothing) << err;
  }
}

TEST(LimitsTest, WaitsForAGroupToBeEmptyButNotForEver) {
  CgroupTree tree;
  MakeVersion1(&tree);
  Places places = Find(&tree);
  int busy = 0, refusals = 3;
  const auto remove = places.view.remove_folder;
  places.view.remove_folder = [&](const std::string& path) { return busy++ < refusals ? EBUSY : remove(path); };
  LimitGroup soon = LimitGroup::Make(kAll, places);
  EXPECT_TRUE(soon.Remove());
  EXPECT_EQ(busy, 3 + 3) << "three hierarchies";
  refusals = 1 << 30;
  LimitGroup never = LimitGroup::Make(kAll, places);
  const auto begin = Deadline::Clock::now();
  const Status removed = never.Remove();
  ASSERT_FALSE(removed);
  EXPECT_THAT(removed.error().message, HasSubstr("EBUSY"));
  EXPECT_FALSE(removed.error().hint.empty());
  EXPECT_LT(Deadline::Clock::now() - begin, std::chrono::seconds(20));
}

TEST(LimitsTest, ManyAtOnceDoNotDisturbEachOther) {
  CgroupTree tree;
  MakeDelegated(&tree);
  const Places places = Find(&tree);
  std::vector<LimitGroup> groups(50);
  {
    std::vector<std::jthread> threads;
    for (LimitGroup& group : groups)
      threads.emplace_back([&group, &tree] { group = LimitGroup::Make(kAll, FindPlaces(tree.view(), Moving::kNo)); });
  }
  for (const LimitGroup& group : groups) EXPECT_EQ(Bound(group), kVersion2Binds);
  EXPECT_THAT(tree.Children(kTop + std::string("/app.slice")), SizeIs(50));
  groups.clear();
  EXPECT_THAT(tree.Children(kTop + std::string("/app.slice")), IsEmpty());
}

}  // namespace
}  // namespace paddock::sandbox::limits

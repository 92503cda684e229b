// Control groups of several runs beside each other, and after one: nothing is left behind, and nobody else's is touched.
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/frame_pipe.h"
#include "tests/jail/limits_harness.h"

namespace paddock::sandbox::limits {
namespace {

namespace fs = std::filesystem;

TEST_F(LimitsOnThisMachine, AProcessThatIsNotReapedYetDoesNotKeepTheGroup) {
  LimitGroup group = Make({kMemory, 8, 1'000'000});
  ChildProcess child = InGroup(group, [] { return pause(); });
  ASSERT_TRUE(child.Signal(SIGKILL));
  ASSERT_TRUE(EndedByPidfd(child.pidfd(), Soon()));
  EXPECT_TRUE(group.Remove());
}

TEST_F(LimitsOnThisMachine, AGroupThatIsNotEmptyIsLeftToALaterRun) {
  if (places_.all.empty()) {
    EXPECT_TRUE(Make({kMemory, 8, 1}).Remove());
    return;
  }
  auto hold = MakePipe(), ready = MakePipe();
  ASSERT_TRUE(hold && ready);
  ChildProcess inmate, owner = InGroup(LimitGroup(), [&] {  // a run that is killed
    LimitGroup group = Make({kMemory, 8, 1'000'000});
    const pid_t pid = fork();
    if (pid == 0) {
      const auto join = group.JoinDescriptors();
      for (const UniqueFd& fd : *join) (void)!write(fd.get(), "0", 1);
      hold->write.reset();
      (void)!write(ready->write.get(), "r", 1);
      char byte;
      (void)!read(hold->read.get(), &byte, 1);  // outlives its owner
      _exit(0);
    }
    return pause();
  });
  char byte;
  ASSERT_EQ(read(ready->read.get(), &byte, 1), 1);
  const size_t parts = places_.all.size();
  FindPlaces(CgroupView::OfThisProcess(), Moving::kAllowed);
  EXPECT_EQ(GroupsIn(places_, owner.pid()), parts) << "of a living owner";
  const pid_t was = owner.pid();
  owner = ChildProcess();
  FindPlaces(CgroupView::OfThisProcess(), Moving::kAllowed);
  EXPECT_EQ(GroupsIn(places_, was), parts) << "not empty, and nothing is killed for it";
  ready->write.reset();
  hold->write.reset();
  ASSERT_EQ(read(ready->read.get(), &byte, 1), 0) << "the inmate ended";
  for (const Deadline deadline = Soon(); GroupsIn(places_, was) > 0 && !deadline.passed();) FindPlaces(CgroupView::OfThisProcess(), Moving::kAllowed);
  EXPECT_EQ(GroupsIn(places_, was), 0u);
}

TEST_F(LimitsOnThisMachine, WhatAKilledRunLeftIsCleanedAndWhatALivingOneHasIsNot) {
  auto ready = MakePipe();
  ASSERT_TRUE(ready);
  std::vector<ChildProcess> owners;
  for (int i = 0; i < 2; ++i) {
    owners.push_back(InGroup(LimitGroup(), [&] {
      LimitGroup group = Make({kMemory, 8, 1'000'000});
      (void)!write(ready->write.get(), "r", 1);
      return pause();
    }));
    char byte;
    ASSERT_EQ(read(ready->read.get(), &byte, 1), 1);
  }
  const pid_t killed = owners[0].pid();
  EXPECT_EQ(GroupsIn(places_, killed), places_.all.size());
  owners[0] = ChildProcess();
  FindPlaces(CgroupView::OfThisProcess(), Moving::kAllowed);
  EXPECT_EQ(GroupsIn(places_, killed), 0u);
  EXPECT_EQ(GroupsIn(places_, owners[1].pid()), places_.all.size()) << "though nobody is in it yet";
  owners.pop_back();
  FindPlaces(CgroupView::OfThisProcess(), Moving::kAllowed);
}

// Makes a group, has a child join it, and compares what is said with what is so. 0 when all is well.
int TryAll() {
  const Places places = FindPlaces(CgroupView::OfThisProcess(), Moving::kNo);
  LimitGroup group = LimitGroup::Make({kMemory, 8, 1'000'000}, places);
  for (const Binding& one : group.bindings())
    if (places.all.empty() && !one.by.starts_with("rlimit, each ")) return 1;
  if (places.all.empty()) return 0;
  if (const auto join = group.JoinDescriptors(); !join || join->size() != places.all.size()) return 2;
  auto hold = MakePipe(), ready = MakePipe();
  if (!hold || !ready) return 3;
  ChildProcess child = InGroup(group, [&] {
    hold->write.reset();
    (void)!write(ready->write.get(), "r", 1);
    char byte;
    (void)!read(hold->read.get(), &byte, 1);
    return 0;
  });
  ready->write.reset();
  char byte;
  if (read(ready->read.get(), &byte, 1) != 1) return 4;
  if (!group.Holds(child.pid())) return 5;
  hold->write.reset();
  if (StatusOf(std::move(child)) != 0) return 6;
  return group.Remove() ? 0 : 7;
}

TEST_F(LimitsOnThisMachine, FiftyAtOnceDoNotDisturbEachOther) {
  std::vector<ChildProcess> runs;
  for (int i = 0; i < 50; ++i) runs.push_back(InGroup(LimitGroup(), TryAll));
  for (ChildProcess& run : runs) EXPECT_EQ(StatusOf(std::move(run)), 0);
}

TEST_F(LimitsOnThisMachine, AnOrdinaryUserGetsWhatItMayHave) {
  const int status = StatusOf(InGroup(LimitGroup(), [] {
    if (geteuid() == 0 && (setgroups(0, nullptr) < 0 || setresgid(20007, 20007, 20007) < 0 || setresuid(20007, 20007, 20007) < 0)) return 90;
    return TryAll();
  }));
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A group for this process alone, above which nothing is to be seen: the process steps aside in it.
TEST_F(LimitsOnThisMachine, InAScopeOfItsOwnVersion2IsMadeToBind) {
  const Place* v2 = nullptr;
  for (const Place& place : places_.all)
    if (place.version == &kVersion2 && place.memory && place.processes) v2 = &place;
  if (!v2) {
    EXPECT_FALSE(places_.could_move);
    return;
  }
  const std::string scope = v2->folder + "/paddock-scope-" + std::to_string(getpid());
  ASSERT_EQ(mkdir(scope.c_str(), 0755), 0);
  const int status = StatusOf(InGroup(LimitGroup(), [&] {
    if (UniqueFd procs(open((scope + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC)); write(procs.get(), "0", 1) != 1) return 80;
    CgroupView view = CgroupView::OfThisProcess();
    const size_t path = view.own_groups.find("0::") + 3;
    const std::string own = view.own_groups.substr(path, view.own_groups.find('\n', path) - path);
    view.mountinfo = "30 22 0:27 " + own + " " + scope + " rw - cgroup2 cgroup2 rw\n";
    const Places places = FindPlaces(view, Moving::kAllowed);
    if (places.all.size() != 1 || places.all[0].folder != scope || !places.all[0].memory || !places.all[0].processes) return 81;
    LimitGroup group = LimitGroup::Make({kMemory, 8, 1'000'000}, places);
    const int hog = StatusOf(InGroup(group, Hog));
    if (!WIFSIGNALED(hog) || group.OomKills() == 0) return 82;
    return group.Remove() ? 0 : 83;
  }));
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  for (const auto& entry : fs::directory_iterator(scope))
    if (entry.is_directory()) rmdir(entry.path().c_str());
  EXPECT_EQ(rmdir(scope.c_str()), 0);
}

}  // namespace
}  // namespace paddock::sandbox::limits

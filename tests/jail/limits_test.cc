// Control groups for real. Where this machine lets us make none, that is asserted: rlimits bind, and nothing is left behind.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <grp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "base/child_process.h"
#include "base/frame_pipe.h"
#include "sandbox/limits/group.h"
#include "sandbox/limits/owner.h"

namespace paddock::sandbox::limits {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

constexpr uint64_t kMemory = 48u << 20;

Deadline Soon() { return Deadline::After(std::chrono::seconds(60)); }

// A child that joins first. `act` gives its exit status; 99: it couldn't join.
ChildProcess InGroup(const LimitGroup& group, const std::function<int()>& act) {
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
int StatusOf(ChildProcess child) {
  auto status = child.Wait(Soon());
  EXPECT_TRUE(status && *status);
  return status && *status ? **status : -1;
}

// Children of the places that this process made.
size_t GroupsIn(const Places& places, pid_t pid) {
  size_t count = 0;
  for (const Place& place : places.all)
    for (const auto& entry : fs::directory_iterator(place.folder)) {
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
        EXPECT_THAT(one.by, StartsWith("rlimit, each "));
        return false;
      }
    ADD_FAILURE() << limit;
    return false;
  }
  void TearDown() override { EXPECT_EQ(GroupsIn(places_, getpid()) - Mains(), 0u); }
  size_t Mains() const {
    size_t count = 0;
    for (const Place& place : places_.all) count += fs::exists(place.folder + "/" + MainGroupName(ThisProcess()));
    return count;
  }

  Places places_;
};

TEST_F(LimitsOnThisMachine, BindOrSayThatRlimitsDo) {
  LimitGroup group = Make({kMemory, 8, 1'000'000});
  ASSERT_EQ(group.bindings().size(), 3u);
  // A machine that was made for it says what must bind, "cgroup v2" say.
  const char* expected = getenv("PADDOCK_TEST_BINDS");
  for (const Binding& one : group.bindings()) {
    RecordProperty(one.limit, one.by);
    if (expected) {
      EXPECT_EQ(one.by, expected) << one.limit;
    }
  }
  EXPECT_EQ(Binds(group, "memory"), Has(&Place::memory));
  EXPECT_EQ(Binds(group, "processes"), Has(&Place::processes));
  EXPECT_EQ(Binds(group, "cpu"), Has(&Place::cpu));
  const auto join = group.JoinDescriptors();
  ASSERT_TRUE(join);
  EXPECT_EQ(join->size(), places_.all.size());
  for (const UniqueFd& fd : *join) EXPECT_EQ(fcntl(fd.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_FALSE(group.Holds(getpid()));
  EXPECT_TRUE(group.Remove());
}

TEST_F(LimitsOnThisMachine, AChildThatJoinsIsHeldAndAllThatItStarts) {
  LimitGroup group = Make({kMemory, 8, 1'000'000});
  auto ready = MakePipe(), end = MakePipe();
  ASSERT_TRUE(ready && end);
  ChildProcess child = InGroup(group, [&] {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      const pid_t self = getpid();
      (void)!write(ready->write.get(), &self, sizeof self);
      end->write.reset();
      char byte;
      (void)!read(end->read.get(), &byte, 1);
      _exit(0);
    }
    end->write.reset();
    waitpid(grandchild, nullptr, 0);
    return 0;
  });
  pid_t grandchild = 0;
  ASSERT_EQ(read(ready->read.get(), &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  EXPECT_EQ(group.Holds(child.pid()), !places_.all.empty());
  EXPECT_EQ(group.Holds(grandchild), !places_.all.empty());
  EXPECT_EQ(group.Read().processes, Has(&Place::processes) ? std::optional<uint64_t>(2) : std::nullopt);
  end->write.reset();
  EXPECT_EQ(StatusOf(std::move(child)), 0);
}

// Touches memory until it is killed, or 160 MiB were had.
int Hog() {
  constexpr size_t kSize = 160u << 20;
  char* memory = static_cast<char*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED) return 2;
  for (size_t i = 0; i < kSize; i += 4096) memory[i] = 1;
  return 0;
}

TEST_F(LimitsOnThisMachine, AHogIsKilledAndItIsKnownWhy) {
  LimitGroup group = Make({kMemory, std::nullopt, std::nullopt});
  const int status = StatusOf(InGroup(group, Hog));
  if (!Has(&Place::memory)) {
    EXPECT_FALSE(Binds(group, "memory"));
    EXPECT_EQ(status, 0) << "an rlimit of the launcher's would stop it, which this test doesn't set";
    EXPECT_EQ(group.OomKills(), 0u);
    return;
  }
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_GE(group.OomKills(), 1u);
  if (const auto peak = group.Read().peak_memory_bytes) {
    EXPECT_GT(*peak, kMemory / 2);
    EXPECT_LE(*peak, kMemory);
  }
  EXPECT_TRUE(group.Remove());
}

TEST_F(LimitsOnThisMachine, MemoryOfManyProcessesAddsUp) {
  LimitGroup group = Make({kMemory, std::nullopt, std::nullopt});
  // Four of 20 MiB each, none of which is too large by itself, at one time.
  auto hold = MakePipe();
  ASSERT_TRUE(hold);
  std::vector<ChildProcess> children;
  for (int i = 0; i < 4; ++i)
    children.push_back(InGroup(group, [&] {
      hold->write.reset();
      constexpr size_t kSize = 20u << 20;
      char* memory = static_cast<char*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      for (size_t j = 0; j < kSize; j += 4096) memory[j] = 1;
      char byte;
      (void)!read(hold->read.get(), &byte, 1);
      return 0;
    }));
  int killed = 0;
  if (Has(&Place::memory)) {
    std::vector<pollfd> ends;
    for (const ChildProcess& child : children) ends.push_back({child.pidfd(), POLLIN, 0});
    ASSERT_GT(poll(ends.data(), ends.size(), 60'000), 0) << "one is killed while all of them hold on";
  }
  hold->write.reset();
  for (ChildProcess& child : children) killed += WIFSIGNALED(StatusOf(std::move(child)));
  EXPECT_EQ(killed > 0, Has(&Place::memory));
  EXPECT_EQ(group.OomKills() > 0, Has(&Place::memory));
}

TEST_F(LimitsOnThisMachine, AnotherSigkillIsNoLackOfMemory) {
  LimitGroup group = Make({kMemory, std::nullopt, std::nullopt});
  const int status = StatusOf(InGroup(group, [] { return raise(SIGKILL); }));
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(group.OomKills(), 0u);
}

TEST_F(LimitsOnThisMachine, TooManyProcessesAreEagain) {
  LimitGroup group = Make({std::nullopt, 6, std::nullopt});
  if (!Binds(group, "processes")) return;
  const int status = StatusOf(InGroup(group, [] {
    auto end = MakePipe();  // that ends with this process, and they with it
    int made = 0;
    for (; made < 20; ++made) {
      const pid_t pid = fork();
      if (pid < 0) return errno == EAGAIN ? made : 98;
      if (pid > 0) continue;
      end->write.reset();
      char byte;
      (void)!read(end->read.get(), &byte, 1);
      _exit(0);
    }
    return made;
  }));
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 5) << "itself and five more";
  EXPECT_TRUE(group.Remove()) << "the last of them may still be ending";
}

// Uses this much processor time.
int Burn(std::chrono::milliseconds span) {
  timespec now{};
  do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  while (std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec) < span);
  return 0;
}

TEST_F(LimitsOnThisMachine, ProcessorTimeOfAllIsCountedOfThoseThatEndedToo) {
  LimitGroup group = Make({std::nullopt, std::nullopt, 70'000});
  for (int i = 0; i < 2; ++i) EXPECT_EQ(StatusOf(InGroup(group, [] { return Burn(std::chrono::milliseconds(60)); })), 0);
  EXPECT_EQ(group.CpuPassed(70'000), Binds(group, "cpu")) << "each used less";
  EXPECT_FALSE(group.CpuPassed(60'000'000));
  EXPECT_EQ(group.Read().cpu_us.has_value(), Has(&Place::cpu));
}

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

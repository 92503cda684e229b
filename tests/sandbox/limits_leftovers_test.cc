// Whose a group is, and which were left by runs that were killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "sandbox/limits/owner.h"
#include "tests/sandbox/limits_fixture.h"

namespace paddock::sandbox::limits {
namespace {

using testing::SizeIs;

TEST(LimitsLeftoversTest, NamesThatArePaddocksParse) {
  const auto owner = OwnerIn("paddock-12-345-6");
  ASSERT_TRUE(owner);
  EXPECT_EQ(owner->pid, 12);
  EXPECT_EQ(owner->started, 345u);
  EXPECT_TRUE(OwnerIn("paddock-main-12-345"));
  EXPECT_TRUE(OwnerIn(GroupName(ThisProcess(), 0)));
  EXPECT_TRUE(OwnerIn(MainGroupName(ThisProcess())));
  EXPECT_GT(ThisProcess().started, 0u);
  for (const char* name : {"", "paddock-", "paddock-1", "paddock-1-2", "paddock-1-2-", "paddock-1-2-3-", "paddock-1-2-3x", "paddock-x-2-3", "paddock--1-2-3",
                           "paddock-1--2-3", "paddock-+1-2-3", "paddock- 1-2-3", "paddock-01-2-3", "paddock-0-2-3", "paddock-1-2-3-4", "Paddock-1-2-3",
                           "xpaddock-1-2-3", "paddock-main-1", "paddock-main-1-2-3", "paddock-99999999999-2-3", "paddock-1-99999999999999999999999-3",
                           "paddock-doctor-1", "paddock-4294967297-2-3"})
    EXPECT_FALSE(OwnerIn(name)) << name;
}

// A process that ended; its pid is not reaped, so nobody else gets it.
class Ended {
 public:
  explicit Ended(bool reap) {
    pid_ = fork();
    if (pid_ == 0) {
      for (;;) pause();
    }
    owner_ = {pid_, 0};
    std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
    std::string word;
    for (int i = 0; i < 22 && stat >> word; ++i) {
    }
    owner_.started = std::strtoull(word.c_str(), nullptr, 10);
    alive_ = !IsGone(owner_);
    kill(pid_, SIGKILL);
    siginfo_t info;
    waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | (reap ? 0 : WNOWAIT));
    reaped_ = reap;
  }
  ~Ended() {
    if (!reaped_) waitpid(pid_, nullptr, 0);
  }
  const Owner& owner() const { return owner_; }
  bool was_alive() const { return alive_; }

 private:
  pid_t pid_;
  Owner owner_;
  bool alive_ = false, reaped_ = false;
};

TEST(LimitsLeftoversTest, AnOwnerIsGoneWhenItsProcessIs) {
  EXPECT_FALSE(IsGone(ThisProcess()));
  const Ended zombie(false), reaped(true);
  EXPECT_TRUE(zombie.was_alive());
  EXPECT_TRUE(IsGone(zombie.owner()));
  EXPECT_TRUE(IsGone(reaped.owner()));
  EXPECT_TRUE(IsGone({getpid(), ThisProcess().started + 1})) << "the pid came again";
  EXPECT_FALSE(IsGone({getpid(), 0})) << "not known";
}

TEST(LimitsLeftoversTest, RemovesWhatAKilledRunLeft) {
  CgroupTree tree;
  MakeDelegated(&tree);
  const std::string slice = kTop + std::string("/app.slice/");
  const Ended ended(true);
  const std::vector<std::string> gone = {GroupName(ended.owner(), 0), GroupName({getpid(), ThisProcess().started + 1}, 7), MainGroupName(ended.owner())};
  const std::vector<std::string> stay = {GroupName(ThisProcess(), 1u << 20), MainGroupName(ThisProcess()), "paddock-x", "paddock-doctor-1",
                                         "other-" + GroupName(ended.owner(), 0), GroupName(ended.owner(), 1)};
  for (const auto* names : {&gone, &stay})
    for (const std::string& name : *names) tree.GroupV2(slice + name, "", "", "");
  // One that an owner holds whose pid means nothing here.
  const UniqueFd held = LockGroup(tree.root() + slice + stay.back());
  ASSERT_TRUE(held);
  Find(&tree);
  for (const std::string& name : gone) EXPECT_FALSE(std::filesystem::exists(tree.root() + slice + name)) << name;
  for (const std::string& name : stay) EXPECT_TRUE(std::filesystem::exists(tree.root() + slice + name)) << name;
}

TEST(LimitsLeftoversTest, AGroupIsLockedByItsOwner) {
  CgroupTree tree;
  MakeDelegated(&tree);
  LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
  const auto made = tree.Children(kTop + std::string("/app.slice"));
  ASSERT_THAT(made, SizeIs(1));
  EXPECT_FALSE(LockGroup(made[0]));
}

TEST(LimitsLeftoversTest, AForkedChildDoesNotRemoveItsParentsGroup) {
  CgroupTree tree;
  MakeDelegated(&tree);
  LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
  const pid_t child = fork();
  if (child == 0) {
    (void)group.Remove();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_THAT(tree.Children(kTop + std::string("/app.slice")), SizeIs(1));
}

}  // namespace
}  // namespace paddock::sandbox::limits

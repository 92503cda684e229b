// The own group is found in mountinfo of every kind, or not guessed.
#include "sandbox/limits/view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/limits_fixture.h"

namespace paddock::sandbox::limits {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(LimitsViewTest, MountsOfASubtreeAndWithOddNames) {
  CgroupTree tree;  // a container's own group, bound where its hierarchy is expected; and one with a blank, bound elsewhere
  tree.MountV2(kTop, "/docker/a\\040b");
  tree.GroupV2(kTop, "memory pids", "memory pids", "");
  tree.GroupV2(kTop + std::string("/inner"), "memory pids", "");
  tree.Enter("0::/docker/a b/inner");
  EXPECT_EQ(Bound(&tree), kVersion2Binds);
  CgroupTree odd;
  odd.MountV2("/mnt/a\\040b\\134c", "/");
  odd.GroupV2("/mnt/a b\\c/own", "memory pids", "memory pids");
  odd.Enter("0::/own");
  EXPECT_EQ(Bound(&odd), kVersion2Binds);
}

TEST(LimitsViewTest, OfSeveralMountsTheOneThatCanBeWrittenTo) {
  CgroupTree tree;
  tree.MountLine("none of a line");
  tree.MountLine("1 2 0:1 / /x - cgroup2");
  tree.MountV2("/hidden", "/");  // another mount lies over it: nothing of ours is seen there
  tree.MountV2("/read-only", "/", "ro");
  tree.GroupV2("/read-only", "memory pids", "memory pids");
  tree.Line("/super-read-only", "/", "rw", "cgroup2 cgroup2 ro");
  tree.GroupV2("/super-read-only", "memory pids", "memory pids");
  tree.MountV2("/elsewhere", "/");
  tree.GroupV2("/elsewhere", "memory pids", "memory pids", "1\n");
  tree.MountV2("/good", "/");
  tree.GroupV2("/good", "memory pids", "memory pids");
  tree.Enter("0::/");
  LimitGroup group = LimitGroup::Make(kAll, Find(&tree));
  EXPECT_EQ(Bound(group), kVersion2Binds);
  EXPECT_THAT(tree.Children("/good"), SizeIs(1));
}

TEST(LimitsViewTest, AGroupOutsideOfTheNamespaceIsNotGuessed) {
  CgroupTree tree;
  tree.MountV2(kTop, "/");
  tree.GroupV2(kTop, "memory pids", "memory pids", "");
  tree.GroupV2("/sys/fs/victim", "memory pids", "memory pids");
  tree.Enter("0::/../victim");
  EXPECT_EQ(Bound(&tree), kNothing);
  EXPECT_THAT(tree.Children("/sys/fs/victim"), IsEmpty());
  // The mount may begin outside too; then it is the own group if the kernel lists us there.
  CgroupTree above;
  above.MountV2(kTop, "/../..");
  above.GroupV2(kTop, "memory pids", "memory pids");
  above.Enter("0::/");
  EXPECT_EQ(Bound(&above), kVersion2Binds);
}

}  // namespace
}  // namespace paddock::sandbox::limits

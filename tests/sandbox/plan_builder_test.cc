// From a profile and a workspace to a plan: who the jail is on the host, and that everything only narrows.
#include "sandbox/plan_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>

#include "sandbox/profile_json.h"

namespace paddock::sandbox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr Caller kRoot{0, 0, 777'777, 0, 0};
constexpr Caller kAnn{1234, 1235, 777'777, 0, 0};

class PlanBuilderTest : public testing::Test {
 protected:
  void SetUp() override { profile_ = *ShippedProfile("read-only"); }

  Workspace OwnedBy(uint32_t uid, uint32_t gid) { return {"/some/where", 1, 2, uid, gid}; }
  PlanRequest Request(const Workspace* workspace) {
    PlanRequest request;
    request.profile = &profile_;
    request.workspace = workspace;
    request.program = "/proc/self/exe";  // any file will do
    request.descriptors = {0, 1, 2, 3, 4, 5};
    return request;
  }
  Plan Build(const Caller& caller, const Workspace& workspace) {
    auto built = BuildPlan(Request(&workspace), caller);
    EXPECT_TRUE(built) << built.error().message;
    return built ? built->plan : Plan{};
  }
  Error Refused(const Caller& caller, const Workspace& workspace) {
    auto built = BuildPlan(Request(&workspace), caller);
    EXPECT_FALSE(built);
    return built ? Error{} : built.error();
  }
  static const MountOp& Mount(const Plan& plan, const std::string& target) {
    auto found = std::find_if(plan.mounts.begin(), plan.mounts.end(), [&](const MountOp& op) { return op.target == target; });
    EXPECT_NE(found, plan.mounts.end()) << target;
    return *found;
  }
  static uint64_t Limit(const Plan& plan, uint32_t resource) {
    for (const ResourceLimit& limit : plan.limits)
      if (limit.resource == resource) return limit.value;
    ADD_FAILURE() << "no limit " << resource;
    return 0;
  }
  Profile profile_;
};

TEST_F(PlanBuilderTest, RootOnRootsFilesIsSomebodyElseThroughAnIdMap) {
  const Plan plan = Build(kRoot, OwnedBy(0, 0));
  EXPECT_EQ(plan.outer_uid, 777'777u);
  EXPECT_EQ(plan.outer_gid, 777'777u);
  EXPECT_TRUE(Mount(plan, "/workspace").id_mapped);
  EXPECT_FALSE(Mount(plan, "/cell").id_mapped);
}

TEST_F(PlanBuilderTest, RootOnSomebodysFilesIsTheirOwner) {
  Plan plan = Build(kRoot, OwnedBy(1000, 1001));
  EXPECT_EQ(plan.outer_uid, 1000u);
  EXPECT_EQ(plan.outer_gid, 1001u);
  EXPECT_FALSE(Mount(plan, "/workspace").id_mapped);
  plan = Build(kRoot, OwnedBy(1000, 0));  // never root's group
  EXPECT_EQ(plan.outer_uid, 1000u);
  EXPECT_EQ(plan.outer_gid, 1000u);
}

TEST_F(PlanBuilderTest, AnybodyElseStaysThemselves) {
  for (uint32_t owner : {0u, 1234u, 2000u}) {
    const Plan plan = Build(kAnn, OwnedBy(owner, owner));
    EXPECT_EQ(plan.outer_uid, 1234u);
    EXPECT_EQ(plan.outer_gid, 1235u);
    EXPECT_FALSE(Mount(plan, "/workspace").id_mapped);
  }
}

TEST_F(PlanBuilderTest, NoJailIsIdZeroOfTheHost) {
  // Root under another name, in a user namespace.
  EXPECT_EQ(Refused({1000, 1000, 0, 1000, {}}, OwnedBy(1000, 1000)).kind, ErrorKind::kDenied);
  EXPECT_EQ(Refused({1000, 1000, 0, {}, 1000}, OwnedBy(1000, 1000)).kind, ErrorKind::kDenied);
  EXPECT_EQ(Refused({0, 0, 0, 0, 0}, OwnedBy(0, 0)).kind, ErrorKind::kDenied);
  EXPECT_EQ(Refused({1234, 0, 777'777, 0, 0}, OwnedBy(1234, 1234)).kind, ErrorKind::kDenied);  // in root's group
  for (const Caller& caller : {kRoot, kAnn})
    for (uint32_t owner : {0u, 1u, 1000u, 65534u}) {
      const Plan plan = Build(caller, OwnedBy(owner, 0));
      EXPECT_NE(plan.outer_uid, 0u);
      EXPECT_NE(plan.outer_gid, 0u);
      EXPECT_NE(plan.inner_uid, 0u);
    }
  EXPECT_NE(kRootJailUid, 0u);
}

TEST_F(PlanBuilderTest, WithoutAWorkspaceNothingOfTheHostIsSeenButTheProgram) {
  profile_ = *ShippedProfile("sealed");
  const Workspace workspace = OwnedBy(1000, 1000);
  auto built = BuildPlan(Request(&workspace), kRoot);
  ASSERT_TRUE(built) << built.error().message;
  ASSERT_EQ(built->plan.mounts.size(), 1u);
  EXPECT_EQ(built->plan.mounts[0].target, "/cell");
  EXPECT_EQ(built->plan.outer_uid, 777'777u);  // not the owner's, for it needs nothing of theirs
}

TEST_F(PlanBuilderTest, TheWorkspaceCanNeitherBeWrittenNorRun) {
  const Plan plan = Build(kAnn, OwnedBy(1234, 1234));
  ASSERT_EQ(plan.mounts.size(), 2u);
  const MountOp& workspace = Mount(plan, "/workspace");
  EXPECT_TRUE(workspace.read_only && workspace.no_exec && workspace.recursive);
  EXPECT_EQ(workspace.source, "/some/where");
  EXPECT_EQ(workspace.source_device, 1u);
  EXPECT_EQ(workspace.source_inode, 2u);
  EXPECT_TRUE(Mount(plan, "/cell").read_only);
}

TEST_F(PlanBuilderTest, WallTimeIsOnlyNarrowed) {
  const Workspace workspace = OwnedBy(1000, 1000);
  PlanRequest request = Request(&workspace);
  profile_.limits.wall = "10s";
  EXPECT_EQ(BuildPlan(request, kAnn)->plan.wall_ms, 10'000u);
  request.wall_ms = 3000;
  EXPECT_EQ(BuildPlan(request, kAnn)->plan.wall_ms, 3000u);
  request.wall_ms = 3'600'000;
  EXPECT_EQ(BuildPlan(request, kAnn)->plan.wall_ms, 10'000u);
}

TEST_F(PlanBuilderTest, LimitsAreThoseOfTheProfile) {
  profile_.limits = {"1s", "1500ms", "64M", 5, 77, "0", "1M"};
  const Plan plan = Build(kAnn, OwnedBy(1000, 1000));
  EXPECT_EQ(Limit(plan, RLIMIT_AS), 64u << 20);
  EXPECT_EQ(Limit(plan, RLIMIT_CPU), 2u);  // whole seconds, rounded up
  EXPECT_EQ(Limit(plan, RLIMIT_NPROC), 5u);
  EXPECT_EQ(Limit(plan, RLIMIT_NOFILE), 77u);
  EXPECT_EQ(Limit(plan, RLIMIT_FSIZE), 0u);
  EXPECT_EQ(Limit(plan, RLIMIT_CORE), 0u);
}

TEST_F(PlanBuilderTest, TheEnvironmentIsMadeFromNothing) {
  setenv("PADDOCK_TEST_TOKEN", "secret", 1);
  EXPECT_TRUE(Build(kAnn, OwnedBy(1000, 1000)).environment.empty());
  profile_.env = {{"PADDOCK_TEST_TOKEN", "PADDOCK_TEST_NOT_SET"}, {{"B", "2"}, {"A", "1"}}};
  EXPECT_EQ(Build(kAnn, OwnedBy(1000, 1000)).environment, (std::vector<std::string>{"A=1", "B=2", "PADDOCK_TEST_TOKEN=secret"}));
  profile_.env.set["PADDOCK_TEST_TOKEN"] = "other";
  EXPECT_THAT(Build(kAnn, OwnedBy(1000, 1000)).environment, Contains("PADDOCK_TEST_TOKEN=other"));
  unsetenv("PADDOCK_TEST_TOKEN");
}

TEST_F(PlanBuilderTest, OnlyJailsThatCannotMakeSocketsShareANetwork) {
  EXPECT_EQ(Build(kAnn, OwnedBy(1000, 1000)).network, Network::kSharedEmpty);
  profile_.syscalls.allow.push_back("@sockets-local");
  EXPECT_EQ(Build(kAnn, OwnedBy(1000, 1000)).network, Network::kOwnEmpty);
  profile_.syscalls.allow.pop_back();
  // A filter that is not required is put in place all the same.
  std::erase(profile_.require, Layer::kSeccomp);
  EXPECT_FALSE(Build(kAnn, OwnedBy(1000, 1000)).filter.empty());
}

TEST_F(PlanBuilderTest, TheSecondFilterIsForProgramsThatInstallIt) {
  const Workspace workspace = OwnedBy(1000, 1000);
  PlanRequest request = Request(&workspace);
  auto cell = BuildPlan(request, kAnn);
  request.second_filter = false;
  auto other = BuildPlan(request, kAnn);
  ASSERT_TRUE(cell && other);
  EXPECT_FALSE(cell->second_filter.empty());
  EXPECT_NE(cell->second_filter, cell->plan.filter);
  EXPECT_TRUE(other->second_filter.empty());
  EXPECT_FALSE(other->plan.filter.empty());
}

TEST_F(PlanBuilderTest, AnOptionalLayerIsStillPlanned) {
  std::erase(profile_.require, Layer::kLandlock);
  profile_.optional = {Layer::kLandlock};
  const Plan plan = Build(kAnn, OwnedBy(1000, 1000));
  EXPECT_TRUE(plan.landlock && plan.landlock_optional);
  EXPECT_FALSE(Build(kAnn, OwnedBy(1000, 1000)).landlock_rules.empty());
}

TEST_F(PlanBuilderTest, WhatIsHiddenIsCoveredOnce) {
  profile_.filesystem.hide = {".env"};
  const Workspace workspace = OwnedBy(1000, 1000);
  PlanRequest request = Request(&workspace);
  request.hidden = {"secrets/x", "b.env", "secrets", "a\xff", "b.env", "secrets-too"};
  auto built = BuildPlan(request, kAnn);
  ASSERT_TRUE(built) << built.error().message;
  const std::vector<std::string> targets = {"/workspace/a\xff", "/workspace/b.env", "/workspace/secrets", "/workspace/secrets-too"};
  EXPECT_THAT(built->hidden, testing::UnorderedElementsAreArray(targets));
  EXPECT_EQ(built->plan.mounts.size(), 2 + targets.size());
  for (const std::string& target : targets) EXPECT_EQ(Mount(built->plan, target).kind, MountKind::kMask) << target;
  // Over the workspace, so after it.
  EXPECT_EQ(built->plan.mounts[1].target, "/workspace");
}

TEST_F(PlanBuilderTest, NobodyHavingLookedForWhatIsHiddenIsAnError) {
  profile_.filesystem.hide = {".env"};
  EXPECT_EQ(Refused(kAnn, OwnedBy(1000, 1000)).kind, ErrorKind::kInternal);
}

TEST_F(PlanBuilderTest, PathsToHideLeadNowhereElse) {
  const Workspace workspace = OwnedBy(1000, 1000);
  PlanRequest request = Request(&workspace);
  for (const std::string& path : {std::string(), std::string("/etc"), std::string("../x"), std::string("a/../b"), std::string("a//b"), std::string("a/"), std::string("./a"), std::string("."),
                                 std::string("a/.."), std::string("a\0b", 3), std::string(4097, 'a')}) {
    request.hidden = {"good", path};
    auto built = BuildPlan(request, kAnn);
    ASSERT_FALSE(built) << path;
    EXPECT_EQ(built.error().kind, ErrorKind::kInvalid);
    EXPECT_THAT(built.error().message, HasSubstr("is no path of a file to hide"));
  }
  request.hidden = {"...", "..a", "a..", ".a/b. c", std::string(4096, 'a')};
  EXPECT_TRUE(BuildPlan(request, kAnn));
}

TEST_F(PlanBuilderTest, DigestsNameThePlan) {
  const Workspace one = OwnedBy(1000, 1000), two = OwnedBy(1001, 1000);
  auto a = BuildPlan(Request(&one), kRoot), b = BuildPlan(Request(&one), kRoot), c = BuildPlan(Request(&two), kRoot);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->plan_digest.size(), 64u);
  EXPECT_EQ(a->plan_digest, b->plan_digest);
  EXPECT_NE(a->plan_digest, c->plan_digest);
  EXPECT_EQ(a->filter_digest, c->filter_digest);
  EXPECT_NE(a->filter_digest, a->second_filter_digest);
}

TEST_F(PlanBuilderTest, WhatIsMissingIsSaid) {
  auto no_workspace = BuildPlan(Request(nullptr), kAnn);
  ASSERT_FALSE(no_workspace);
  EXPECT_EQ(no_workspace.error().kind, ErrorKind::kInvalid);
  const Workspace workspace = OwnedBy(1000, 1000);
  PlanRequest request = Request(&workspace);
  request.program = "/no/such/paddock-cell";
  auto no_program = BuildPlan(request, kAnn);
  ASSERT_FALSE(no_program);
  EXPECT_THAT(no_program.error().message, HasSubstr("/no/such/paddock-cell"));
  EXPECT_FALSE(no_program.error().hint.empty());
}

}  // namespace
}  // namespace paddock::sandbox

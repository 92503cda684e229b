// Trials by themselves, what is said of control groups, the mend for each cause, and what a plan rests on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sandbox/machine/mend.h"
#include "sandbox/machine/survey.h"
#include "sandbox/plan_builder.h"
#include "sandbox/profile_json.h"
#include "tests/sandbox/cgroup_tree.h"

namespace paddock::sandbox::machine {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Tried Try(void (*trial)(const void*, Trial*), std::chrono::milliseconds span = std::chrono::seconds(20)) {
  return RunTrial(trial, nullptr, Deadline::After(span));
}

TEST(TrialTest, SaysWhatWasSeen) {
  const Tried tried = Try([](const void*, Trial* t) { t->Ok("a thing"); });
  EXPECT_EQ(tried.outcome, Outcome::kOk);
  EXPECT_EQ(tried.seen, "a thing");
}

TEST(TrialTest, ReturningIsOk) {
  EXPECT_EQ(Try([](const void*, Trial*) {}).outcome, Outcome::kOk);
}

TEST(TrialTest, NamesTheCallThatFailedAndItsError) {
  const Tried tried = Try([](const void*, Trial* t) {
    t->Do("getpid", [] { return getpid(); });
    t->Do("chdir", [] { return chdir("/nonexistent"); });
    t->Ok("not reached");
  });
  EXPECT_EQ(tried.outcome, Outcome::kMissing);
  EXPECT_EQ(tried.tried, "chdir");
  EXPECT_EQ(tried.error, ENOENT);
}

TEST(TrialTest, EndsAtItsDeadlineAndNamesTheStep) {
  const Tried tried = Try([](const void*, Trial* t) { t->Do("pause", [] { return pause(); }); }, std::chrono::milliseconds(50));
  EXPECT_EQ(tried.outcome, Outcome::kMissing);
  EXPECT_EQ(tried.tried, "pause");
  EXPECT_EQ(tried.error, ETIMEDOUT);
}

TEST(TrialTest, NamesTheSignalThatKilledIt) {
  const Tried tried = Try([](const void*, Trial* t) {
    t->Try("a call that is deadly here");
    raise(SIGKILL);
  });
  EXPECT_EQ(tried.outcome, Outcome::kMissing);
  EXPECT_EQ(tried.tried, "a call that is deadly here");
  EXPECT_THAT(tried.seen, HasSubstr("SIGKILL"));
}

TEST(TrialTest, LongWordsAreCut) {
  const Tried tried = Try([](const void*, Trial* t) {
    t->Try(std::string(1000, 'x').c_str());
    t->Ok(std::string(1000, 'y'));
  });
  EXPECT_LT(tried.tried.size(), 100u);
  EXPECT_LT(tried.seen.size(), 201u);
}

// What a group binds where is the matter of limits_test.cc; here, what is said of it.
Finding LookAtCgroups(CgroupTree* tree) {
  Asked asked;
  asked.cgroups = tree->view();
  Facts facts = ReadFacts();
  facts.systemd = true;
  return TryStep(StepId::kCgroups, asked, facts);
}

TEST(CgroupTest, None) {
  CgroupTree tree;
  const Finding finding = LookAtCgroups(&tree);
  EXPECT_EQ(finding.outcome, Outcome::kMissing);
  EXPECT_THAT(finding.mend, HasSubstr("mount -t cgroup2"));
}

TEST(CgroupTest, ThatBindAll) {
  CgroupTree tree;
  tree.MountV2("/sys/fs/cgroup", "/");
  tree.GroupV2("/sys/fs/cgroup", "memory pids", "memory pids");
  tree.Enter("0::/");
  const size_t before = tree.Entries();
  const Finding finding = LookAtCgroups(&tree);
  EXPECT_EQ(finding.outcome, Outcome::kOk) << finding.seen;
  EXPECT_EQ(finding.seen, "v2, binds memory processes cpu");
  EXPECT_EQ(tree.Entries(), before) << "the child group is gone again";
}

TEST(CgroupTest, ThatBindAllOnceThisProcessStepsAside) {
  CgroupTree tree;
  tree.MountV2("/sys/fs/cgroup", "/");
  tree.GroupV2("/sys/fs/cgroup", "memory pids", "");
  tree.Enter("0::/");
  const size_t before = tree.Entries();
  const Finding finding = LookAtCgroups(&tree);
  EXPECT_EQ(finding.outcome, Outcome::kOk) << finding.seen;
  EXPECT_THAT(finding.seen, HasSubstr("steps aside"));
  EXPECT_EQ(tree.Entries(), before) << "and it didn't";
}

TEST(CgroupTest, ThatBindAPart) {
  CgroupTree tree;
  tree.MountV2("/sys/fs/cgroup", "/");
  tree.GroupV2("/sys/fs/cgroup", "pids", "pids");
  tree.Enter("0::/");
  const Finding finding = LookAtCgroups(&tree);
  EXPECT_EQ(finding.outcome, Outcome::kPartial);
  EXPECT_EQ(finding.seen, "v2, binds processes cpu; each process for itself: memory");
  EXPECT_THAT(finding.mend, HasSubstr("Delegate=yes"));
}

TEST(CgroupTest, Version1BesideAnEmptyVersion2) {
  CgroupTree tree;
  tree.MountV2("/sys/fs/cgroup/unified", "/");
  tree.GroupV2("/sys/fs/cgroup/unified", "", "");
  for (const char* name : {"memory", "pids", "cpuacct"}) {
    tree.MountV1(std::string("/sys/fs/cgroup/") + name, "/", name);
    tree.GroupV1(std::string("/sys/fs/cgroup/") + name);
  }
  tree.Enter("4:memory:/\n3:pids:/\n2:cpuacct:/\n0::/");
  const Finding finding = LookAtCgroups(&tree);
  EXPECT_EQ(finding.outcome, Outcome::kOk);
  EXPECT_EQ(finding.seen, "v1, binds memory processes cpu");
}

// Facts of a machine on which nothing is wrong.
Facts Sound(uint32_t uid) {
  Facts facts;
  facts.uid = uid;
  facts.proc = ProcState::kOurs;
  facts.max_user_namespaces = 15000;
  facts.uid_map = {{0, 0, 4294967295}};
  facts.sys_admin = facts.set_uid = uid == 0;
  return facts;
}

TEST(MendTest, AGroupOfOnesOwnIsAskedOfWhoeverHasOneToGive) {
  Facts facts = Sound(1000);
  facts.group = "/user.slice/user-1000.slice/session-3.scope";
  EXPECT_THAT(MendGroup2(facts), HasSubstr("as root: make a group")) << "no systemd";
  facts.systemd = facts.user_manager = facts.runtime_folder = true;
  EXPECT_EQ(MendGroup2(facts), "for a group of one's own: systemd-run --user --scope -p Delegate=yes paddock ...");
  facts.runtime_folder = false;  // su, sudo -u
  EXPECT_EQ(MendGroup2(facts), "for a group of one's own: XDG_RUNTIME_DIR=/run/user/1000 systemd-run --user --scope -p Delegate=yes paddock ...");
  facts.user_manager = false;
  EXPECT_THAT(MendGroup2(facts), HasSubstr("as root loginctl enable-linger 1000, then XDG_RUNTIME_DIR=/run/user/1000 systemd-run"));
  facts.group = "/system.slice/runner@2.service";
  EXPECT_EQ(MendGroup2(facts), "for a group of one's own: Delegate=yes in runner@2.service, and ExecStart= paddock itself: it must be alone in its group");
  facts = Sound(1000);
  facts.systemd = facts.user_manager = facts.runtime_folder = true;
  facts.group = "/user.slice/user-1000.slice/user@1000.service/app.slice/shell.service";
  EXPECT_THAT(MendGroup2(facts), HasSubstr("systemd-run --user --scope"));
  facts.uid = 0;
  EXPECT_EQ(MendGroup2(facts).find("--user"), std::string::npos);
}

TEST(MendTest, UserNamespacesHaveACauseEach) {
  Facts facts = Sound(1000);
  facts.unprivileged_userns_clone = 0;
  EXPECT_EQ(MendUserNamespace(EPERM, facts), "as root: sysctl -w kernel.unprivileged_userns_clone=1");
  facts = Sound(1000);
  facts.apparmor_restrict = 1;
  EXPECT_EQ(MendUserNamespace(EPERM, facts), "as root: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
  EXPECT_EQ(MendMount(EACCES, facts), "as root: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
  facts = Sound(1000);
  facts.filtered = true;
  EXPECT_THAT(MendUserNamespace(EPERM, facts), HasSubstr("docker run --security-opt seccomp=unconfined"));
  facts = Sound(1000);
  facts.chrooted = true;
  EXPECT_THAT(MendUserNamespace(EPERM, facts), HasSubstr("pivot_root or systemd-nspawn"));
  facts = Sound(1000);
  facts.max_user_namespaces = 0;
  EXPECT_THAT(MendUserNamespace(ENOSPC, facts), HasSubstr("sysctl -w user.max_user_namespaces=15000"));
  EXPECT_THAT(MendUserNamespace(ENOSPC, Sound(1000)), HasSubstr("further out"));
  EXPECT_THAT(MendUserNamespace(EINVAL, Sound(1000)), HasSubstr("CONFIG_USER_NS"));
  // These two are not asked of root.
  facts = Sound(0);
  facts.unprivileged_userns_clone = 0;
  facts.apparmor_restrict = 1;
  EXPECT_THAT(MendUserNamespace(EPERM, facts), HasSubstr("As root: sysctl -w user.max_user_namespaces"));
}

TEST(MendTest, IdThatDoesNotExistHereIsReplacedByOneThatDoes) {
  Facts facts = Sound(0);
  facts.uid_map = {{0, 100000, 65536}};
  const std::string mend = MendIdMap(EPERM, facts, kRootJailUid);
  EXPECT_THAT(mend, HasSubstr("\"jail_uid\": 65535"));
  EXPECT_THAT(mend, HasSubstr(std::to_string(kRootJailUid)));
  facts.uid_map = {{0, 1000, 1}};
  EXPECT_THAT(MendIdMap(EPERM, facts, kRootJailUid), HasSubstr("no id but 0"));
}

TEST(MendTest, ForeignProcIsTheCauseOfOtherFaults) {
  Facts facts = Sound(1000);
  facts.proc = ProcState::kForeign;
  EXPECT_EQ(MendIdMap(EACCES, facts, 0), kMountProc);
}

TEST(StepsTest, FollowThePlan) {
  Plan plan;
  plan.outer_uid = 1000;
  plan.new_keyring = plan.drop_capabilities = plan.no_new_privs = plan.landlock = false;
  auto has = [&](StepId step, uint32_t uid = 1000) {
    const auto steps = StepsOf(plan, uid);
    return std::count(steps.begin(), steps.end(), step) == 1;
  };
  EXPECT_TRUE(has(StepId::kMount)) << "the launcher's own";
  EXPECT_TRUE(has(StepId::kUser)) << "an ordinary user's launcher needs one";
  EXPECT_FALSE(has(StepId::kUser, 0));
  for (auto [flag, step] : {std::pair{CLONE_NEWPID, StepId::kPid}, {CLONE_NEWIPC, StepId::kIpc}, {CLONE_NEWUTS, StepId::kUts}, {CLONE_NEWCGROUP, StepId::kCgroup}}) {
    EXPECT_FALSE(has(step));
    plan.namespaces |= static_cast<uint64_t>(flag);
    EXPECT_TRUE(has(step));
  }
  plan.namespaces |= CLONE_NEWUSER;
  EXPECT_TRUE(has(StepId::kOwnId));
  EXPECT_TRUE(has(StepId::kForeignId, 0));
  EXPECT_FALSE(has(StepId::kIdMapRepository));
  plan.mounts.push_back({});
  plan.mounts.back().id_mapped = true;
  EXPECT_TRUE(has(StepId::kIdMapRepository));
  plan.landlock = plan.landlock_optional = true;
  EXPECT_FALSE(has(StepId::kLandlock));
  plan.landlock_optional = false;
  EXPECT_TRUE(has(StepId::kLandlock));
  EXPECT_FALSE(has(StepId::kSeccomp));
  plan.filter = "x";
  EXPECT_TRUE(has(StepId::kSeccomp));
  EXPECT_FALSE(has(StepId::kNewProc)) << "nothing mounts one yet";
}

TEST(SurveyTest, TriesEveryStepOnceAndLeavesNothing) {
  Asked asked;
  asked.repository = asked.programs = fs::temp_directory_path();
  asked.jail_uid = asked.jail_gid = kRootJailUid;
  const auto findings = Survey(asked);
  ASSERT_EQ(findings.size(), static_cast<size_t>(StepId::kCount));
  for (size_t i = 0; i < findings.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(findings[i].step), i);
    EXPECT_STRNE(NameOf(findings[i].step), "?");
    if (findings[i].outcome == Outcome::kMissing) {
      EXPECT_NE(findings[i].mend, "") << NameOf(findings[i].step);
    }
    if (findings[i].outcome == Outcome::kUntried) {
      EXPECT_NE(findings[i].seen, "") << NameOf(findings[i].step);
    }
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace paddock::sandbox::machine

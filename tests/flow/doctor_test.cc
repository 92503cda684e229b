// `paddock doctor` as people and scripts use it, and that each of its steps notices what it is there to notice.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "orchestrator/report/doctor_report.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

using orchestrator::DoctorReport;
using orchestrator::Verdict;

class Doctor : public FlowTest {
 protected:
  DoctorReport ReportOf(const Outcome& outcome) {
    auto json = ParseJson(outcome.out, {.max_bytes = 1u << 20});
    EXPECT_TRUE(json) << outcome.out << outcome.err;
    auto report = json ? FromJson<DoctorReport>(*json) : Result<DoctorReport>(DoctorReport());
    EXPECT_TRUE(report) << report.error().message;
    return *report;
  }
  // After these words: a program of the tests and its arguments.
  Outcome Behind(std::vector<std::string> words, std::vector<std::string> arguments = {"doctor", "--json"}) {
    for (std::string& word : words)
      if (&word == &words[0] || word == "deny_syscall") word = word.starts_with("/") ? word : ProgramsFolder() + "/" + word;
    arguments.insert(arguments.end(), {"--repo", Path("repo")});
    Command command = Paddock(std::move(arguments));
    command.argv.insert(command.argv.begin(), words.begin(), words.end());
    return Perform(command);
  }
};

TEST_F(Doctor, EveryProfileWorksHere) {
  const Outcome outcome = Perform(Paddock({"doctor", "--json", "--repo", Path("repo")}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.ends_with("}\n"));
  const DoctorReport report = ReportOf(outcome);
  EXPECT_TRUE(report.works);
  std::vector<std::string> names;
  for (const auto& profile : report.profiles) {
    names.push_back(profile.profile);
    EXPECT_NE(profile.verdict, Verdict::kRefused) << profile.detail;
    EXPECT_EQ(profile.in_force, profile.verdict == Verdict::kWorks ? profile.required : 0);
  }
  EXPECT_THAT(names, testing::ElementsAre("base", "build", "mcp-server", "read-only", "read-only-tools", "sealed"));
  EXPECT_THAT(List("state"), testing::IsEmpty());
  EXPECT_THAT(List("tmp"), testing::IsEmpty());
  EXPECT_THAT(List("home"), testing::IsEmpty());
}

TEST_F(Doctor, TextFitsInto80Columns) {
  const Outcome outcome = Perform(Paddock({"doctor", "--repo", Path("repo")}));
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
  for (size_t begin = 0, end; (end = outcome.out.find('\n', begin)) != std::string::npos; begin = end + 1) EXPECT_LE(end - begin, 80u) << outcome.out.substr(begin, end - begin);
  EXPECT_THAT(outcome.out, testing::HasSubstr("  works    read-only                  17 of 17 required layers in force\n"));
  EXPECT_THAT(outcome.out, testing::HasSubstr("Every profile works here.\n"));
}

TEST_F(Doctor, LeavesARecordFolderThatWasThere) {
  Perform(Investigate({}));
  const auto before = List("state");
  EXPECT_EQ(Perform(Paddock({"doctor", "--repo", Path("repo")})).status, 0);
  EXPECT_EQ(List("state"), before);
}

TEST_F(Doctor, ClosedDescriptorsAndAHomeFolder) {
  for (const char* closed : {"0<&-", "2>&-", "0<&- 2>&-"}) {
    Command command = Paddock({"-c", std::string("exec \"$0\" doctor --json ") + closed, ProgramsFolder() + "/paddock"});
    command.argv[0] = "/bin/sh";
    command.folder = Path("home");
    const Outcome outcome = Perform(command);
    EXPECT_EQ(outcome.status, 0) << closed << outcome.out << outcome.err;
    EXPECT_TRUE(ReportOf(outcome).works);
  }
}

TEST_F(Doctor, BadUsageIsTwo) {
  EXPECT_EQ(Perform(Paddock({"doctor", "--repo", Path("nowhere")})).status, 2);
  EXPECT_EQ(Perform(Paddock({"doctor", "more"})).status, 2);
}

TEST_F(Doctor, OutputThatCanNotBeWrittenIsFour) {
  Command command = Paddock({"-c", "exec \"$0\" doctor --json >&-", ProgramsFolder() + "/paddock"});
  command.argv[0] = "/bin/sh";
  EXPECT_EQ(Perform(command).status, 4);
}

// A step, and a host on which it is missing.
enum class Weight {
  kNeeded,  // by the plan of every profile
  kSpare,   // by none: all works
  kTold,    // it only says why something else is missing
};
struct Lack {
  const char* step;
  std::vector<std::string> words;  // before the command
  Weight weight = Weight::kNeeded;
};
std::ostream& operator<<(std::ostream& out, const Lack& one) { return out << one.step; }

class DoctorStep : public Doctor, public testing::WithParamInterface<Lack> {};

TEST_P(DoctorStep, NoticesWhatIsMissing) {
  const Outcome outcome = Behind(GetParam().words);
  const DoctorReport report = ReportOf(outcome);
  auto step = std::find_if(report.steps.begin(), report.steps.end(), [](const auto& one) { return std::string(NameOf(one.step)) == GetParam().step; });
  ASSERT_NE(step, report.steps.end());
  EXPECT_EQ(NameOf(step->outcome), std::string("missing")) << outcome.out;
  EXPECT_NE(step->mend, "") << outcome.out;
  EXPECT_EQ(outcome.status, report.works ? 0 : 1);
  if (GetParam().weight == Weight::kTold) return;
  EXPECT_EQ(report.works, GetParam().weight == Weight::kSpare) << outcome.out;
  if (GetParam().weight == Weight::kSpare) return;
  // What it is to the profiles follows from their plans.
  for (const auto& profile : report.profiles) {
    if (profile.verdict == Verdict::kAbstract) continue;
    EXPECT_THAT(profile.missing, testing::Contains(step->step)) << outcome.out;
    EXPECT_NE(profile.mend, "");
  }
}

Lack Deny(const char* step, const char* call, int err, Weight weight = Weight::kNeeded) { return {step, {"deny_syscall", call, std::to_string(err)}, weight}; }
// A kind of namespace that is used up.
Lack None(const char* step, const char* kind) { return {step, {"strange_host", "user", std::string("none=") + kind, "--"}}; }

INSTANTIATE_TEST_SUITE_P(
    Each, DoctorStep,
    testing::Values(Deny("system_calls", "close_range", ENOSYS), Deny("pidfd", "pidfd_open", EPERM), Deny("clone3", "clone3", ENOSYS),
                    Deny("memfd_seals", "memfd_create", ENOSYS), None("user", "user"), None("mount", "mnt"), None("pid", "pid"), None("net", "net"),
                    None("ipc", "ipc"), None("uts", "uts"), None("cgroup", "cgroup"), Lack{"max_user_namespaces", {"strange_host", "user", "none=user", "--"}, Weight::kTold},
                    Deny("tmpfs", "fsopen", EPERM), Deny("mount_trees", "open_tree", EPERM), Deny("devices", "mount_setattr", ENOSYS),
                    Deny("pivot_root", "pivot_root", EPERM), Deny("no_new_privs", "prctl:0=38", EINVAL), Deny("capabilities", "capset", EPERM),
                    Deny("seccomp", "seccomp", EINVAL), Deny("seccomp_notify", "seccomp:1=8", EINVAL, Weight::kSpare),
                    Deny("landlock", "landlock_create_ruleset", EOPNOTSUPP), Deny("keyring", "keyctl", EPERM), Deny("limits", "prlimit64", EPERM),
                    Deny("overlayfs", "mount:3=0", EPERM, Weight::kSpare),
                    Lack{"new_proc", {"strange_host", "user", "mount", "hide=/proc/meminfo", "user", "mount", "--"}, Weight::kTold},
                    Lack{"new_proc_subset_pid", {"strange_host", "user", "mount", "hide=/proc/meminfo", "user", "mount", "--"}, Weight::kTold},
                    Lack{"processes", {"deny_syscall", "clone", "11", "deny_syscall", "vfork", "11"}}),
    [](const testing::TestParamInfo<Lack>& one) { return std::string(one.param.step); });

}  // namespace
}  // namespace paddock::flow

// Under a real systemd: where control groups for jails are made, what binds there, and that nothing of systemd's is moved or left
// behind. Each suite runs in a login session, and starts paddock there or in what systemd-run makes.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/vm/machine_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr char kTop[] = "/sys/fs/cgroup";
constexpr char kAll[] = "cpu=cgroup v2 memory=cgroup v2 processes=cgroup v2";
constexpr char kSeenAlone[] = "ok: v2, binds cpu; all, once paddock steps aside in its group";

using Words = std::vector<std::string>;

// "PATH of the group below which it is made/NAME", of all groups whose name begins with `name`.
Words Groups(const std::string& name) {
  Words found;
  std::error_code ignored;
  for (fs::recursive_directory_iterator at(kTop, fs::directory_options::skip_permission_denied, ignored), end; at != end; at.increment(ignored))
    if (at->is_directory(ignored) && at->path().filename().string().starts_with(name)) found.push_back(at->path());
  return found;
}
// Those of jails, not those that paddock stepped into.
Words JailGroups() {
  Words all = Groups("paddock-");
  std::erase_if(all, [](const std::string& path) { return path.find("/paddock-main-") != path.npos || path.ends_with(".service"); });
  return all;
}

class SystemdTest : public MachineTest {
 protected:
  Command Run(const std::string& script, const Words& more = {}) const {
    Words words{"run", "--repo", Path("repo")};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", "sh", "-c", script});
    return Paddock(words);
  }
  // systemd-run with these options before it; a service gets the command's environment named, a scope has it anyway.
  Command Under(Command command, const Words& options) const {
    Words words{"/usr/bin/systemd-run", "--quiet"};
    words.insert(words.end(), options.begin(), options.end());
    for (const auto& [name, value] : command.environment) words.push_back("--setenv=" + name + "=" + value);
    words.push_back("--");
    command.argv.insert(command.argv.begin(), words.begin(), words.end());
    command.environment["XDG_RUNTIME_DIR"] = "/run/user/" + std::to_string(geteuid());
    return command;
  }
  // As above, with a shell around it, so that paddock isn't alone in its group.
  Command InShell(Command command) const {
    command.argv.insert(command.argv.begin(), {"/bin/sh", "-c", "\"$@\"; status=$?; cat /proc/self/cgroup >&2; exit $status", "sh"});
    return command;
  }
  std::string Bound(const Command& command) const {
    const Outcome outcome = Perform(command);
    auto json = ParseJson(outcome.out, {.max_bytes = 1u << 20});
    if (!json) return outcome.out + outcome.err;
    std::string text;
    for (const Json& one : (*json)["limits"])
      if (const std::string limit = one["limit"]; limit == "cpu" || limit == "memory" || limit == "processes")
        text += (text.empty() ? "" : " ") + limit + "=" + one["by"].get<std::string>();
    return text;
  }
};

class SystemdUser : public SystemdTest {
 protected:
  const Words kScope{"--user", "--scope", "-p", "Delegate=yes"};
};

constexpr char kRlimits[] = "cpu=rlimit, each process memory=rlimit, each process processes=rlimit, each user namespace";

TEST_F(SystemdUser, ASessionBindsNothingAndTheDoctorSaysWhatDoes) {
  Command doctor = DoctorCommand();
  doctor.environment["XDG_RUNTIME_DIR"] = "/run/user/" + std::to_string(geteuid());
  const auto report = Doctor(doctor);
  EXPECT_TRUE(report.works);
  EXPECT_THAT(StepOf(report, "cgroups"), StartsWith("partial: v2, binds nothing"));
  EXPECT_THAT(MendOf(report, "cgroups"), HasSubstr("systemd-run --user --scope -p Delegate=yes paddock ..."));
  EXPECT_EQ(Bound(Run("true", {"--json"})), kRlimits);
}

TEST_F(SystemdUser, TheScopeThatTheDoctorNamesBindsAll) {
  EXPECT_EQ(StepOf(Doctor(Under(DoctorCommand(), kScope)), "cgroups"), "ok: v2, binds memory processes cpu");
  EXPECT_EQ(Bound(Under(Run("true", {"--json"}), kScope)), kAll);
}

TEST_F(SystemdUser, TheJailIsBesideTheScopeAndGoneAfterwards) {
  PaddockRun run(Under(Run("echo ready >&2; exec tail -f /dev/null"), kScope));
  ASSERT_TRUE(run.WaitForLine("ready")) << run.err();
  EXPECT_THAT(JailGroups(), AllOf(SizeIs(1), Contains(HasSubstr("/app.slice/paddock-"))));
  run.Signal(SIGTERM);
  run.Finish();
  EXPECT_THAT(JailGroups(), IsEmpty());
}

TEST_F(SystemdUser, LimitsHoldForAllProcessesOfTheJailTogether) {
  Write("config/paddock/profiles/small.json",
        R"({"schema": "paddock/profile/1", "name": "small", "extends": "build", "limits": {"memory": "64M", "processes": 12}})");
  // No resource limit of a process holds either: files of a tmpfs, and children of children.
  const Outcome memory = Perform(Under(Run("head -c 100M /dev/zero >/tmp/large; echo late", {"--profile", "small"}), kScope));
  EXPECT_EQ(memory.status, 137);
  EXPECT_THAT(memory.err, HasSubstr("ended: out of memory, limit of 64M"));
  EXPECT_THAT(memory.out, Not(HasSubstr("late")));
  const Outcome processes = Perform(Under(Run("f() { [ $1 = 0 ] || (f $(($1 - 1)); true); }; f 40", {"--profile", "small"}), kScope));
  EXPECT_THAT(processes.err, HasSubstr("Cannot fork"));
}

TEST_F(SystemdUser, AShellBesideItIsNotMovedAndWhatAKilledRunLeftIsRemovedByTheNext) {
  PaddockRun run(Under(InShell(Run("echo ready >&2; exec tail -f /dev/null")), kScope));
  ASSERT_TRUE(run.WaitForLine("ready")) << run.err();
  const Words groups = JailGroups();
  EXPECT_THAT(groups, SizeIs(1));
  for (const pid_t pid : ProcessesNamed(run.pid(), "paddock")) kill(pid, SIGKILL);
  EXPECT_THAT(run.Finish().err, EndsWith(".scope\n")) << "the shell's group";
  EXPECT_EQ(JailGroups(), groups) << "left by the killed run";
  EXPECT_EQ(Bound(Under(InShell(Run("true", {"--json"})), {"--user", "--scope"})), kAll);
  EXPECT_THAT(JailGroups(), IsEmpty());
}

TEST_F(SystemdUser, AJailDoesNotGetRidOfTheLimitsOfItsScope) {
  EXPECT_THAT(Bound(Under(Run("true", {"--json"}), {"--user", "--scope", "-p", "MemoryMax=500M"})), HasSubstr("memory=rlimit, each process"));
}

class SystemdRoot : public SystemdTest {
 protected:
  static Words Service(const Words& more) {
    Words words{"--pipe", "--wait", "--collect"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // The test's folders are the user's then.
  void GiveToUser() const {
    for (const auto& entry : fs::recursive_directory_iterator(root_)) ASSERT_EQ(chown(entry.path().c_str(), 20007, 20007), 0);
    ASSERT_EQ(chown(root_.c_str(), 20007, 20007), 0);
  }
};

TEST_F(SystemdRoot, ASessionBindsAll) {
  EXPECT_EQ(StepOf(Doctor(), "cgroups"), "ok: v2, binds memory processes cpu");
  EXPECT_EQ(Bound(Run("true", {"--json"})), kAll);
  EXPECT_THAT(JailGroups(), IsEmpty());
}

TEST_F(SystemdRoot, AServiceWithDelegationBindsAllForAnOrdinaryUser) {
  GiveToUser();
  const Words service = Service({"-p", "User=20007", "-p", "Delegate=yes"});
  EXPECT_EQ(StepOf(Doctor(Under(DoctorCommand(), service)), "cgroups"), kSeenAlone);
  EXPECT_EQ(Bound(Under(Run("true", {"--json"}), service)), kAll);
}

TEST_F(SystemdRoot, AServiceWithoutDelegationBindsNothingForAnOrdinaryUserAndTheDoctorSaysWhatTheUnitLacks) {
  GiveToUser();
  const Words service = Service({"-p", "User=20007", "--unit", "runner"});
  const auto report = Doctor(Under(DoctorCommand(), service));
  EXPECT_THAT(StepOf(report, "cgroups"), StartsWith("partial: v2, binds nothing"));
  EXPECT_THAT(MendOf(report, "cgroups"), HasSubstr("Delegate=yes in runner.service"));
  EXPECT_EQ(Bound(Under(Run("true", {"--json"}), service)), kRlimits);
}

// Delegated or not, the jail stays under the service's limit; where it is not, systemd would take away what we set in the service.
TEST_F(SystemdRoot, ALimitOfTheServiceHoldsForRootsJail) {
  const Words limited = Service({"--unit", "limited", "-p", "MemoryMax=500M"});
  EXPECT_THAT(Bound(Under(Run("true", {"--json"}), limited)), HasSubstr("memory=rlimit, each process"));
  Words delegated = limited;
  delegated.insert(delegated.end(), {"-p", "Delegate=yes"});
  PaddockRun run(Under(Run("echo ready >&2; exec tail -f /dev/null"), delegated));
  ASSERT_TRUE(run.WaitForLine("ready")) << run.err();
  const Words groups = JailGroups();
  EXPECT_THAT(groups, AllOf(SizeIs(1), Contains(HasSubstr("/limited.service/paddock-"))));
  EXPECT_EQ(std::system("systemctl daemon-reload"), 0);
  for (const std::string& group : groups) EXPECT_TRUE(fs::exists(group + "/memory.max"));
  EXPECT_EQ(std::system("systemctl stop limited"), 0);
  run.Finish();
  EXPECT_THAT(JailGroups(), IsEmpty());
}

}  // namespace
}  // namespace paddock::flow

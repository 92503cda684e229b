// Machines that lack something, or have it elsewhere. On each of them a run either has the whole confinement that
// was promised, or is refused by name with the mend that helps there; nothing is left behind, and `paddock doctor`
// says the same.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "orchestrator/report/doctor_report.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

using orchestrator::DoctorReport;
using orchestrator::Verdict;

constexpr char kStrange[] = "strange", kDeny[] = "deny";

struct Expected {
  const char* detail = nullptr;  // of the refusal; null: the run is completed
  const char* hint = nullptr;    // a part of what to do about it
  const char* step = nullptr;    // of the doctor's, missing
  bool masked_proc = false;      // the kernel gives out no whole /proc, which programs of some profiles need; cells don't
};

// What stands before the command, in words: strange_host's after "strange", deny_syscall's after "deny", else a
// program's. REPO, STATE and TMP are the run's folders.
struct Host {
  const char* name;
  std::vector<std::string> root_words, user_words;
  Expected root, user;
};
std::ostream& operator<<(std::ostream& out, const Host& host) { return out << host.name; }

class Hosts : public FlowTest, public testing::WithParamInterface<Host> {
 protected:
  std::vector<std::string> Around() const {
    std::vector<std::string> words = geteuid() == 0 ? GetParam().root_words : GetParam().user_words;
    for (std::string& word : words)
      for (const auto& [name, folder] : {std::pair{"REPO", "repo"}, {"STATE", "state"}, {"TMP", "tmp"}})
        if (word.ends_with(std::string("=") + name)) word = word.substr(0, word.find('=') + 1) + Path(folder);
    if (words[0] == kStrange) words.push_back("--");
    if (words[0] == kStrange) words[0] = ProgramsFolder() + "/strange_host";
    for (std::string& word : words)
      if (word == kDeny) word = ProgramsFolder() + "/deny_syscall";
    return words;
  }
  // The command, there.
  flow::Outcome In(Command command) const {
    std::vector<std::string> words = Around();
    command.argv.insert(command.argv.begin(), words.begin(), words.end());
    return Perform(command);
  }
  const Expected& expected() const { return geteuid() == 0 ? GetParam().root : GetParam().user; }
};

TEST_P(Hosts, GiveTheWholeConfinementOrAReason) {
  const flow::Outcome outcome = In(Investigate({}));
  const auto ticket = TicketOf(outcome);
  if (!expected().detail) {
    EXPECT_EQ(StatusOf(ticket), "completed") << outcome.out << outcome.err;
    ASSERT_TRUE(ticket.receipt.is_object());
    for (const Json& layer : ticket.receipt["layers"]) EXPECT_TRUE(layer["in_force"].get<bool>() || !layer["required"].get<bool>()) << layer.dump();
    return;
  }
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_EQ(StatusOf(ticket), "failed_to_start") << outcome.out;
  EXPECT_THAT(ticket.ending.detail, testing::HasSubstr(expected().detail));
  EXPECT_THAT(ticket.ending.hint, testing::HasSubstr(expected().hint));
  EXPECT_THAT(List("tmp"), testing::IsEmpty());
  if (!std::string(GetParam().name).ends_with("State")) return;
  EXPECT_THAT(List("state"), testing::IsEmpty());
}

TEST_P(Hosts, AreToldByTheDoctor) {
  const flow::Outcome outcome = In(Paddock({"doctor", "--json", "--repo", Path("repo")}));
  auto json = ParseJson(outcome.out, {.max_bytes = 1u << 20});
  ASSERT_TRUE(json) << json.error().message << outcome.out << outcome.err;
  auto report = FromJson<DoctorReport>(*json);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(outcome.err, "");
  const bool works = !expected().detail && !expected().masked_proc;
  EXPECT_EQ(report->works, works) << outcome.out;
  EXPECT_EQ(outcome.status, works ? 0 : 1);
  if (expected().detail) {
    std::string details = report->record.detail;
    for (const auto& profile : report->profiles) details += "\n" + profile.detail;
    EXPECT_THAT(details, testing::HasSubstr(expected().detail));
    EXPECT_THAT(report->mends, testing::Contains(testing::HasSubstr(expected().hint))) << outcome.out;
  } else if (expected().masked_proc) {
    for (const auto& profile : report->profiles) {
      const bool needs_proc = profile.profile == "build" || profile.profile == "mcp-server";
      if (profile.verdict == Verdict::kAbstract) continue;
      EXPECT_EQ(profile.verdict, needs_proc ? Verdict::kRefused : Verdict::kWorks) << profile.profile << ": " << profile.detail;
      EXPECT_EQ(profile.mend.find("\"proc\": \"none\"") != std::string::npos, needs_proc) << profile.mend;
    }
  } else {
    EXPECT_THAT(report->mends, testing::IsEmpty()) << outcome.out;
  }
  if (expected().step) {
    auto step = std::find_if(report->steps.begin(), report->steps.end(), [&](const auto& one) { return std::string(NameOf(one.step)) == expected().step; });
    ASSERT_NE(step, report->steps.end()) << expected().step;
    EXPECT_EQ(NameOf(step->outcome), std::string("missing")) << outcome.out;
    EXPECT_NE(step->mend, "");
  }
  EXPECT_THAT(List("state"), testing::IsEmpty());
  EXPECT_THAT(List("tmp"), testing::IsEmpty());
}

using Words = std::vector<std::string>;
Host Both(const char* name, Words words, Expected expected) { return {name, words, words, expected, expected}; }
// strange_host's words; an ordinary user needs a user namespace for them.
Host Strange(const char* name, Words words, Expected root, Expected user) {
  words.insert(words.begin(), kStrange);
  Words user_words = words;
  user_words.insert(user_words.begin() + 1, "user");
  return {name, words, user_words, root, user};
}
Host Strange(const char* name, Words words, Expected expected) { return Strange(name, std::move(words), expected, expected); }

constexpr Expected kWorks{};
constexpr Expected kWorksForCells{nullptr, nullptr, nullptr, true};
constexpr Expected kOnlyRoot{"setgroups", "no id but 0", "foreign_id"};
constexpr Expected kForeignProc{"of another pid namespace", "mount -t proc proc /proc", "proc"};
const Words kBwrap{"/usr/bin/bwrap", "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"};
Words Bwrap(Words more) {
  Words words = kBwrap;
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

INSTANTIATE_TEST_SUITE_P(
    All, Hosts,
    testing::Values(
        Both("Plain", {"/usr/bin/env"}, kWorks),
        // user namespaces
        Both("NoUserNamespaces", {kStrange, "user", "none=user"}, {"ENOSPC", "sysctl -w user.max_user_namespaces=15000", "user"}),
        Both("OnlyRootsId", {kStrange, "user-root"}, kOnlyRoot),
        // Root under another name: its jails would be root's on the host.
        Host{"RootAsSomebodyElse", {"/usr/bin/unshare", "--user", "--map-user=1000", "--map-group=1000"},
             {"/usr/bin/unshare", "--user", "--map-user=1000", "--map-group=1000"}, {"id 0 of the host", "as an ordinary user", nullptr}, kWorks},
        Both("UnshareR", {"/usr/bin/unshare", "-r"}, kOnlyRoot),
        Both("UnshareRmp", {"/usr/bin/unshare", "-rmp", "--fork", "--mount-proc"}, kOnlyRoot),
        Host{"Bubblewrap", kBwrap, kBwrap, kWorksForCells, kWorks},
        Host{"BubblewrapWithUserNamespace", Bwrap({"--unshare-user"}), Bwrap({"--unshare-user"}), kOnlyRoot, kWorks},
        Host{"BubblewrapThatForbidsUserNamespaces", Bwrap({"--unshare-user", "--disable-userns"}), Bwrap({"--unshare-user", "--disable-userns"}),
             kOnlyRoot, {"ENOSPC", "Run paddock outside of it", "user"}},
        Both("BubblewrapWithoutDevices", {"/usr/bin/bwrap", "--bind", "/", "/", "--proc", "/proc"}, {"/dev/null", "bubblewrap has --dev /dev", "devices"}),
        // proc
        Strange("MaskedProc", {"mount", "tmpfs=/proc/sys", "tmpfs=/proc/irq", "hide=/proc/meminfo"}, kWorksForCells, {nullptr, nullptr, "new_proc", true}),
        Strange("NoProc", {"mount", "tmpfs=/proc"}, {"/proc/self/exe", "mount /proc", "proc"}),
        Strange("ProcOfAnotherPidNamespace", {"pid"}, kForeignProc),
        Strange("ProcOfItsOwnPidNamespace", {"mount", "pid", "proc"}, kWorks),
        Both("UnshareWithoutMountProc", {"/usr/bin/unshare", "-rp", "--fork"}, kForeignProc),
        // rights
        Strange("NoSysAdmin", {"drop=21"}, {"mount namespace", "CAP_SYS_ADMIN", "mount"}, kWorks),
        Strange("NoSetUid", {"drop=7"}, {"uid_map", "CAP_SETUID", "foreign_id"}, kWorks),
        Strange("NoSetGid", {"drop=6"}, {"setgroups", "CAP_SETGID", "foreign_id"}, kWorks),
        Both("UnderLandlock", {kStrange, "landlock"}, {"mount propagation", "start paddock outside of such a sandbox", "mount"}),
        Host{"FewProcesses", {kDeny, "clone", "11", kDeny, "vfork", "11"}, {kStrange, "processes=1"}, {"could not be started", "ulimit -u", "processes"},
             {"could not be started", "ulimit -u", "processes"}},
        Both("NoMoreProcesses", {kDeny, "clone3", "11"}, {"EAGAIN", "ulimit -u", "clone3"}),
        // a kernel, or a filter around paddock, that lacks something
        Both("NoLandlock", {kDeny, "landlock_create_ruleset", "38"}, {"stage landlock", "allow landlock_create_ruleset", "landlock"}),
        Both("LandlockOff", {kDeny, "landlock_create_ruleset", "95"}, {"stage landlock", "lsm= boot parameter", "landlock"}),
        Both("NoFilters", {kDeny, "seccomp", "22"}, {"stage filter", "allow seccomp(2)", "seccomp"}),
        // Nothing that ships needs a listener.
        Both("NoSeccompNotification", {kDeny, "seccomp:1=8", "22"}, {nullptr, nullptr, "seccomp_notify"}),
        Both("NoClone3", {kDeny, "clone3", "38"}, {"ENOSYS", "filter is in force", "clone3"}),
        Both("NoMountApi", {kDeny, "mount_setattr", "38"}, {"ENOSYS", "filter is in force", "mount_trees"}),
        Both("NoPidfd", {kDeny, "pidfd_open", "38"}, {"pidfd_open", "filter is in force", "pidfd"}),
        Both("NoMemfd", {kDeny, "memfd_create", "38"}, {"memfd_create", "filter is in force", "memfd_seals"}),
        Both("NoKeyring", {kDeny, "keyctl", "1"}, {"session keyring", "filter is in force", "keyring"}),
        Strange("NoDevices", {"mount", "tmpfs=/dev"}, {"/dev/null", "/dev must hold", "devices"}),
        // places
        Strange("ReadOnlyTmp", {"mount", "read-only=/tmp", "tmpfs=STATE"}, kWorks),
        Strange("NoSharedMemoryFolder", {"mount", "tmpfs=/dev/shm", "read-only=/dev/shm"}, kWorks),
        Both("NoTmpdir", {"/usr/bin/env", "-u", "TMPDIR"}, kWorks),
        Strange("FullTmp", {"mount", "full=TMP"}, kWorks),
        Strange("FullState", {"mount", "full=STATE"}, {"ENOSPC", "make room", nullptr}),
        Strange("ReadOnlyState", {"mount", "read-only=STATE"}, {"EROFS", "XDG_STATE_HOME", nullptr}),
        Both("NoState", {"/usr/bin/env", "XDG_STATE_HOME=/proc"}, {"/proc", "XDG_STATE_HOME", nullptr}),
        Strange("RepositoryOnTmpfs", {"mount", "copy=REPO"}, kWorks),
        Strange("RepositoryOnReadOnlyMount", {"mount", "read-only=REPO"}, kWorks),
        Strange("RepositoryOnOverlay", {"mount", "overlay=REPO"}, {"id-mapped", "as an ordinary user", "id_mapped_repository"}, kWorks)),
    [](const testing::TestParamInfo<Host>& one) { return one.param.name; });

}  // namespace
}  // namespace paddock::flow

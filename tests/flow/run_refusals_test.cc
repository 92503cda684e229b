// What `paddock run` and `paddock shell` refuse before anything is started, and what they say then.
#include "tests/flow/run_command_fixture.h"

namespace paddock::flow {
namespace {

using orchestrator::RunEndingKind;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class RunRefusals : public RunCommandTest {
 protected:
  void Profile(const std::string& more) { Write("config/paddock/profiles/mine.json", "{\"schema\": \"paddock/profile/1\", \"name\": \"mine\",\n\"extends\": \"build\",\n" + more + "}"); }
};

TEST_F(RunRefusals, AreTheReportWithJsonAlsoWhereTheWordsAreAtFault) {
  const std::vector<std::vector<std::string>> cases = {
      {"--json", "--no-such-option", "--", "true"}, {"--no-such-option", "--json", "true"}, {"--json", "--repo"}, {"--profile", "build", "--json", "--timeout"}, {"--json"},
      {"--json", "--repo", "/no/such/folder", "true"}};
  for (const auto& arguments : cases) {
    const Outcome outcome = Perform(Run(arguments));
    EXPECT_EQ(outcome.status, 125);
    const auto report = ReportOf(outcome);
    EXPECT_EQ(report.ending.kind, RunEndingKind::kSetupError) << testing::PrintToString(arguments);
    EXPECT_EQ(report.ending.stage, "usage");
    EXPECT_FALSE(report.ending.detail.empty());
    EXPECT_THAT(outcome.err, StartsWith("paddock: ")) << testing::PrintToString(arguments);
  }
  // What only looks like it: a value, or the program's own.
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--profile", "--json", "--no-such-option"}, {"--no-such-option", "echo", "--json"}}) {
    const Outcome outcome = Perform(Run(arguments));
    EXPECT_EQ(outcome.status, 125);
    EXPECT_EQ(outcome.out, "") << testing::PrintToString(arguments);
  }
}

TEST_F(RunRefusals, SayEveryFaultOfAProfile) {
  Profile("\"limits\": {\"wal\": \"1h\",\n\"memory\": \"512MB\"},\n\"filesystem\": {\"hide\": [\"!.env\"]}");
  Outcome outcome = Perform(Run({"--profile", "mine", "true"}));
  EXPECT_EQ(outcome.status, 125);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("mine.json:3: $.limits: unknown key \"wal\""), HasSubstr("\npaddock: " + Path("config/paddock/profiles/mine.json") + ":4: $.limits.memory"),
                                 HasSubstr("mine.json:5: $.filesystem.hide[0]: \"!.env\" begins with")));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 3) << outcome.err;
  const auto report = ReportOf(Perform(Run({"--json", "--profile", "mine", "true"})));
  EXPECT_THAT(report.ending.detail, HasSubstr("\"wal\""));
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("$.limits.memory"), HasSubstr("$.filesystem.hide[0]")));
  // So do the others.
  outcome = Perform(Paddock({"tool", "call", "list_files", "--profile", "mine", "--repo", Path("repo")}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("unknown key \"wal\""), HasSubstr("$.limits.memory"), HasSubstr("$.filesystem.hide[0]")));
}

TEST_F(RunRefusals, AreFoldersOfTheSystem) {
  for (const char* folder : {"/", "/etc", "/etc/ssl", "/run", "/proc", "/sys/kernel", "/usr", "/var/lib", "/home/.."}) {
    const Outcome outcome = Perform(Run({"--profile", "mcp-server", "--repo", folder, "true"}));
    EXPECT_EQ(outcome.status, 125) << folder;
    EXPECT_THAT(outcome.err, HasSubstr("--insist")) << folder;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST_F(RunRefusals, OfAShellNameAProfileThatHasOne) {
  const Outcome outcome = Perform(Paddock({"shell", "--profile", "read-only-tools", "--repo", Path("repo")}));
  EXPECT_EQ(outcome.status, 125);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("profile read-only-tools starts the programs of its list only, and no shell is one of them"), HasSubstr("such as build")));
}

TEST_F(RunRefusals, AreNoneOfWhatAProfileMayRead) {
  // A file alone, a name that acts on terminals, a path that goes through a link of the root's.
  const std::string odd = Path("odd\nname\x1b[31m");
  Write("shown.txt", "shown\n");
  Write("odd\nname\x1b[31m", "odd\n");
  Profile("\"filesystem\": {\"tmp\": \"0\", \"read\": [" + Quoted(Path("shown.txt")) + ", " + Quoted(odd) + ", \"/bin/cat\", \"/lib\"]}");
  const Outcome outcome = Perform(Run({"--profile", "mine", "/bin/cat", Path("shown.txt"), odd}));
  EXPECT_EQ(outcome.out, "shown\nodd\n");
  EXPECT_EQ(outcome.err, "");
  Perform(Run({"--profile", "mine", "sh", "-c", "echo changed >>" + Path("shown.txt")}));
  EXPECT_EQ(Read("shown.txt"), "shown\n");
}

TEST_F(RunRefusals, DoNotForgeLines) {
  const std::string name = Path("tmp/a\npaddock: forged\x1b[31m");
  Profile("\"filesystem\": {\"read\": [" + Quoted(name) + "]}");
  Outcome outcome = Perform(Run({"--profile", "mine", "true"}));
  EXPECT_EQ(outcome.status, 125);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
}

TEST_F(RunRefusals, SaysThatPathsAreHiddenOnlyWhereSomethingFailed) {
  Profile(R"("filesystem": {"hide": [".*"]})");
  Write("repo/.env", "secret\n");
  Write("repo/.git/config", "secret\n");
  EXPECT_EQ(Perform(Run({"--profile", "mine", "true"})).err, "");
  const Outcome outcome = Perform(Run({"--profile", "mine", "sh", "-c", "cat .env .git/config; head -1 README.md; exit 1"}));
  EXPECT_EQ(outcome.out, "# Thing\n");
  EXPECT_THAT(outcome.err, HasSubstr("paddock: 2 paths are hidden, as the profile asks\n"));
}

}  // namespace
}  // namespace paddock::flow

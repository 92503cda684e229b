// A profile of the user's own that hides files: the secret is in no ticket, record or transcript, and a cell that does
// not say properly what is to be hidden is nowhere near the repository afterwards.
#include <filesystem>

#include "subagents/tool_call.h"
#include "tests/flow/flow_fixture.h"
#include "tests/flow/run_command_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// No redactor knows its shape.
constexpr char kSecret[] = "plainwordsecret";

class HideFlow : public FlowTest {
 protected:
  HideFlow() {
    Own(R"([".env", "secrets/"])");
    Write("config/paddock/subagents/looker.md", "---\nname: looker\npurpose: Looks.\ntools: [list_files, read_file, search_text]\nprofile: no-secrets\nturns: 6\nseconds: 60\n---\nLook.\n");
    Write("repo/.env", std::string(kSecret) + "\n");
    Write("repo/secrets/one", std::string(kSecret) + "\n");
    fs::create_hard_link(Path("repo/secrets/one"), Path("repo/src/copy.txt"));
  }
  void Own(const std::string& patterns) {
    Write("config/paddock/profiles/no-secrets.json", R"({"schema": "paddock/profile/1", "name": "no-secrets", "extends": "read-only", "filesystem": {"hide": )" + patterns + "}}");
  }
  Command Look(std::vector<std::string> more, const std::string& programs = ProgramsFolder()) const {
    std::vector<std::string> words{"investigate", "looker", "what is this?", "--json", "--repo", Path("repo")};
    words.insert(words.end(), more.begin(), more.end());
    return Paddock(std::move(words), programs);
  }
  std::string AskForAll() const {
    return Script(R"([{"calls": [{"tool": "list_files", "arguments": {}}, {"tool": "search_text", "arguments": {"pattern": "plainword"}},
        {"tool": "read_file", "arguments": {"path": ".env"}}, {"tool": "read_file", "arguments": {"path": "secrets/one"}},
        {"tool": "read_file", "arguments": {"path": "src/copy.txt"}}, {"tool": "read_file", "arguments": {"path": "README.md"}}]},
      {"report": {"summary": "seen", "findings": [{"title": "A thing", "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]},
        {"title": "A secret", "evidence": [{"path": ".env", "line_start": 1, "line_end": 1, "quote": "plain"}]}]}}])");
  }
};

TEST_F(HideFlow, TheSecretIsNowhere) {
  const Outcome outcome = Perform(Look({"--model", AskForAll()}));
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome.out << outcome.err;
  EXPECT_EQ(ticket.citations_verified, 1) << outcome.out;
  EXPECT_THAT(ticket.notes, Contains(HasSubstr("3 paths are hidden, as the profile asks")));
  EXPECT_THAT(ticket.notes, Contains(HasSubstr("2 files or folders are hidden by the profile")));
  EXPECT_THAT(ticket.notes, Contains(HasSubstr("no-secrets.json:1: $.filesystem.hide: where there is a history (.git)")));
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr(kSecret)));
  size_t files = 0;
  for (const std::string& name : List("state")) {
    if (!fs::is_regular_file(Path("state/" + name))) continue;
    ++files;
    EXPECT_THAT(Read("state/" + name), Not(HasSubstr(kSecret))) << name;
  }
  EXPECT_GE(files, 3u);
  // Without the profile it is there: the test can see it.
  EXPECT_THAT(Perform(Paddock({"tool", "call", "read_file", "--arg", "path=.env", "--repo", Path("repo")})).out, HasSubstr(kSecret));
}

// A name that is written otherwise hides nothing: whoever asked for it is told.
TEST_F(HideFlow, APatternOfTheCommandLineThatMatchesNothingIsTold) {
  const auto ticket = TicketOf(Perform(Paddock({"investigate", "explorer", "what is this?", "--json", "--repo", Path("repo"), "--hide", ".ENV", "--hide", "secrets/", "--model", AskForAll()})));
  EXPECT_THAT(ticket.notes, Contains(HasSubstr("--hide \".ENV\" matches nothing here")));
  const auto any_case = TicketOf(Perform(Paddock({"investigate", "explorer", "what is this?", "--json", "--repo", Path("repo"), "--hide", ":(icase).ENV", "--model", AskForAll()})));
  EXPECT_THAT(any_case.notes, Contains(HasSubstr("1 path is hidden")));
  EXPECT_THAT(ticket.notes, Not(Contains(HasSubstr("--hide \"secrets/\" matches nothing"))));
}

TEST_F(HideFlow, FilesThatAreHiddenByTheCommandLine) {
  const Outcome outcome = Perform(Paddock({"investigate", "explorer", "what is this?", "--json", "--repo", Path("repo"), "--hide", ".env", "--hide", "secrets/", "--model", AskForAll()}));
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome.out << outcome.err;
  EXPECT_THAT(ticket.notes, Contains(HasSubstr("3 paths are hidden, as the profile asks")));
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr(kSecret)));
  const Outcome agent = Perform(Paddock({"exec", "what is this?", "--json", "--repo", Path("repo"), "--hide", ".env", "--hide", "secrets/", "--model", AskForAll()}));
  EXPECT_EQ(agent.status, 0) << agent.out;
  EXPECT_THAT(agent.out + agent.err, Not(HasSubstr(kSecret)));
  EXPECT_THAT(ticket.notes, Contains(HasSubstr("what was ever committed is in the history (.git) too")));
  EXPECT_THAT(ticket.notes, Not(Contains(HasSubstr("matches nothing"))));
  for (const char* pattern : {"**", "", "../x", "["}) {
    const Outcome refused = Perform(Paddock({"investigate", "explorer", "what?", "--repo", Path("repo"), "--hide", pattern}));
    EXPECT_EQ(refused.status, 2) << pattern;
    EXPECT_THAT(refused.err, HasSubstr("--hide")) << pattern;
  }
}

TEST_F(HideFlow, AToolCallHasTheSameView) {
  for (const char* path : {".env", "secrets/one", "src/copy.txt"}) {
    const Outcome outcome = Perform(Paddock({"tool", "call", "read_file", "--arg", std::string("path=") + path, "--profile", "no-secrets", "--repo", Path("repo")}));
    EXPECT_EQ(outcome.status, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, Not(HasSubstr(kSecret)));
    EXPECT_THAT(outcome.out, HasSubstr("3 paths are hidden"));
    EXPECT_THAT(outcome.out, HasSubstr("what was ever committed"));
  }
}

TEST_F(HideFlow, WhatCannotBeHiddenStartsNothing) {
  fs::create_symlink(".", Path("repo/sub.env"));
  Own(R"(["*.env"])");
  auto ticket = TicketOf(Perform(Look({"--model", AskForAll()})));
  EXPECT_EQ(StatusOf(ticket), "failed_to_start");
  EXPECT_THAT(ticket.ending.detail, HasSubstr("the link \"sub.env\" matches, and leads to the repository itself"));
  Own(R"(["[a"])");
  const Outcome outcome = Perform(Look({"--model", AskForAll()}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no-secrets.json:1: $.filesystem.hide[0]: \"[a\""));
}

TEST_F(HideFlow, ACellThatLiesOrDiesIsNeverNothingToHide) {
  for (const char* behaviour : {"hide dies", "hide ends without a word", "hide closes its pipe", "hide says nonsense", "hide says something else", "hide goes up", "hide names the root",
                                "hide names the workspace", "hide has a NUL", "hide names too many", "hide says an unknown fault", "hide says nothing"}) {
    Write("repo/behaviour", behaviour);
    const bool waits = std::string(behaviour) == "hide says nothing";
    const Outcome outcome = Perform(Look({"--model", AskForAll(), "--timeout", waits ? "2s" : "30s"}, HostileFolder()));
    const auto ticket = TicketOf(outcome);
    EXPECT_EQ(StatusOf(ticket), "failed_to_start") << behaviour << outcome.out;
    EXPECT_EQ(outcome.status, 3) << behaviour;
    EXPECT_FALSE(ticket.ending.detail.empty()) << behaviour;
    EXPECT_LT(outcome.took, std::chrono::seconds(15)) << behaviour;
  }
}

// A mask can't be read, and git breaks off at a tracked file that it may not read.
TEST_F(HideFlow, ATrackedFileThatIsHiddenKeepsNoOtherFromBeingCompared) {
  Write("config/paddock/profiles/history.json", R"({"schema": "paddock/profile/1", "name": "history", "extends": "read-only-tools", "filesystem": {"hide": [".env", "secrets/"]}})");
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"/usr/bin/git", "-C", Path("repo"), "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"});
    Command command;
    command.argv = std::move(words);
    command.environment = {{"HOME", Path("home")}};
    const Outcome outcome = Perform(command);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  };
  fs::remove(Path("repo/src/copy.txt"));
  git({"init", "-q"});
  git({"add", "-A"});
  git({"commit", "-q", "-m", "all"});
  Write("repo/README.md", "# Another thing\n");
  const Outcome outcome = Perform(Paddock({"tool", "call", "git_diff", "{}", "--json", "--profile", "history", "--repo", Path("repo")}));
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("+# Another thing"));
  EXPECT_THAT(outcome.out, HasSubstr("files that the profile hides"));
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr(kSecret)));
}

class HideFromPrograms : public RunCommandTest {
 protected:
  HideFromPrograms() {
    Profile("reading", "mcp-server");
    Profile("building", "build");
    Write("repo/.env", std::string(kSecret) + "\n");
    fs::create_hard_link(Path("repo/.env"), Path("repo/copy"));
  }
  void Profile(const std::string& name, const std::string& base) {
    Write("config/paddock/profiles/" + name + ".json", R"({"schema": "paddock/profile/1", "name": ")" + name + R"(", "extends": ")" + base + R"(", "filesystem": {"hide": [".env"]}})");
  }
};

TEST_F(HideFromPrograms, OnTheWorkspaceItselfAndInACopy) {
  for (const char* profile : {"reading", "building"}) {
    const Outcome outcome = Perform(Run({"--profile", profile, "--json", "--", "sh", "-c", "cat .env copy; head -1 README.md"}));
    const auto report = ReportOf(outcome);
    EXPECT_EQ(report.out->text, "# Thing\n") << outcome.out << outcome.err;
    ASSERT_TRUE(report.receipt) << profile;
    EXPECT_THAT(report.receipt->notes, Contains(HasSubstr("2 paths are hidden, as the profile asks"))) << profile;
    EXPECT_EQ(report.receipt->hidden, 2) << profile;
    EXPECT_THAT(outcome.out, Not(HasSubstr("left out"))) << profile;
  }
}

TEST_F(HideFromPrograms, ALinkThatLeadsOutStartsNothing) {
  fs::remove(Path("repo/.env"));
  fs::create_symlink("/etc/hostname", Path("repo/.env"));
  const Outcome outcome = Perform(Run({"--profile", "reading", "--", "cat", ".env"}));
  EXPECT_EQ(outcome.status, 125) << outcome.out;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("the link \".env\" matches what the profile hides"));
}

}  // namespace
}  // namespace paddock::flow

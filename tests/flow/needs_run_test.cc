// A subagent asks for a run: it is done only where the user allows it, in a jail, and a fresh cell goes on with the log.
#include <signal.h>

#include <filesystem>

#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr char kRead[] = R"({"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]})";
constexpr char kSeen[] = R"({"report": {"summary": "seen it", "findings": [{"title": "It is a thing",
    "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]}]}})";

std::string Ask(const std::string& command) {
  return R"({"report": {"summary": "a run is needed", "needs_run": {"command": )" + Quoted(command) + R"(, "why": "to see it fail"}}})";
}
std::string Turns(std::initializer_list<std::string> turns) {
  std::string list;
  for (const std::string& turn : turns) list += (list.empty() ? "" : ", ") + turn;
  return "[" + list + "]";
}

class NeedsRunFlow : public FlowTest {
 protected:
  NeedsRunFlow() { Define("may_ask_to_run: true\n"); }
  void Define(const std::string& more, const std::string& profile = "read-only") const {
    Write("config/paddock/subagents/asker.md",
          "---\nname: asker\npurpose: Asks.\ntools: [list_files, read_file, search_text]\nprofile: " + profile + "\nturns: 8\nseconds: 60\n" + more + "---\nAsk.\n");
  }
  Command Asker(const std::string& script, std::vector<std::string> more) const {
    std::vector<std::string> words{"investigate", "asker", "why?", "--json", "--repo", Path("repo"), "--model", script};
    words.insert(words.end(), more.begin(), more.end());
    return Paddock(std::move(words));
  }
  subagents::ResultTicket Of(const std::string& script, std::vector<std::string> more = {}) {
    outcome_ = Perform(Asker(script, std::move(more)));
    return TicketOf(outcome_);
  }
  std::string Record() const {
    for (const std::string& name : List("state"))
      if (name.ends_with("events.jsonl")) return Read("state/" + name);
    return "";
  }
  Outcome outcome_;
};

// What is hidden stands in the history as well, for any command to print: a run sees none.
TEST_F(NeedsRunFlow, ARunSeesNoHistoryWhereFilesAreHidden) {
  for (const char* history : {".git", "mirror.git", "sub/.GIT"}) Write(std::string("repo/") + history + "/objects/was-committed", "the secret");
  Write("repo/worktree/.git", "gitdir: the secret\n");
  const std::string look = "find . -name was-committed -o -name .git -type f | xargs -r cat | grep 'the secre[t]'";
  EXPECT_EQ(Of(Script(Turns({kRead, Ask(look), kSeen})), {"--allow-run"}).runs.at(0).exit_status, 0) << outcome_.out;
  Write("repo/.env", "x");
  const auto hidden = Of(Script(Turns({kRead, Ask(look), kSeen})), {"--allow-run", "--hide", ".env"});
  ASSERT_EQ(hidden.runs.size(), 1u) << outcome_.out;
  EXPECT_NE(hidden.runs[0].exit_status, 0);
  EXPECT_THAT(outcome_.out, Not(HasSubstr("the secret")));
}

TEST_F(NeedsRunFlow, IsNotDoneWithoutTheUsersWord) {
  const auto ticket = Of(Script(Turns({kRead, Ask("touch ran; make check"), kSeen})));
  EXPECT_EQ(StatusOf(ticket), "partial") << outcome_.out;
  EXPECT_EQ(outcome_.status, 1);
  ASSERT_TRUE(ticket.needs_run);
  EXPECT_EQ(ticket.needs_run->command, "touch ran; make check");
  EXPECT_TRUE(ticket.runs.empty());
  EXPECT_EQ(ticket.summary, "a run is needed");
  EXPECT_THAT(ticket.next_actions, Contains(HasSubstr("--allow-run")));
  EXPECT_THAT(ticket.notes, Contains(HasSubstr("`touch ran; make check`, which was not done")));
  EXPECT_THAT(Record(), Not(HasSubstr("run_started")));
}

TEST_F(NeedsRunFlow, IsDoneAndASecondLegGoesOn) {
  const auto ticket = Of(Script(Turns({kRead, Ask("cat README.md; echo oops >&2; touch ran; exit 3"), kSeen})), {"--allow-run"});
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome_.out;
  EXPECT_FALSE(ticket.needs_run);
  ASSERT_EQ(ticket.runs.size(), 1u);
  EXPECT_EQ(ticket.runs[0].ending, "exit");
  EXPECT_EQ(ticket.runs[0].exit_status, 3);
  EXPECT_EQ(ticket.runs[0].profile, "build");
  EXPECT_EQ(ticket.summary, "seen it");
  EXPECT_EQ(ticket.usage.turns, 3) << "of both legs";
  EXPECT_EQ(ticket.usage.tool_calls, 1);
  EXPECT_EQ(ticket.citations_verified, 1) << "what the first leg read counts as read";
  EXPECT_FALSE(std::filesystem::exists(Path("repo/ran"))) << "it ran on a private copy";
  EXPECT_THAT(Record(), HasSubstr("run_finished"));
  EXPECT_THAT(Record(), HasSubstr("oops\\n")) << "the log is in the record";
  EXPECT_THAT(outcome_.err, Not(HasSubstr("\noops"))) << "nothing of it is on the user's terminal";
}

TEST_F(NeedsRunFlow, TheSettingAllowsItToo) {
  Write("config/paddock/config.json", R"({"schema": "paddock/config/1", "allow_run": true})");
  EXPECT_EQ(Of(Script(Turns({Ask("true"), kRead, kSeen}))).runs.size(), 1u) << outcome_.out;
}

TEST_F(NeedsRunFlow, NeitherATicketNorTheRepositoryAllowsIt) {
  Write("repo/.config/paddock/config.json", R"({"schema": "paddock/config/1", "allow_run": true})");
  Write("repo/config.json", R"({"schema": "paddock/config/1", "allow_run": true})");
  Write("ticket.json", R"({"schema": "paddock/task/1", "subagent": "asker", "goal": "why?"})");
  const std::string script = Script(Turns({Ask("true"), kSeen}));
  outcome_ = Perform(Paddock({"investigate", "--ticket", Path("ticket.json"), "--json", "--repo", Path("repo"), "--model", script}));
  EXPECT_TRUE(TicketOf(outcome_).runs.empty()) << outcome_.out;
  Write("ticket.json", R"({"schema": "paddock/task/1", "subagent": "asker", "goal": "why?", "allow_run": true})");
  outcome_ = Perform(Paddock({"investigate", "--ticket", Path("ticket.json"), "--json", "--repo", Path("repo"), "--model", script}));
  EXPECT_EQ(outcome_.status, 2) << outcome_.out;
}

TEST_F(NeedsRunFlow, IsNotOnOfferToOneThatIsNotMeantToAsk) {
  Define("");
  const auto ticket = Of(Script(Turns({kRead, Ask("touch ran")})), {"--allow-run"});
  EXPECT_TRUE(ticket.runs.empty()) << outcome_.out;
  EXPECT_THAT(Record(), Not(HasSubstr("run_started")));
}

TEST_F(NeedsRunFlow, TwiceATicketAtMost) {
  const auto ticket = Of(Script(Turns({kRead, Ask("echo one"), Ask("echo two"), Ask("echo three")})), {"--allow-run"});
  ASSERT_EQ(ticket.runs.size(), 2u) << outcome_.out;
  EXPECT_EQ(ticket.runs[1].command, "echo two");
  EXPECT_THAT(Record(), Not(HasSubstr("three\\n")));
}

TEST_F(NeedsRunFlow, ARunHasItsOwnBoundOfTime) {
  const auto ticket = Of(Script(Turns({kRead, Ask("echo begun; sleep 100"), kSeen})), {"--allow-run", "--run-seconds", "1"});
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome_.out;
  ASSERT_EQ(ticket.runs.size(), 1u);
  EXPECT_EQ(ticket.runs[0].ending, "timeout");
  EXPECT_EQ(ticket.runs[0].exit_status, 124);
  EXPECT_LT(*ticket.usage.wall_ms, 1000) << "it takes nothing of the ticket's time";
}

TEST_F(NeedsRunFlow, AWishToStopEndsItAtOnce) {
  const std::string script = Script(Turns({kRead, Ask("trap '' TERM INT; setsid sleep 100 & sleep 100"), kSeen}));
  PaddockRun run(Asker(script, {"--allow-run"}));
  ASSERT_TRUE(run.WaitForLine("running in a jail"));
  run.Signal(SIGTERM);
  outcome_ = run.Finish();
  EXPECT_EQ(outcome_.status, 143) << outcome_.err;
  const auto ticket = TicketOf(outcome_);
  EXPECT_EQ(StatusOf(ticket), "cancelled");
  EXPECT_EQ(ticket.summary, "a run is needed") << "what was found is there";
  EXPECT_LT(outcome_.took, std::chrono::seconds(20));
}  // the fixture waits for whatever is left

TEST_F(NeedsRunFlow, WhatTheSubagentMayNotSeeItsRunMayNotEither) {
  Write("config/paddock/profiles/no-env.json", R"({"schema": "paddock/profile/1", "name": "no-env", "extends": "read-only", "filesystem": {"hide": [".env"]}})");
  Define("may_ask_to_run: true\n", "no-env");
  Write("repo/.env", "plainwordsecret\n");
  const auto ticket = Of(Script(Turns({kRead, Ask("cat .env; cat README.md"), kSeen})), {"--allow-run"});
  ASSERT_EQ(ticket.runs.size(), 1u) << outcome_.out;
  EXPECT_THAT(Record(), HasSubstr("# Thing"));
  EXPECT_THAT(Record(), Not(HasSubstr("plainwordsecret")));
}

TEST_F(NeedsRunFlow, ALogWithoutEndIsHeadAndTail) {
  const auto ticket = Of(Script(Turns({kRead, Ask("echo first; yes 'x y z' | head -c 9000000; printf '\\033[31mlast\\033[0m\\001\\n'; exit 1"), kSeen})), {"--allow-run"});
  ASSERT_EQ(ticket.runs.size(), 1u) << outcome_.out;
  EXPECT_GT(ticket.runs[0].output_bytes, 9'000'000);
  const std::string record = Record();
  EXPECT_LT(record.size(), 2u << 20);
  EXPECT_THAT(record, HasSubstr("\"log\":\"first\\n"));
  EXPECT_THAT(record, HasSubstr("bytes of output are left out here"));
  EXPECT_THAT(record, HasSubstr("\\nlast\\\\u{1}\\n\"")) << "colours are gone, what else is invisible is shown";
}

TEST_F(NeedsRunFlow, ACommandThatNobodyCanReadIsNotRun) {
  const auto ticket = Of(Script(Turns({kRead, Ask("echo \xE2\x80\xAE" "touch ran")})), {"--allow-run"});
  EXPECT_TRUE(ticket.runs.empty()) << outcome_.out;
  EXPECT_THAT(ticket.notes, Contains(HasSubstr("characters that nobody sees")));
}

TEST_F(NeedsRunFlow, SaysAtATerminalHowToAllowIt) {
  const std::string script = Script(Turns({kRead, Ask("make check")}));
  outcome_ = Perform(Paddock({"investigate", "asker", "why?", "--repo", Path("repo"), "--model", script}));
  EXPECT_THAT(outcome_.out, HasSubstr("wants to have run:\n> `make check`\n> why: "));
  EXPECT_THAT(outcome_.out, HasSubstr("--allow-run"));
}

// The playbook finds out how the tests are run, asks for that, and reads what it says.
TEST_F(NeedsRunFlow, TheDebuggerSeesATestFailWithoutRunningAnything) {
  Write("repo/README.md", "# Words\n\nTo test it, run `make check`.\n");
  Write("repo/Makefile", "check:\n\t@echo \"check_all: tests/check_all.c:5: test_two: Assertion 'n == 2' failed.\"; exit 1\n");
  Write("repo/src/other.c", "int other(void) {\n  return 1;\n}\n");
  Write("repo/src/words.c", "int count_words(const char *text) {\n  return *text;\n}\n");
  Write("repo/tests/check_all.c", "int count_words(const char *text);\n\nvoid test_two(void) {\n  int n = count_words(\"a b\");\n  assert(n == 2);\n}\n");
  const auto debug = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"investigate", "debugger", "the tests fail", "--json", "--repo", Path("repo")};
    words.insert(words.end(), more.begin(), more.end());
    outcome_ = Perform(Paddock(std::move(words)));
    return TicketOf(outcome_);
  };
  const auto asks = debug({});
  EXPECT_EQ(StatusOf(asks), "partial") << outcome_.out;
  ASSERT_TRUE(asks.needs_run) << outcome_.out;
  EXPECT_EQ(asks.needs_run->command, "make check");
  const auto knows = debug({"--allow-run"});
  EXPECT_EQ(StatusOf(knows), "completed") << outcome_.out;
  ASSERT_EQ(knows.runs.size(), 1u);
  ASSERT_FALSE(knows.data["suspects"].empty()) << outcome_.out;
  EXPECT_EQ(knows.data["suspects"][0]["path"], "src/words.c") << outcome_.out;
  EXPECT_EQ(knows.data["failure"]["exit_status"], 2);
  EXPECT_EQ(knows.citations_verified, knows.citations);
  EXPECT_GT(knows.citations, 0);
}

}  // namespace
}  // namespace paddock::flow

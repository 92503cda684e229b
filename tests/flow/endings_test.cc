// How runs with the real cell end: each ending has its status, and what was found until then is kept.
#include <signal.h>

#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

constexpr char kRead[] = R"({"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]})";
constexpr char kReport[] = R"({"report": {"summary": "what was found", "findings": [{"title": "It is a thing",
    "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]}]}})";

std::string Turns(std::initializer_list<std::string> turns) {
  std::string list;
  for (const std::string& turn : turns) list += (list.empty() ? "" : ", ") + turn;
  return "[" + list + "]";
}
// A turn that takes `ms` and then reports.
std::string ReportAfter(int ms) { return std::string(kReport).insert(1, "\"delay_ms\": " + std::to_string(ms) + ", "); }

class Endings : public FlowTest {
 protected:
  subagents::ResultTicket Of(const std::string& script, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--model", script});
    outcome_ = Perform(Investigate(more));
    return TicketOf(outcome_);
  }
  Outcome outcome_;
};

TEST_F(Endings, Completed) {
  const auto ticket = Of(Script(Turns({kRead, kReport})));
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome_.out;
  EXPECT_EQ(ticket.ending.kind, "finished");
  EXPECT_EQ(outcome_.status, 0);
  EXPECT_EQ(ticket.summary, "what was found");
  EXPECT_EQ(ticket.citations, 1);
  EXPECT_EQ(ticket.citations_verified, 1) << outcome_.out;
  EXPECT_EQ(ticket.usage.turns, 2);
  EXPECT_EQ(ticket.usage.tool_calls, 1);
  EXPECT_TRUE(ticket.usage.peak_rss_kb.has_value());
  ASSERT_TRUE(ticket.violations.has_value()) << "they are reported";
  EXPECT_TRUE(ticket.violations->empty()) << "a sound cell is denied nothing";
  EXPECT_FALSE(ticket.language_model);
}

TEST_F(Endings, CompletedByThePlaybook) {
  outcome_ = Perform(Investigate({}));
  const auto ticket = TicketOf(outcome_);
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome_.out;
  EXPECT_EQ(ticket.model, "playbook");
  EXPECT_GT(ticket.citations, 0);
  EXPECT_EQ(ticket.citations_verified, ticket.citations) << outcome_.out;
  EXPECT_THAT(ticket.notes, testing::Contains(testing::HasSubstr("no language model")));
}

TEST_F(Endings, Partial) {
  const auto ticket = Of(Script(Turns({kRead, R"({"report": {"summary": "half of it", "complete": false}})"})));
  EXPECT_EQ(StatusOf(ticket), "partial");
  EXPECT_EQ(outcome_.status, 1);
  EXPECT_EQ(ticket.summary, "half of it");
}

TEST_F(Endings, TurnLimit) {
  const auto ticket = Of(Script(Turns({kRead}), R"(, "repeat_last": true)"), {"--max-turns", "2"});
  EXPECT_EQ(StatusOf(ticket), "turn_limit") << outcome_.out;
  EXPECT_EQ(outcome_.status, 1);
  EXPECT_EQ(ticket.usage.turns, 2);
}

TEST_F(Endings, TurnLimitWithTheReportThatWasAskedFor) {
  const auto ticket = Of(Script(Turns({kRead, kReport})), {"--max-turns", "2"});
  EXPECT_EQ(StatusOf(ticket), "turn_limit") << outcome_.out;
  EXPECT_EQ(ticket.citations_verified, 1);
}

TEST_F(Endings, OneTurnIsTheReport) {
  const auto ticket = Of(Script(Turns({kReport})), {"--max-turns", "1"});
  EXPECT_EQ(ticket.summary, "what was found") << outcome_.out;
  EXPECT_NE(StatusOf(ticket), "completed");
  EXPECT_EQ(ticket.citations_verified, 0) << "nothing was read";
}

TEST_F(Endings, Timeout) {
  const auto ticket = Of(Script(Turns({kRead, ReportAfter(600'000)})), {"--timeout", "1s"});
  EXPECT_EQ(StatusOf(ticket), "timeout") << outcome_.out;
  EXPECT_EQ(outcome_.status, 1);
  EXPECT_LT(outcome_.took, std::chrono::seconds(15));
}

// A jail ends when its profile says so, whatever time the ticket has; so the report is asked for before that.
TEST_F(Endings, TheProfilesTimeIsTheTicketsToo) {
  Write("config/paddock/profiles/brief.json", R"({"schema": "paddock/profile/1", "name": "brief", "extends": "read-only", "limits": {"wall": "2s"}})");
  Write("config/paddock/subagents/hasty.md", "---\nname: hasty\npurpose: Looks.\ntools: [read_file]\nprofile: brief\nturns: 5\nseconds: 600\n---\nYou look.\n");
  outcome_ = Perform(Paddock({"investigate", "hasty", "what?", "--json", "--repo", Path("repo"), "--model", Script(Turns({kRead, R"({"delay_ms": 600000})", kReport}))}));
  const auto ticket = TicketOf(outcome_);
  EXPECT_EQ(StatusOf(ticket), "timeout") << outcome_.out;
  EXPECT_EQ(ticket.summary, "what was found") << outcome_.out;
  EXPECT_THAT(ticket.notes, testing::Contains(testing::HasSubstr("limits.wall of profile brief")));
}

TEST_F(Endings, TimeoutWithTheReportOfTheLastMoment) {
  // The turn is cut off at the soft deadline; the next one is the report.
  const auto ticket = Of(Script(Turns({kRead, R"({"delay_ms": 600000})", kReport})), {"--timeout", "2s"});
  EXPECT_EQ(StatusOf(ticket), "timeout") << outcome_.out;
  EXPECT_EQ(ticket.summary, "what was found") << outcome_.out;
  EXPECT_EQ(ticket.citations_verified, 1) << outcome_.out;
}

TEST_F(Endings, StuckOnEmptyTurns) {
  const auto ticket = Of(Script(Turns({kRead, "{}"}), R"(, "repeat_last": true)"));
  EXPECT_EQ(StatusOf(ticket), "stuck") << outcome_.out;
  EXPECT_EQ(outcome_.status, 1);
}

TEST_F(Endings, StuckOnWords) {
  const auto ticket = Of(Script(Turns({R"({"text": "I will now read the file."})"}), R"(, "repeat_last": true)"));
  EXPECT_EQ(StatusOf(ticket), "stuck") << outcome_.out;
}

TEST_F(Endings, StuckOnReportsThatFitNoTable) {
  const auto ticket = Of(Script(Turns({R"({"report": {"summary": 7}})"}), R"(, "repeat_last": true)"));
  EXPECT_EQ(StatusOf(ticket), "stuck") << outcome_.out;
}

TEST_F(Endings, UnknownToolsAreAnsweredAndTheRunGoesOn) {
  const auto ticket = Of(Script(Turns({R"({"calls": [{"tool": "run_command", "arguments": {"command": "id"}}]})", kRead, kReport})));
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome_.out;
  EXPECT_EQ(ticket.usage.tool_calls, 1);
}

// A run that is in its second turn, which takes long; `tool` was started in the first.
class InTheMiddle : public FlowTest {
 protected:
  std::unique_ptr<PaddockRun> Start(int delay_ms, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--model", Script(Turns({kRead, ReportAfter(delay_ms)}))});
    auto run = std::make_unique<PaddockRun>(Investigate(more));
    EXPECT_TRUE(run->WaitForLine("read_file")) << run->err();
    return run;
  }
};

TEST_F(InTheMiddle, KillOfTheCell) {
  auto run = Start(1500);
  const auto cells = ProcessesNamed(run->pid(), "cell");
  ASSERT_EQ(cells.size(), 1u);
  ASSERT_EQ(kill(cells[0], SIGKILL), 0);
  const Outcome outcome = run->Finish();
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), "crashed") << outcome.out;
  EXPECT_EQ(ticket.ending.kind, "signal");
  EXPECT_EQ(ticket.ending.code, SIGKILL);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(ticket.summary, "what was found");
}

TEST_F(InTheMiddle, KillOfTheJailsFirstProcess) {
  auto run = Start(1500);
  const auto jails = ProcessesNamed(run->pid(), "paddock-jail");
  ASSERT_GE(jails.size(), 2u);
  // The one whose child is the cell.
  for (pid_t pid : jails)
    if (pid != jails[0] && !ProcessesNamed(pid, "cell").empty()) {
      ASSERT_EQ(kill(pid, SIGKILL), 0);
      break;
    }
  const Outcome outcome = run->Finish();
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), "crashed") << outcome.out;
  EXPECT_EQ(ticket.ending.kind, "signal") << outcome.out;
}

TEST_F(InTheMiddle, KillOfTheLauncher) {
  auto run = Start(1500);
  const auto jails = ProcessesNamed(run->pid(), "paddock-jail");
  ASSERT_FALSE(jails.empty());
  ASSERT_EQ(kill(jails[0], SIGKILL), 0);  // the oldest is the launcher
  const Outcome outcome = run->Finish();
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), "crashed") << outcome.out;
  EXPECT_EQ(ticket.ending.kind, "launcher_dead");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(ticket.summary, "what was found");
}

TEST_F(InTheMiddle, CtrlC) {
  auto run = Start(600'000);
  run->Signal(SIGINT);
  const Outcome outcome = run->Finish();
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "cancelled") << outcome.out;
  EXPECT_EQ(outcome.status, 130);
  EXPECT_FALSE(outcome.killed);
}

TEST_F(InTheMiddle, CtrlCTwice) {
  auto run = Start(600'000);
  run->Signal(SIGINT);
  run->Signal(SIGINT);
  EXPECT_EQ(run->Finish().status, 130);
}

TEST_F(InTheMiddle, Terminate) {
  auto run = Start(600'000);
  run->Signal(SIGTERM);
  const Outcome outcome = run->Finish();
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "cancelled") << outcome.out;
  EXPECT_EQ(outcome.status, 143);
  EXPECT_FALSE(outcome.killed);
}

TEST_F(InTheMiddle, CtrlCWithThePlaybook) {
  PaddockRun run(Investigate({}));
  ASSERT_TRUE(run.WaitForLine("turn 1"));
  run.Signal(SIGINT);
  const Outcome outcome = run.Finish();
  const auto ticket = TicketOf(outcome);
  // It may have been over a moment before.
  if (StatusOf(ticket) != "completed") {
    EXPECT_EQ(StatusOf(ticket), "cancelled") << outcome.out;
    EXPECT_EQ(outcome.status, 130);
  }
}

TEST_F(InTheMiddle, CtrlCBeforeAnythingWasStarted) {
  PaddockRun run(Investigate({"--model", Script(Turns({ReportAfter(600'000)}))}));
  ASSERT_TRUE(run.WaitForLine("jail for"));
  run.Signal(SIGINT);
  const Outcome outcome = run.Finish();
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "cancelled") << outcome.out;
  EXPECT_EQ(outcome.status, 130);
}

TEST_F(InTheMiddle, KillOfThePaddock) {
  auto run = Start(600'000);
  ASSERT_GE(ProcessesNamed(run->pid(), "paddock-jail").size(), 2u);
  run->Signal(SIGKILL);
  const Outcome outcome = run->Finish();
  EXPECT_TRUE(outcome.killed);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(NothingLeft(Deadline::After(std::chrono::seconds(10))));
}

TEST_F(InTheMiddle, KillOfThePaddockWhileItsLauncherIsStopped) {
  auto run = Start(600'000);
  const auto jails = ProcessesNamed(run->pid(), "paddock-jail");
  ASSERT_FALSE(jails.empty());
  ASSERT_EQ(kill(jails[0], SIGSTOP), 0);  // the oldest is the launcher
  run->Signal(SIGKILL);
  run->Finish();
  EXPECT_TRUE(NothingLeft(Deadline::After(std::chrono::seconds(10)))) << "the launcher outlives its parent";
}

TEST_F(InTheMiddle, KillOfThePaddockAtItsFirstLine) {
  PaddockRun run(Investigate({}));
  ASSERT_TRUE(run.WaitForLine("jail for"));
  run.Signal(SIGKILL);
  run.Finish();
  EXPECT_TRUE(NothingLeft(Deadline::After(std::chrono::seconds(10))));
}

TEST_F(InTheMiddle, AReaderThatIsGoneIsNoCrash) {
  // Its standard output is a full device: the ticket can't be delivered, and that is an exit status.
  Command command = Paddock({"-c", "exec \"$0\" \"$@\" >/dev/full", ProgramsFolder() + "/paddock", "investigate", "explorer", "what?",
                             "--json", "--repo", Path("repo"), "--model", Script(Turns({kRead, kReport}))});
  command.argv[0] = "/bin/sh";
  const Outcome outcome = Perform(command);
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.err, testing::HasSubstr("could not be written"));
}

}  // namespace
}  // namespace paddock::flow

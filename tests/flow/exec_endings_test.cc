// A main agent that is stopped, and one whose workbench dies, hangs or lies.
#include <signal.h>

#include <iostream>

#include "tests/flow/exec_fixture.h"

namespace paddock::flow {
namespace {

using testing::Contains;
using testing::HasSubstr;

// With time to do something to the cell before the first call.
constexpr char kLateRead[] = R"({"delay_ms": 400, "calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]})";
constexpr char kRead[] = R"({"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]})";
constexpr char kReport[] = R"({"report": {"summary": "what was found"}})";

// Each another call: one that is repeated is no progress.
std::string ReadOf(int lines) { return R"({"calls": [{"tool": "read_file", "arguments": {"path": "README.md", "limit": )" + std::to_string(lines) + "}}]}"; }

std::string Turns(std::initializer_list<std::string> turns) {
  std::string list;
  for (const std::string& turn : turns) list += (list.empty() ? "" : ", ") + turn;
  return "[" + list + "]";
}

class ExecEndings : public ExecTest {
 protected:
  // Of the main agent's run; a subagent has a ticket.
  orchestrator::ExecResult Recorded() const {
    for (const std::string& name : List("state"))
      if (name.ends_with("/result.json")) {
        auto json = ParseJson(Read("state/" + name), {.max_bytes = 8u << 20});
        if (!json || !json->contains("task")) continue;
        auto result = FromJson<orchestrator::ExecResult>(*json);
        EXPECT_TRUE(result);
        return result.value_or(orchestrator::ExecResult{});
      }
    ADD_FAILURE() << "no result in the record";
    return {};
  }
  // To the one cell of the run; false when there is not exactly one, and then to nobody.
  static bool SignalCell(const PaddockRun& run, int signal) {
    const auto cells = ProcessesNamed(run.pid(), "cell");
    return cells.size() == 1 && cells[0] > 1 && kill(cells[0], signal) == 0;
  }
  // Stops the run and says how long it took to end.
  std::chrono::milliseconds Stop(PaddockRun* run, int signal) {
    const auto from = std::chrono::steady_clock::now();
    run->Signal(signal);
    outcome_ = run->Finish();
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - from);
  }
};

TEST_F(ExecEndings, AModelThatThinksIsStoppedAtOnce) {
  PaddockRun run(Exec({"--model", Script(Turns({kRead, R"({"delay_ms": 60000, "calls": []})"}))}));
  ASSERT_TRUE(run.WaitForLine("read_file"));
  EXPECT_LT(Stop(&run, SIGINT).count(), 1000);
  EXPECT_EQ(outcome_.status, 130);
  EXPECT_EQ(StatusOf(Recorded()), "cancelled");
}

TEST_F(ExecEndings, ACallThatHangsIsStoppedAtOnce) {
  PaddockRun run(Exec({"--model", Script(Turns({kLateRead, kReport}))}));
  ASSERT_TRUE(run.WaitForLine("paddock: plan"));
  ASSERT_TRUE(SignalCell(run, SIGSTOP));
  ASSERT_TRUE(run.WaitForLine("read_file"));
  EXPECT_LT(Stop(&run, SIGTERM).count(), 1000);
  EXPECT_EQ(outcome_.status, 143);
  EXPECT_EQ(StatusOf(Recorded()), "cancelled");
}

TEST_F(ExecEndings, ASubagentThatHangsIsStoppedAtOnce) {
  PaddockRun run(Exec({"--model", Script(Turns({R"({"calls": [{"tool": "subagent_explorer", "arguments": {"goal": "what is it?"}}]})", kReport}))}));
  ASSERT_TRUE(run.WaitForLine("list_files"));
  EXPECT_LT(Stop(&run, SIGINT).count(), 1000);
  EXPECT_EQ(StatusOf(Recorded()), "cancelled");
}

TEST_F(ExecEndings, AKilledWorkbenchIsStartedAgain) {
  PaddockRun run(Exec({"--model", Script(Turns({kLateRead, kReport}))}));
  ASSERT_TRUE(run.WaitForLine("paddock: plan"));
  ASSERT_TRUE(SignalCell(run, SIGKILL));
  outcome_ = run.Finish();
  EXPECT_EQ(outcome_.status, 0) << outcome_.err;
  EXPECT_THAT(Recorded().notes, Contains(HasSubstr("lost 1 time")));
}

TEST_F(ExecEndings, ACellThatIsKilledWithCallsOpenCostsThoseOnly) {
  // Stopped first, so that all eight are open when it dies.
  PaddockRun run(Exec({"--model", Script(Turns({R"({"delay_ms": 400, "calls": [{"tool": "list_files"}, {"tool": "list_files", "arguments": {"path": "src"}},
      {"tool": "search_text", "arguments": {"pattern": "a"}}, {"tool": "search_text", "arguments": {"pattern": "b"}}]})", ReadOf(1), kReport}))}));
  ASSERT_TRUE(run.WaitForLine("paddock: plan"));
  ASSERT_TRUE(SignalCell(run, SIGSTOP));
  ASSERT_TRUE(run.WaitForLine("search_text", 2));
  ASSERT_TRUE(SignalCell(run, SIGKILL));
  outcome_ = run.Finish();
  EXPECT_EQ(outcome_.status, 0) << outcome_.err;
  const auto result = Recorded();
  EXPECT_THAT(result.notes, Contains(HasSubstr("lost 1 time:")));
  EXPECT_EQ(result.usage.tool_calls, 5);
}

TEST_F(ExecEndings, AWorkbenchThatMayHaveUsedItsProcessorTimeIsReplacedBetweenCalls) {
  for (int i = 0; i < 20; ++i) {
    std::string text;
    for (int line = 0; line < 40'000; ++line) text += "some words in a line " + std::to_string(i) + "\n";
    Write("repo/text/" + std::to_string(i), text);
  }
  std::string turns;
  for (int turn = 0; turn < 12; ++turn) {
    std::string calls;
    for (int i = 0; i < 8; ++i) calls += (i ? ", " : "") + std::string(R"({"tool": "search_text", "arguments": {"pattern": "nothing)") + std::to_string(turn * 8 + i) + R"([a-z]+x"}})";
    turns += R"({"calls": [)" + calls + "]}, ";
  }
  // A limit of the caller's own is the cell's too: one second.
  Command command = Exec({"--json", "--model", Script("[" + turns + kReport + "]")});
  std::string line;
  for (const std::string& word : command.argv) line += "'" + word + "' ";
  command.argv = {"/bin/sh", "-c", "ulimit -t 1; exec " + line};
  outcome_ = Perform(command);
  const auto run = ExecRunOf(outcome_);
  EXPECT_EQ(run.result.usage.turns.value_or(0) > 2, true) << outcome_.out;
  const std::string record = FlowTest::Read("state/paddock/runs/" + run.result.id + "/events.jsonl");
  EXPECT_THAT(record, HasSubstr("workbench_started"));
  EXPECT_THAT(record, testing::Not(HasSubstr("workbench_lost"))) << outcome_.out;
}

struct Case {
  const char* behaviour;
  const char* why;     // a part of the calls' results
};
std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.behaviour; }

class HostileWorkbench : public ExecTest, public testing::WithParamInterface<Case> {};

TEST_P(HostileWorkbench, CostsCallsAndNeverTheRun) {
  Write("repo/behaviour", std::string(GetParam().behaviour) + "\n");
  const auto run = Run(Script(Turns({ReadOf(1), ReadOf(2), ReadOf(3), ReadOf(4), ReadOf(5), ReadOf(6), kReport})), {}, HostileFolder());
  EXPECT_EQ(StatusOf(run.result), "completed") << outcome_.out;
  EXPECT_EQ(run.result.answer, "what was found");
  std::string summaries;
  for (const Json& call : run.OfType("call_finished")) summaries += call["summary"].get<std::string>() + "\n";
  EXPECT_THAT(summaries, HasSubstr(GetParam().why));
  EXPECT_THAT(summaries, HasSubstr("no other is started"));
  EXPECT_THAT(run.result.notes, Contains(HasSubstr("lost 4 times")));
  EXPECT_LT(outcome_.took, std::chrono::seconds(25));
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileWorkbench,
    testing::Values(Case{"exit 3", "its cell ended"}, Case{"late crash", "SIGSEGV"}, Case{"late close the pipe and live on", "closed its pipe"}, Case{"late garbage", "misbehaved"},
                    Case{"late no object", "misbehaved"}, Case{"late unknown frame", "not asked for"}, Case{"late a frame of 100 MB", "misbehaved"},
                    Case{"late 8 MB of opening brackets", "misbehaved"}, Case{"late 8 MB of small values", "misbehaved"}, Case{"late 10000 events", "not asked for"},
                    Case{"wrong ids", "not open"}, Case{"late fault", "gave up"}, Case{"huge results", "misbehaved"}, Case{"late result first", "not asked for"}));

TEST_F(ExecEndings, ASubagentThatCrashesIsAResult) {
  Write("repo/behaviour", "late exit 3\n");
  const auto run = Run(Script(Turns({R"({"calls": [{"tool": "subagent_explorer", "arguments": {"goal": "what is it?"}}]})", kReport})), {}, HostileFolder());
  EXPECT_EQ(StatusOf(run.result), "completed") << outcome_.out;
  ASSERT_EQ(run.result.children.size(), 1u);
  EXPECT_EQ(NameOf(run.result.children[0].status), std::string("crashed"));
  EXPECT_EQ(run.Finished(0)["success"], false);
  EXPECT_THAT(run.Finished(0)["summary"].get<std::string>(), HasSubstr("crashed"));
}

TEST_F(ExecEndings, AnAnswerTwiceEndsTheCell) {
  Write("repo/behaviour", "an answer twice\n");
  const auto run = Run(Script(Turns({ReadOf(1), ReadOf(2), ReadOf(3), kReport})), {}, HostileFolder());
  EXPECT_EQ(StatusOf(run.result), "completed") << outcome_.out;
  EXPECT_THAT(run.result.notes, Contains(HasSubstr("was lost")));
}

}  // namespace
}  // namespace paddock::flow

// A subagent cell over pipes, with tools of the test's own.
#include <gmock/gmock.h>
#include <unistd.h>

#include "cell_under_test.h"

namespace paddock::subagents {
namespace {

using agentcore::ToolCall;
using agentcore::ToolResult;
using agentcore::ToolStatus;

// Does what its arguments say: {"lines": n, "text": s, "fail": true, "wait_for_wrap_up": true}.
class ObedientTool : public agentcore::Tool {
 public:
  ObedientTool(std::string name) { spec_.name = std::move(name); }
  const agentcore::ToolSpec& spec() const override { return spec_; }
  agentcore::ToolOutcome<void> Check(const Json&) const override { return {}; }
  ToolResult Run(const Json& arguments, const agentcore::ToolContext& context) const override {
    EXPECT_GE(context.root_fd, 0);
    if (arguments.value("fail", false)) return agentcore::ToolFailure(ToolStatus::kNotFound, "no such file", "look again");
    ToolResult result;
    result.success = true;
    result.status = ToolStatus::kOk;
    result.summary = "did it";
    agentcore::Artifact artifact;
    artifact.kind = "excerpt";
    artifact.path = "a";
    artifact.line_start = 1;
    for (int i = 0; i < arguments.value("lines", 0); ++i) artifact.lines.push_back(arguments.value("text", std::string("x")));
    result.artifacts.push_back(std::move(artifact));
    return result;
  }

 private:
  agentcore::ToolSpec spec_;
};

agentcore::ToolRegistry TestTools() {
  agentcore::ToolRegistry registry;
  registry.Add(std::make_unique<ObedientTool>("obey"));
  registry.Add(std::make_unique<ObedientTool>("secret_tool"));
  return registry;
}

CellOptions Options() {
  CellOptions options;
  options.workspace = "/";
  options.tools = &TestTools;
  return options;
}

TaskFrame Task() {
  TaskFrame task;
  task.tools = {"obey"};
  return task;
}

ToolCall Call(std::string id, Json arguments = Json::object(), std::string tool = "obey") {
  return {std::move(id), std::move(tool), std::move(arguments)};
}

TEST(SubagentCell, RunsATaskFromStartToResult) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  auto next = cell.Hear<NextTurnFrame>("next_turn");
  EXPECT_EQ(next.reason, NextReason::kStart);
  EXPECT_TRUE(next.answers.empty());
  cell.Say("turn", TurnFrame{{Call("call-1-1", {{"lines", 2}, {"path", "src/\x1b[2J"}}), Call("call-1-2", {{"fail", true}})}, false});
  next = cell.Hear<NextTurnFrame>("next_turn");
  EXPECT_EQ(next.reason, NextReason::kResults);
  ASSERT_EQ(next.answers.size(), 2u);
  EXPECT_EQ(next.answers[0].id, "call-1-1");
  EXPECT_EQ(next.answers[0].result.artifacts[0].lines.size(), 2u);
  EXPECT_EQ(next.answers[1].id, "call-1-2");
  EXPECT_EQ(next.answers[1].result.status, ToolStatus::kNotFound);
  cell.Say("turn", TurnFrame{{}, true});
  auto result = cell.Hear<ResultFrame>("result");
  EXPECT_EQ(result.tool_calls, 2);
  EXPECT_EQ(result.failed_calls, 1);
  EXPECT_EQ(cell.Wait(), 0);
  ASSERT_EQ(cell.events.size(), 4u);
  // The two run side by side, so either may have come first.
  EXPECT_EQ(cell.events[0].kind, "tool_started");
  EXPECT_EQ(cell.events[0].tool, "obey");
  EXPECT_THAT(cell.events, testing::Contains(testing::AllOf(testing::Field(&EventFrame::kind, "tool_started"), testing::Field(&EventFrame::subject, "src/\\u{1B}[2J"))));
  EXPECT_EQ(cell.events[3].kind, "tool_finished");
}

TEST(SubagentCell, RefusesToolsThatAreNotOnOffer) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  cell.Hear<NextTurnFrame>("next_turn");
  cell.Say("turn", TurnFrame{{Call("a", {}, "secret_tool"), Call("b", {}, "rm")}, false});
  auto next = cell.Hear<NextTurnFrame>("next_turn");
  ASSERT_EQ(next.answers.size(), 2u);
  for (const auto& answer : next.answers) {
    EXPECT_EQ(answer.result.status, ToolStatus::kDenied);
    EXPECT_THAT(answer.result.recovery_hint, testing::HasSubstr("obey"));
  }
}

TEST(SubagentCell, EndsWhenTheTaskNamesAnUnknownTool) {
  CellUnderTest cell(Options());
  TaskFrame task = Task();
  task.tools.push_back("obay");
  cell.Start(task);
  EXPECT_THAT(cell.Hear<FaultFrame>("fault").message, testing::HasSubstr("obay"));
  EXPECT_EQ(cell.Wait(), kExitProtocol);
}

TEST(SubagentCell, EndsWhenThereIsNoWorkspace) {
  CellOptions options = Options();
  options.workspace = "/proc/self/no-such-folder";
  CellUnderTest cell(options);
  cell.Start(Task());
  EXPECT_THAT(cell.Hear<FaultFrame>("fault").message, testing::HasSubstr("ENOENT"));
  EXPECT_EQ(cell.Wait(), kExitSetup);
}

TEST(SubagentCell, HeedsAWrapUpThatComesWithTheTurn) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  cell.Hear<NextTurnFrame>("next_turn");
  cell.Say("wrap_up", WrapUpFrame{"deadline"});
  cell.Say("turn", TurnFrame{{Call("a"), Call("b")}, false});
  auto next = cell.Hear<NextTurnFrame>("next_turn");
  EXPECT_EQ(next.reason, NextReason::kWrapUp);
  ASSERT_EQ(next.answers.size(), 2u);
  EXPECT_EQ(next.answers[0].result.error, "skipped: wrapping up");
  cell.Say("turn", TurnFrame{{}, true});
  EXPECT_EQ(cell.Hear<ResultFrame>("result").tool_calls, 0);
  EXPECT_EQ(cell.Wait(), 0);
}

TEST(SubagentCell, HeedsAWrapUpBetweenCalls) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  cell.Hear<NextTurnFrame>("next_turn");
  // Both lie in the pipe before the first call starts, behind the turn.
  cell.SayLine(EncodeFrame("turn", TurnFrame{{Call("a")}, false}) + "\n" + EncodeFrame("wrap_up", WrapUpFrame{"turns"}));
  auto next = cell.Hear<NextTurnFrame>("next_turn");
  EXPECT_EQ(next.reason, NextReason::kWrapUp);
  EXPECT_EQ(next.answers[0].result.status, ToolStatus::kTimeout);
}

TEST(SubagentCell, FitsHugeResultsIntoOneFrameAndSaysSo) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  cell.Hear<NextTurnFrame>("next_turn");
  TurnFrame turn;
  turn.calls.push_back(Call("small", {{"lines", 1}}));
  for (int i = 0; i < 8; ++i) turn.calls.push_back(Call("big-" + std::to_string(i), {{"lines", 15'000}, {"text", std::string(100, '\x01')}}));
  cell.Say("turn", turn);
  auto next = cell.Hear<NextTurnFrame>("next_turn");  // decoded within the limits of every frame
  ASSERT_EQ(next.answers.size(), 9u);
  EXPECT_EQ(next.answers[0].result.status, ToolStatus::kOk);
  for (size_t i = 1; i < 9; ++i) {
    const ToolResult& result = next.answers[i].result;
    EXPECT_EQ(result.status, ToolStatus::kPartial);
    EXPECT_THAT(result.output, testing::HasSubstr("were left out"));
    ASSERT_EQ(result.artifacts.size(), 1u);
    EXPECT_GT(result.artifacts[0].lines.size(), 500u);
  }
}

TEST(SubagentCell, EndsAtFramesThatBreakTheProtocol) {
  for (std::string line : {"garbage", "[]", R"({"type":"go","extra":1})", R"({"type":"task","kind":"subagent"})",
                           R"({"type":"shutdown"})"}) {
    CellUnderTest cell(Options());
    cell.SayLine(line);
    EXPECT_FALSE(cell.Hear<FaultFrame>("fault").message.empty());
    EXPECT_EQ(cell.Wait(), kExitProtocol) << line;
  }
  for (std::string line : {R"({"type":"turn","calls":[],"final":"yes"})", R"({"type":"cite","n":1,"path":"a","line_start":1,"line_end":1})",
                           R"({"type":"turn","calls":[{"id":"a","tool":"obey","arguments":{}},{"id":"a","tool":"obey","arguments":{}}],"final":false})"}) {
    CellUnderTest cell(Options());
    cell.Start(Task());
    cell.Hear<NextTurnFrame>("next_turn");
    cell.SayLine(line);
    EXPECT_FALSE(cell.Hear<FaultFrame>("fault").message.empty());
    EXPECT_EQ(cell.Wait(), kExitProtocol) << line;
  }
}

TEST(SubagentCell, EndsQuietlyWhenTheParentIsGone) {
  {
    CellUnderTest cell(Options());
    EXPECT_EQ(cell.Exit(), 0);
  }
  {
    CellUnderTest cell(Options());
    cell.Start(Task());
    cell.Hear<NextTurnFrame>("next_turn");
    EXPECT_EQ(cell.Exit(), 0);
  }
  CellUnderTest cell(Options());
  cell.Start(Task());
  cell.Hear<NextTurnFrame>("next_turn");
  cell.StopReading();
  cell.Say("turn", TurnFrame{{Call("a")}, false});
  EXPECT_EQ(cell.Wait(), 0);
}

}  // namespace
}  // namespace paddock::subagents

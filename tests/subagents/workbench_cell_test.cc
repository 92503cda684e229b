// A workbench cell over pipes, with a tool that ends only when others run beside it.
#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <set>

#include "cell_under_test.h"

namespace paddock::subagents {
namespace {

using agentcore::ToolResult;
using agentcore::ToolStatus;

// {"with": n} ends once n calls of it have begun since the test did; {"lines": n} gives so many lines.
class MeetingTool : public agentcore::Tool {
 public:
  MeetingTool() { spec_.name = "meet"; }
  const agentcore::ToolSpec& spec() const override { return spec_; }
  agentcore::ToolOutcome<void> Check(const Json&) const override { return {}; }
  ToolResult Run(const Json& arguments, const agentcore::ToolContext& context) const override {
    const int with = arguments.value("with", 0);
    std::unique_lock lock(mutex_);
    ++begun_;
    met_.notify_all();
    const bool met = met_.wait_for(lock, context.deadline.left().value_or(std::chrono::seconds(20)), [&] { return begun_ >= with; });
    if (!met) return agentcore::ToolFailure(ToolStatus::kTimeout, "nobody came", "");
    ToolResult result;
    result.success = true;
    result.status = ToolStatus::kOk;
    agentcore::Artifact artifact;
    artifact.kind = "excerpt";
    artifact.path = "a";
    artifact.line_start = 1;
    artifact.lines.assign(static_cast<size_t>(arguments.value("lines", 0)), std::string(1000, 'x'));
    result.artifacts.push_back(std::move(artifact));
    return result;
  }

 private:
  agentcore::ToolSpec spec_;
  mutable std::mutex mutex_;
  mutable std::condition_variable met_;
  mutable int begun_ = 0;
};

CellOptions Options() {
  CellOptions options;
  options.workspace = "/";
  options.tools = [] {
    agentcore::ToolRegistry registry;
    registry.Add(std::make_unique<MeetingTool>());
    return registry;
  };
  return options;
}

TaskFrame Task() {
  TaskFrame task;
  task.kind = CellKind::kWorkbench;
  task.tools = {"meet"};
  return task;
}

CallFrame Call(const std::string& id, Json arguments = Json::object(), const std::string& tool = "meet") { return {{id, tool, std::move(arguments)}}; }

TEST(WorkbenchCell, RunsEightCallsSideBySide) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  std::set<std::string> sent, answered;
  for (int i = 0; i < 8; ++i) {
    sent.insert("c" + std::to_string(i));
    cell.Say("call", Call("c" + std::to_string(i), {{"with", 8}}));
  }
  for (int i = 0; i < 8; ++i) {
    auto answer = cell.Hear<CallAnswer>("answer");
    EXPECT_TRUE(answer.result.success) << answer.result.error;
    answered.insert(answer.id);
  }
  EXPECT_EQ(answered, sent);
  EXPECT_EQ(cell.Exit(), 0);
}

TEST(WorkbenchCell, AnswersInTheOrderInWhichCallsEnd) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  cell.Say("call", Call("slow", {{"with", 3}}));
  cell.Say("call", Call("quick", {{"with", 1}}));
  EXPECT_EQ(cell.Hear<CallAnswer>("answer").id, "quick");
  cell.Say("call", Call("third", {{"with", 3}}));
  std::set<std::string> answered{cell.Hear<CallAnswer>("answer").id};
  answered.insert(cell.Hear<CallAnswer>("answer").id);
  EXPECT_EQ(answered, (std::set<std::string>{"slow", "third"}));
}

TEST(WorkbenchCell, SeatsAreUsedAgain) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  for (int i = 0; i < 30; ++i) {
    cell.Say("call", Call("c" + std::to_string(i)));
    EXPECT_EQ(cell.Hear<CallAnswer>("answer").id, "c" + std::to_string(i));
  }
}

TEST(WorkbenchCell, ANinthCallEndsIt) {
  CellUnderTest cell(Options());
  TaskFrame task = Task();
  task.tool_timeout_ms = 300;  // the eight wait for somebody who never comes
  cell.Start(task);
  for (int i = 0; i < 9; ++i) cell.Say("call", Call("c" + std::to_string(i), {{"with", 100}}));
  int answers = 0;
  RawFrame raw = cell.Hear();
  for (; raw.type == "answer"; raw = cell.Hear()) ++answers;
  EXPECT_EQ(answers, 8);
  EXPECT_EQ(raw.type, "fault");
  EXPECT_THAT(raw.body["message"].get<std::string>(), testing::HasSubstr("8 calls"));
  EXPECT_EQ(cell.Wait(), kExitProtocol);
}

TEST(WorkbenchCell, CutsAnAnswerThatIsTooLongForAFrame) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  cell.Say("call", Call("big", {{"lines", 15'000}}));
  auto answer = cell.Hear<CallAnswer>("answer");
  EXPECT_EQ(answer.result.status, ToolStatus::kPartial);
  EXPECT_THAT(answer.result.output, testing::HasSubstr("cut to fit"));
}

TEST(WorkbenchCell, RefusesAToolThatIsNotOnOffer) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  cell.Say("call", Call("x", Json::object(), "rm"));
  EXPECT_EQ(cell.Hear<CallAnswer>("answer").result.status, ToolStatus::kDenied);
}

TEST(WorkbenchCell, AnotherFrameEndsIt) {
  CellUnderTest cell(Options());
  cell.Start(Task());
  cell.Say("turn", TurnFrame{});
  EXPECT_THAT(cell.Hear<FaultFrame>("fault").message, testing::HasSubstr("expected call"));
  EXPECT_EQ(cell.Wait(), kExitProtocol);
}

}  // namespace
}  // namespace paddock::subagents

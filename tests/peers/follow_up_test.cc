// Further questions to a subagent, and answers in a caller's shape, over a model's server.
#include "tests/flow/exec_fixture.h"
#include "tests/peers/model_fixture.h"

namespace paddock::peers {
namespace {

std::string Of(const std::string& prompt, int turn, const std::string& response) {
  return R"({"match": {"systemMessage": ")" + prompt + R"(", "turnIndex": )" + std::to_string(turn) + R"(}, "response": )" + response + "}";
}
std::string Main(int turn, const std::string& response) { return Of("# Paddock's main agent", turn, response); }
std::string Child(int turn, const std::string& response) { return Of("# Explorer", turn, response); }
std::string Call(const std::string& tool, const Json& arguments) { return DumpJson(Json{{"name", tool}, {"arguments", DumpJson(arguments)}}); }
const std::string kAnswer = R"({"content": "It is a thing: README.md:1."})";

class FollowUpPeer : public flow::ExecTest {
 protected:
  flow::ExecRun RunJson() {
    flow::Command command = Exec({"--json", "--base-url", server.origin() + "/v1", "--model", "m", "--key-env", "MODEL_KEY"});
    command.environment["MODEL_KEY"] = kKey;
    outcome_ = Perform(command);
    return flow::ExecRunOf(outcome_);
  }
  // The messages of each question to the subagent.
  std::vector<std::string> AskedOfChildren() {
    std::vector<std::string> all;
    for (const Json& one : server.Asked())
      if (const std::string messages = DumpJson(one["body"]["messages"]); messages.find("# Explorer") != std::string::npos) all.push_back(messages);
    return all;
  }
  ModelServer server;
};

TEST_F(FollowUpPeer, AFurtherQuestionGoesOnFromAllThatWasSeen) {
  server.Use(Fixtures({Main(0, Calls(Call("subagent_explorer", {{"goal", "what is it?"}}))),
                       Main(1, Calls(Call("subagent_explorer", {{"goal", "and who wrote it?"}, {"follow_up", "call-1-1"}}))), Main(2, kAnswer), Child(0, Calls(kReadCall)),
                       Child(1, Calls(kReportCall)), Child(2, Calls(kReportCall))}));
  const auto run = RunJson();
  EXPECT_EQ(NameOf(run.result.status), std::string("completed")) << outcome_.out << outcome_.err;
  ASSERT_EQ(run.result.children.size(), 2u);
  EXPECT_EQ(run.result.children[1].goal, "and who wrote it?");
  EXPECT_EQ(run.result.children[1].usage.turns, 1);
  EXPECT_EQ(run.result.children[1].usage.tool_calls, 0);
  EXPECT_EQ(run.result.children[1].citations_verified, 1) << "what the first one read counts";
  const auto asked = AskedOfChildren();
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_TRUE(asked[2].starts_with(asked[1].substr(0, asked[1].size() - 1))) << "it begins with the question before it";
  EXPECT_THAT(asked[2], testing::HasSubstr("and who wrote it?"));
  // The main agent was told how.
  bool told = false;
  for (const Json& one : server.Asked()) told = told || DumpJson(one["body"]["messages"]).find("follow_up \\\\\\\"call-1-1") != std::string::npos || DumpJson(one["body"]["messages"]).find("follow_up \\\"call-1-1") != std::string::npos;
  EXPECT_TRUE(told);
}

TEST_F(FollowUpPeer, OneThatThereIsNotIsAnsweredInWords) {
  server.Use(Fixtures({Main(0, Calls(Call("subagent_explorer", {{"goal", "what is it?"}, {"follow_up", "call-7-7"}}))), Main(1, kAnswer)}));
  const auto run = RunJson();
  EXPECT_EQ(NameOf(run.result.status), std::string("completed")) << outcome_.out << outcome_.err;
  EXPECT_TRUE(run.result.children.empty());
  EXPECT_EQ(run.Finished(0)["status"], "invalid_arguments");
}

TEST_F(FollowUpPeer, ASubagentAnswersInTheCallersShape) {
  const Json schema = {{"type", "object"}, {"properties", {{"files", {{"type", "integer"}}}}}, {"required", {"files"}}};
  const std::string reporting = Call("report", {{"summary", "Three."}, {"data", {{"files", 3}}}});
  server.Use(Fixtures({Main(0, Calls(Call("subagent_explorer", {{"goal", "how many?"}, {"schema", schema}}))), Main(1, kAnswer), Child(0, Calls(kReadCall)), Child(1, Calls(reporting))}));
  const auto run = RunJson();
  EXPECT_EQ(NameOf(run.result.status), std::string("completed")) << outcome_.out << outcome_.err;
  bool offered = false, shown = false;
  for (const Json& one : server.Asked()) {
    offered = offered || DumpJson(one["body"]["tools"]).find("\"files\":{\"type\":\"integer\"") != std::string::npos;
    shown = shown || DumpJson(one["body"]["messages"]).find("fits your schema") != std::string::npos;
  }
  EXPECT_TRUE(offered);
  EXPECT_TRUE(shown);
}

}  // namespace
}  // namespace paddock::peers

// The main agent, driven over streaming HTTP by a model server that nobody here wrote; its subagents by the same.
#include <signal.h>

#include "tests/flow/exec_fixture.h"
#include "tests/peers/model_fixture.h"

namespace paddock::peers {
namespace {

// Of the main agent and of the explorer, told apart by their system prompts.
std::string Of(const std::string& prompt, int turn, const std::string& response, const std::string& more = "") {
  return R"({"match": {"systemMessage": ")" + prompt + R"(", "turnIndex": )" + std::to_string(turn) + R"(}, "response": )" + response + more + "}";
}
std::string Main(int turn, const std::string& response, const std::string& more = "") { return Of("# Paddock's main agent", turn, response, more); }
std::string Child(int turn, const std::string& response, const std::string& more = "") { return Of("# Explorer", turn, response, more); }
std::string Call(const std::string& tool, const Json& arguments) { return DumpJson(Json{{"name", tool}, {"arguments", DumpJson(arguments)}}); }
const std::string kAnswer = R"({"content": "It is a thing: README.md:1."})";

class ExecPeer : public flow::ExecTest {
 protected:
  flow::Command Ask(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--base-url", server.origin() + "/v1", "--model", "m", "--key-env", "MODEL_KEY"});
    flow::Command command = Exec(std::move(more));
    command.environment["MODEL_KEY"] = kKey;
    return command;
  }
  flow::ExecRun RunJson() {
    outcome_ = Perform(Ask({"--json"}));
    return flow::ExecRunOf(outcome_);
  }
  ModelServer server;
};

TEST_F(ExecPeer, TenTurnsWithTenCallsAndAnAnswer) {
  std::string fixtures;
  for (int turn = 0; turn < 10; ++turn) {
    const Json arguments = turn % 2 ? Json{{"path", "README.md"}, {"limit", turn}} : Json{{"pattern", "word" + std::to_string(turn)}};
    fixtures += Main(turn, Calls(Call(turn % 2 ? "read_file" : "search_text", arguments), R"(, "usage": {"prompt_tokens": 100, "completion_tokens": 10})")) + ", ";
  }
  server.Use("[" + fixtures + Main(10, kAnswer) + "]");
  const auto run = RunJson();
  EXPECT_EQ(NameOf(run.result.status), std::string("completed")) << outcome_.out << outcome_.err;
  EXPECT_EQ(run.result.answer, "It is a thing: README.md:1.");
  EXPECT_TRUE(run.result.language_model);
  EXPECT_EQ(run.result.usage.turns, 11);
  EXPECT_EQ(run.result.usage.tool_calls, 10);
  EXPECT_GE(*run.result.usage.input_tokens, 1000);
  EXPECT_EQ(run.OfType("turn").size(), 11u);
  const Json asked = server.Asked();
  ASSERT_EQ(asked.size(), 11u);
  // Each question begins with the one before it.
  for (size_t i = 1; i < asked.size(); ++i) {
    const std::string before = DumpJson(asked[i - 1]["body"]["messages"]), now = DumpJson(asked[i]["body"]["messages"]);
    EXPECT_TRUE(now.starts_with(before.substr(0, before.size() - 1))) << i;
  }
  EXPECT_THAT(DumpJson(asked[10]["body"]["messages"]), HasSubstr("# Thing"));
  EXPECT_EQ(outcome_.out.find(kKey), std::string::npos);
}

TEST_F(ExecPeer, WhatItsProfileHidesIsHiddenFromSubagentsToo) {
  Write("repo/deploy.secret", "the plan\n");
  Write("config/paddock/profiles/mine.json", R"({"schema": "paddock/profile/1", "name": "mine", "extends": "read-only", "filesystem": {"hide": ["*.secret"]}})");
  const std::string read = Call("read_file", {{"path", "deploy.secret"}});
  server.Use(Fixtures({Main(0, Calls(read)), Main(1, Calls(Call("subagent_explorer", {{"goal", "look"}}))), Main(2, kAnswer), Child(0, Calls(read)), Child(1, Calls(kReportCall))}));
  outcome_ = Perform(Ask({"--json", "--profile", "mine"}));
  EXPECT_EQ(NameOf(flow::ExecRunOf(outcome_).result.status), std::string("completed")) << outcome_.out << outcome_.err;
  int refused = 0;
  for (const Json& one : server.Asked()) {
    const std::string messages = DumpJson(one["body"]["messages"]);
    EXPECT_EQ(messages.find("the plan"), std::string::npos);
    refused += messages.find("hidden") != std::string::npos;
  }
  EXPECT_GE(refused, 2) << "the main agent and the subagent were both told";
}

TEST_F(ExecPeer, SubagentsRunSideBySideAndTheirFindingsAreMarked) {
  std::string calls;
  for (int i = 0; i < 4; ++i) calls += (i ? "," : "") + Call("subagent_explorer", {{"goal", "part " + std::to_string(i)}, {"paths", {"README.md"}}});
  // A child's first answer takes its time, so that all of them are under way.
  server.Use(Fixtures({Main(0, Calls(calls)), Main(1, kAnswer), Child(0, Calls(kReadCall), R"(, "latency": 100)"), Child(1, Calls(kReportCall))}));
  const auto run = RunJson();
  EXPECT_EQ(NameOf(run.result.status), std::string("completed")) << outcome_.out << outcome_.err;
  ASSERT_EQ(run.result.children.size(), 4u);
  for (const auto& child : run.result.children) {
    EXPECT_EQ(NameOf(child.status), std::string("completed")) << outcome_.out;
    EXPECT_EQ(child.citations_verified, 1);
    EXPECT_GT(child.usage.input_tokens.value_or(0), 0);
  }
  EXPECT_GT(*run.result.usage_total.input_tokens, *run.result.usage.input_tokens);
  int begun = 0;
  for (const Json& event : run.events) {
    begun += event["type"] == "subagent_started";
    if (event["type"] == "subagent_finished") break;
  }
  EXPECT_EQ(begun, 4) << "they ran one after another";
  Json last;
  for (const Json& one : server.Asked())
    if (DumpJson(one["body"]["messages"][0]).find("main agent") != std::string::npos) last = one["body"]["messages"];
  const Json& result = last.back();
  EXPECT_EQ(result["role"], "tool");
  EXPECT_THAT(result["content"].get<std::string>(), HasSubstr("README.md:1-1  verified"));
  EXPECT_THAT(result["content"].get<std::string>(), HasSubstr("untrusted_content"));
}

TEST_F(ExecPeer, AChildWhoseModelFailsIsAResult) {
  server.Use(Fixtures({Main(0, Calls(Call("subagent_explorer", {{"goal", "all"}}))), Main(1, kAnswer),
                       R"({"match": {"systemMessage": "# Explorer"}, "response": {"error": {"message": "pay", "code": "insufficient_quota"}, "status": 429}})"}));
  const auto run = RunJson();
  EXPECT_EQ(NameOf(run.result.status), std::string("completed")) << outcome_.out;
  ASSERT_EQ(run.result.children.size(), 1u);
  EXPECT_EQ(NameOf(run.result.children[0].status), std::string("refused"));
}

TEST_F(ExecPeer, AServerThatSaysNoEndsAsAResult) {
  server.Use(R"([{"match": {}, "response": {"error": {"message": "no", "code": "invalid_api_key"}, "status": 401}}])");
  const auto run = RunJson();
  EXPECT_EQ(NameOf(run.result.status), std::string("refused")) << outcome_.out;
  EXPECT_EQ(outcome_.status, 1);
}

TEST_F(ExecPeer, ARetryIsAnEvent) {
  server.Use(Fixtures({R"({"match": {"turnIndex": 0, "sequenceIndex": 0}, "response": {"error": {"message": "oops"}, "status": 500}})", Main(0, kAnswer)}));
  const auto run = RunJson();
  EXPECT_EQ(NameOf(run.result.status), std::string("completed")) << outcome_.out;
  EXPECT_EQ(run.OfType("retry").size(), 1u);
}

// Found by somebody who read the events: a switch came as a retry, and nothing came as a switch.
TEST_F(ExecPeer, AnotherModelThatTakesOverIsAnEventOfItsOwn) {
  Write("config/paddock/config.json", R"({"schema": "paddock/config/1", "models": {"refused": {"base_url": ")" + server.origin() + R"(/v1", "model": "refused", "fallback": ["good"]},
      "good": {"base_url": ")" + server.origin() + R"(/v1", "model": "good"}}})");
  const auto child = [](int turn, const std::string& response) {
    return R"({"match": {"model": "good", "systemMessage": "# Explorer", "turnIndex": )" + std::to_string(turn) + R"(}, "response": )" + response + "}";
  };
  server.Use(Fixtures({R"({"match": {"model": "refused"}, "response": {"error": {"message": "no", "code": "invalid_api_key"}, "status": 401}})",
                       Main(0, Calls(Call("subagent_explorer", {{"goal", "all"}}))), Main(1, kAnswer), child(0, Calls(kReadCall)), child(1, Calls(kReportCall))}));
  outcome_ = Perform(Exec({"--json", "--model", "refused"}));
  const auto run = flow::ExecRunOf(outcome_);
  EXPECT_EQ(NameOf(run.result.status), std::string("completed")) << outcome_.out << outcome_.err;
  EXPECT_TRUE(run.OfType("retry").empty());
  const auto switches = run.OfType("model_switched");
  ASSERT_GE(switches.size(), 2u) << outcome_.out;
  ASSERT_EQ(run.result.children.size(), 1u);
  // The first of each; later the refused one is tried again.
  for (size_t i : {0u, 1u}) {
    EXPECT_EQ(switches[i]["from"], "refused");
    EXPECT_EQ(switches[i]["to"], "good");
    EXPECT_THAT(switches[i]["reason"].get<std::string>(), HasSubstr("401"));
    EXPECT_EQ(switches[i]["subagent"], i == 0 ? "" : run.result.children[0].id);
  }
}

// Found by somebody who wrote one: it was left out, and nothing said so.
TEST_F(ExecPeer, OnesOwnSubagentsAreToolsAndOneThatIsNotUsableIsAWarning) {
  const auto write = [&](const std::string& name, const std::string& tools, const std::string& profile) {
    Write("config/paddock/subagents/" + name + ".md", "---\nname: " + name + "\npurpose: Looks.\ntools: [" + tools + "]\nprofile: " + profile + "\nturns: 3\nseconds: 30\n---\n# Mine\n");
  };
  const std::string longest(55, 'a'), longer(56, 'b');
  write("mine", "read_file", "read-only\nmodel: another");
  write(longest, "read_file", "read-only");
  write(longer, "read_file", "read-only");
  write("flies", "fly", "read-only");
  write("runs", "read_file", "build");
  write("sees-nothing", "read_file", "sealed");
  server.Use(Fixtures({Main(0, Calls(Call("subagent_mine", {{"goal", "all"}}))), Main(1, kAnswer), Of("# Mine", 0, Calls(kReadCall)), Of("# Mine", 1, Calls(kReportCall))}));
  const auto run = RunJson();
  EXPECT_EQ(NameOf(run.result.status), std::string("completed")) << outcome_.out << outcome_.err;
  ASSERT_EQ(run.result.children.size(), 1u);
  EXPECT_EQ(run.result.children[0].subagent, "mine");
  EXPECT_EQ(run.result.children[0].citations_verified, 1);
  const std::string offered = DumpJson(run.events[0]["tools"]);
  EXPECT_THAT(offered, HasSubstr("\"subagent_mine\""));
  EXPECT_THAT(offered, HasSubstr(longest));
  std::string warned;
  for (const Json& warning : run.OfType("warning")) warned += warning["text"].get<std::string>() + "\n";
  EXPECT_EQ(run.OfType("warning").size(), 5u) << warned;
  EXPECT_THAT(warned, HasSubstr("subagent mine names the model another: as a tool it uses that of the run"));
  for (const std::string& name : {longer, std::string("flies"), std::string("runs"), std::string("sees-nothing")}) {
    EXPECT_EQ(offered.find(name), std::string::npos);
    EXPECT_THAT(warned, HasSubstr("subagent " + name + " is not on offer: "));
  }
}

TEST_F(ExecPeer, IsStoppedInTheMiddleOfAStream) {
  server.Use(Fixtures({Main(0, Calls(kReadCall)), Main(1, R"({"content": "a long answer that comes slowly, a long answer that comes slowly"})", R"(, "latency": 500)")}), 1);
  flow::PaddockRun run(Ask());
  ASSERT_TRUE(run.WaitForLine("read_file"));
  const auto from = std::chrono::steady_clock::now();
  run.Signal(SIGINT);
  outcome_ = run.Finish();
  EXPECT_LT(std::chrono::steady_clock::now() - from, std::chrono::seconds(1));
  EXPECT_EQ(outcome_.status, 130);
  EXPECT_THAT(outcome_.err, HasSubstr("cancelled"));
}

}  // namespace
}  // namespace paddock::peers

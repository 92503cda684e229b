// What each protocol makes of one conversation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "orchestrator/providers/protocol.h"

namespace paddock::orchestrator {
namespace {

using agentcore::ModelRequest;
using agentcore::ModelTurn;
using agentcore::ToolStatus;
using agentcore::TranscriptTurn;

constexpr char kWho[] = "http://here/v1 m";

agentcore::ToolCall Call(const std::string& id, const std::string& tool, Json arguments = Json::object()) { return {id, tool, std::move(arguments)}; }
agentcore::CallOutcome Outcome(const agentcore::ToolCall& call, const std::string& text, bool success = true) {
  agentcore::CallOutcome outcome{call, {}, text};
  outcome.result.success = success;
  return outcome;
}

// Two calls with thoughts before each, one of which failed; then text alone, and a nudge.
struct ProtocolTest : testing::Test {
  ProtocolTest() {
    settings.model = "m";
    request.system = "pinned";
    request.goal = "what is this?";
    request.tools = {{"read_file", "reads", Json{{"type", "object"}, {"properties", {{"path", {{"type", "string"}, {"maxLength", 32768}}}}}}}};
    request.report = {"report", "reports", Json{{"type", "object"}}};
    request.max_turns = 5;
    request.max_output_tokens = 4096;
    ModelTurn first;
    first.calls = {Call("call-1-1", "read_file", Json{{"path", "a"}}), Call("call-1-2", "bad name!", Json::array())};
    first.reasoning = {{0, Json{{"kind", "first"}}}, {1, Json{{"kind", "second"}}}};
    first.reasoned_by = kWho;
    ModelTurn second;
    second.text = "I will now read.";
    past.push_back({1, false, "", {}, first});
    past.push_back({2, false, "", {Outcome(first.calls[0], "content of a"), Outcome(first.calls[1], "no such tool", false)}, second});
    request.past = past;
    request.notice = "Call a tool.";
    request.turn = 3;
  }
  Json Body(ModelProtocol protocol) { return MakeProtocol(protocol)->Body(request, settings, who); }
  ModelSettings settings;
  ModelRequest request;
  std::vector<TranscriptTurn> past;
  std::string who = kWho;
};

std::vector<std::string> Kinds(const Json& list) {
  std::vector<std::string> kinds;
  for (const Json& one : list) kinds.push_back(one.contains("type") ? one["type"] : one.contains("kind") ? one["kind"] : one["role"]);
  return kinds;
}

using testing::ElementsAre;

TEST_F(ProtocolTest, ResponsesInputIsItemsInOrder) {
  const Json body = Body(ModelProtocol::kResponses);
  EXPECT_THAT(Kinds(body["input"]), ElementsAre("user", "first", "function_call", "second", "function_call", "function_call_output", "function_call_output", "assistant", "user"));
  EXPECT_EQ(body["input"][2], (Json{{"type", "function_call"}, {"call_id", "call-1-1"}, {"name", "read_file"}, {"arguments", R"({"path":"a"})"}}));
  EXPECT_EQ(body["input"][4]["name"], "bad_name_") << "a history with another name would be refused";
  EXPECT_EQ(body["input"][4]["arguments"], "{}");
  EXPECT_EQ(body["input"][5], (Json{{"type", "function_call_output"}, {"call_id", "call-1-1"}, {"output", "content of a"}}));
  EXPECT_EQ(body["instructions"], "pinned");
  EXPECT_EQ(body["store"], false);
  EXPECT_EQ(body["include"], Json::array({"reasoning.encrypted_content"}));
  EXPECT_EQ(body["max_output_tokens"], 4096);
  EXPECT_EQ(body["tools"][0]["name"], "read_file");
  EXPECT_EQ(body["tools"][0]["parameters"]["properties"]["path"], (Json{{"type", "string"}}));
  EXPECT_FALSE(body.contains("tool_choice"));
}

TEST_F(ProtocolTest, MessagesTakeTurnsAndResultsComeFirst) {
  request.notice = "Mind the time.";
  past[1].notice = "A word.";
  const Json body = Body(ModelProtocol::kMessages);
  const Json& messages = body["messages"];
  ASSERT_EQ(messages.size(), 5u);
  for (size_t i = 0; i < messages.size(); ++i) EXPECT_EQ(messages[i]["role"], i % 2 ? "assistant" : "user");
  EXPECT_THAT(Kinds(messages[1]["content"]), ElementsAre("first", "tool_use", "second", "tool_use"));
  EXPECT_THAT(Kinds(messages[2]["content"]), ElementsAre("tool_result", "tool_result", "text"));
  EXPECT_EQ(messages[2]["content"][0], (Json{{"type", "tool_result"}, {"tool_use_id", "call-1-1"}, {"content", "content of a"}}));
  EXPECT_EQ(messages[2]["content"][1]["is_error"], true);
  EXPECT_EQ(messages[1]["content"][3]["input"], Json::object());
  EXPECT_EQ(body["max_tokens"], 4096);
  EXPECT_EQ(body["system"][0]["text"], "pinned");
  EXPECT_EQ(body["tools"][0]["input_schema"]["type"], "object");
}

TEST_F(ProtocolTest, MessagesMarkTheStableBeginningForTheCache) {
  const Json body = Body(ModelProtocol::kMessages);
  const Json mark = Json{{"type", "ephemeral"}};
  EXPECT_EQ(body["system"][0]["cache_control"], mark);
  EXPECT_EQ(body["messages"].back()["content"].back()["cache_control"], mark);
  const std::string text = DumpJson(body);
  size_t marks = 0;
  for (size_t at = text.find("cache_control"); at != text.npos; at = text.find("cache_control", at + 1)) ++marks;
  EXPECT_EQ(marks, 2u) << "at most four are taken";
}

TEST_F(ProtocolTest, MessagesHaveNoBlankText) {
  request.notice = " \n";
  request.system = "";
  past[1].answer.text = "\n\n";
  const Json body = Body(ModelProtocol::kMessages);
  EXPECT_FALSE(body.contains("system"));
  for (const Json& message : body["messages"])
    for (const Json& block : message["content"])
      if (block.value("type", "") == "text") {
        EXPECT_NE(block["text"].get<std::string>().find_first_not_of(" \n"), std::string::npos);
      }
  EXPECT_EQ(body["messages"].back()["role"], "user");
}

TEST_F(ProtocolTest, OthersThoughtsAreNotHandedOn) {
  who = "http://elsewhere/v1 n";
  EXPECT_THAT(Kinds(Body(ModelProtocol::kResponses)["input"]), testing::Not(testing::Contains("first")));
  EXPECT_THAT(Kinds(Body(ModelProtocol::kMessages)["messages"][1]["content"]), ElementsAre("tool_use", "tool_use"));
  EXPECT_FALSE(Body(ModelProtocol::kChat)["messages"][2].contains("kind"));
}

TEST_F(ProtocolTest, WrapUpHasTheReportAloneAndAsksForIt) {
  request.wrap_up = true;
  for (ModelProtocol protocol : {ModelProtocol::kChat, ModelProtocol::kResponses, ModelProtocol::kMessages}) EXPECT_EQ(Body(protocol)["tools"].size(), 1u);
  EXPECT_EQ(Body(ModelProtocol::kChat)["tool_choice"], "required");
  EXPECT_EQ(Body(ModelProtocol::kResponses)["tool_choice"], "required");
  EXPECT_EQ(Body(ModelProtocol::kMessages)["tool_choice"], (Json{{"type", "any"}}));
  settings.effort = ModelEffort::kHigh;
  EXPECT_FALSE(Body(ModelProtocol::kMessages).contains("tool_choice")) << "a model that thinks can't be made to call a tool";
}

TEST_F(ProtocolTest, EffortIsSaidInEachProtocolsWay) {
  for (ModelProtocol protocol : {ModelProtocol::kChat, ModelProtocol::kResponses, ModelProtocol::kMessages}) {
    const Json body = Body(protocol);
    for (const char* field : {"reasoning_effort", "reasoning", "thinking"}) EXPECT_FALSE(body.contains(field)) << field;
  }
  settings.effort = ModelEffort::kMedium;
  EXPECT_EQ(Body(ModelProtocol::kChat)["reasoning_effort"], "medium");
  EXPECT_EQ(Body(ModelProtocol::kResponses)["reasoning"]["effort"], "medium");
  EXPECT_EQ(Body(ModelProtocol::kMessages)["thinking"], (Json{{"type", "enabled"}, {"budget_tokens", 2048}})) << "half of what an answer may have";
  request.max_output_tokens = 1500;
  EXPECT_FALSE(Body(ModelProtocol::kMessages).contains("thinking")) << "the server's least is 1024";
}

TEST_F(ProtocolTest, WhatAServerWillNotHaveIsLeftOutOnceEach) {
  struct Case {
    ModelProtocol protocol;
    const char* refusal;
    const char* field;
  };
  settings.effort = ModelEffort::kLow;
  request.wrap_up = true;
  for (const Case& one : {Case{ModelProtocol::kResponses, "Unknown parameter: 'include'", "include"}, Case{ModelProtocol::kResponses, "store is not supported", "store"},
                          Case{ModelProtocol::kResponses, "reasoning.effort: unsupported", "reasoning"}, Case{ModelProtocol::kResponses, "tool_choice", "tool_choice"},
                          Case{ModelProtocol::kChat, "reasoning_effort: extra inputs are not permitted", "reasoning_effort"},
                          Case{ModelProtocol::kMessages, "thinking.budget_tokens: not for this model", "thinking"}}) {
    const auto protocol = MakeProtocol(one.protocol);
    EXPECT_TRUE(protocol->Body(request, settings, who).contains(one.field)) << one.refusal;
    EXPECT_TRUE(protocol->LeaveOut(one.refusal)) << one.refusal;
    EXPECT_FALSE(protocol->Body(request, settings, who).contains(one.field)) << one.refusal;
    EXPECT_FALSE(protocol->LeaveOut(one.refusal)) << one.refusal;
  }
  for (ModelProtocol protocol : {ModelProtocol::kChat, ModelProtocol::kResponses, ModelProtocol::kMessages}) EXPECT_FALSE(MakeProtocol(protocol)->LeaveOut("messages.3: invalid"));
}

TEST_F(ProtocolTest, KeysGoInTheHeaderThatIsTheirs) {
  const auto has = [](const HttpHeaders& headers, const char* name, const std::string& value) {
    return std::find(headers.begin(), headers.end(), std::pair<std::string, std::string>(name, value)) != headers.end();
  };
  EXPECT_TRUE(has(MakeProtocol(ModelProtocol::kChat)->Headers("k"), "Authorization", "Bearer k"));
  EXPECT_TRUE(has(MakeProtocol(ModelProtocol::kResponses)->Headers("k"), "Authorization", "Bearer k"));
  EXPECT_TRUE(has(MakeProtocol(ModelProtocol::kMessages)->Headers("k"), "x-api-key", "k"));
  EXPECT_TRUE(has(MakeProtocol(ModelProtocol::kMessages)->Headers(""), "anthropic-version", "2023-06-01"));
  EXPECT_TRUE(MakeProtocol(ModelProtocol::kChat)->Headers("").empty());
}

}  // namespace
}  // namespace paddock::orchestrator

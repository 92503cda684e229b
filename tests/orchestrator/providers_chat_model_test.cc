#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/frame_pipe.h"
#include "orchestrator/providers/server_model.h"
#include "tests/orchestrator/fake_transport.h"

namespace paddock::orchestrator {
namespace {

using agentcore::Finish;
using agentcore::ModelRequest;
using testing::HasSubstr;
using namespace std::chrono_literals;

const std::string kKey = std::string("key-") + "for-tests-0123456789";

std::string Event(const std::string& data) { return "data: " + data + "\n\n"; }
const std::string kHello = Event(R"({"choices":[{"delta":{"content":"Hello"}}]})") + Event(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})") +
                           Event(R"({"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}})");
const std::string kDone = Event("[DONE]");

using Answer = PreparedAnswer;

struct ChatModelTest : testing::Test {
  ChatModelTest() {
    ServerModelSetup setup;
    setup.endpoint.name = "test";
    setup.endpoint.url = "http://127.0.0.1:1/v1";
    setup.endpoint.key = kKey;
    setup.endpoint.settings.model = "m-1";
    setup.transport = std::make_unique<FakeTransport>(&seen);
    setup.retry = {4, 0ms, 0ms};
    setup.on_retry = [this](const std::string& text) { retries.push_back(text); };
    model = std::make_unique<ServerModel>(std::move(setup));
    request.system = "pinned";
    request.goal = "what is this?";
    request.tools = {{"read_file", "reads", Json{{"type", "object"}, {"properties", {{"path", {{"type", "string"}, {"maxLength", 32768}}}}}}}};
    request.report = {"report", "reports", Json::object()};
    request.max_turns = 5;
  }
  Result<agentcore::ModelTurn> Ask(Deadline deadline = Deadline::After(20s)) { return model->Next(request, deadline); }
  Json Body(size_t i = 0) { return *ParseJson(seen.requests.at(i).body); }
  void Say(std::vector<std::string> pieces) {
    Answer answer;
    answer.pieces = std::move(pieces);
    seen.answers.push_back(std::move(answer));
  }
  void Refuse(int status, std::string body = "", HttpHeaders headers = {}) {
    Answer answer;
    answer.status = status;
    answer.headers = std::move(headers);
    answer.pieces = {std::move(body)};
    seen.answers.push_back(std::move(answer));
  }
  FakeTransport::Seen seen;
  std::vector<std::string> retries;
  std::unique_ptr<ServerModel> model;
  ModelRequest request;
};

TEST_F(ChatModelTest, AsksAndAnswers) {
  Say({kHello, kDone});
  auto turn = Ask();
  ASSERT_TRUE(turn) << turn.error().message;
  EXPECT_EQ(turn->text, "Hello");
  EXPECT_EQ(turn->usage.input_tokens, 7);
  EXPECT_FALSE(turn->usage.estimated);
  const HttpRequest& sent = seen.requests[0];
  EXPECT_EQ(sent.url, "http://127.0.0.1:1/v1/chat/completions");
  EXPECT_THAT(sent.headers, testing::Contains(std::pair<std::string, std::string>("Authorization", "Bearer " + kKey)));
  EXPECT_EQ(sent.body.find(kKey), std::string::npos);
  const Json body = Body();
  EXPECT_EQ(body["model"], "m-1");
  EXPECT_EQ(body["stream"], true);
  EXPECT_EQ(body["messages"][0]["role"], "system");
  EXPECT_EQ(body["messages"][0]["content"], "pinned");
  EXPECT_THAT(body["messages"][1]["content"].get<std::string>(), HasSubstr("what is this?"));
  ASSERT_EQ(body["tools"].size(), 2u);
  EXPECT_EQ(body["tools"][1]["function"]["name"], "report");
  EXPECT_FALSE(body["tools"][0]["function"]["parameters"]["properties"]["path"].contains("maxLength"));
  EXPECT_GT(body["max_completion_tokens"], 0);
}

TEST_F(ChatModelTest, EachCallOfThePastGetsOneToolMessageInOrder) {
  agentcore::TranscriptTurn first, second;
  first.answer.text = "I look.";
  first.answer.calls = {{"call-1-1", "read_file", Json{{"path", "a"}}}, {"call-1-2", "no such/tool\n", Json("bad")}, {"call-1-3", "read_file", Json::object()}};
  second.turn = 2;
  second.shown = {{first.answer.calls[1], {}, "two"}, {first.answer.calls[0], {}, "one"}};
  second.notice = "Mind this.";
  second.answer.calls = {{"call-2-1", "report", Json::object()}};
  const std::vector<agentcore::TranscriptTurn> past{first, second};
  request.past = past;
  request.latest = {{second.answer.calls[0], {}, "not accepted"}};
  request.wrap_up = true;
  Say({kHello, kDone});
  ASSERT_TRUE(Ask());
  const Json body = Body();
  std::string shape;
  for (const Json& message : body["messages"]) shape += message["role"].get<std::string>() + (message.contains("tool_call_id") ? ":" + message["tool_call_id"].get<std::string>() : "") + " ";
  EXPECT_EQ(shape, "system user assistant tool:call-1-1 tool:call-1-2 tool:call-1-3 user assistant tool:call-2-1 user ");
  const Json& calls = body["messages"][2]["tool_calls"];
  EXPECT_EQ(calls[1]["function"]["name"], "no_such_tool_");
  EXPECT_EQ(calls[1]["function"]["arguments"], "{}");
  EXPECT_EQ(body["messages"][3]["content"], "one");
  EXPECT_THAT(body["messages"][5]["content"].get<std::string>(), HasSubstr("not run"));
  EXPECT_EQ(body["messages"][6]["content"], "Mind this.");
  EXPECT_EQ(body["tools"].size(), 1u) << "only the report is on offer";
  EXPECT_EQ(body["tool_choice"], "required");
}

TEST_F(ChatModelTest, ALaterQuestionBeginsWithTheBytesOfTheEarlierOne) {
  Say({kHello, kDone});
  ASSERT_TRUE(Ask());
  agentcore::TranscriptTurn first;
  first.answer.calls = {{"call-1-1", "read_file", Json{{"path", "a"}}}};
  const std::vector<agentcore::TranscriptTurn> past{first};
  request.past = past;
  request.latest = {{first.answer.calls[0], {}, "one"}};
  Say({kHello, kDone});
  ASSERT_TRUE(Ask());
  const std::string before = DumpJson(Body(0)["messages"]), after = DumpJson(Body(1)["messages"]);
  EXPECT_EQ(after.substr(0, before.size() - 1), before.substr(0, before.size() - 1));
}

TEST_F(ChatModelTest, WhatCanBeAskedAgainIs) {
  Refuse(429, "", {{"retry-after", "0"}});
  Refuse(500, "<html>");
  Say({Event("{malformed json: <<<chaos>>>")});
  Say({kHello, kDone});
  auto turn = Ask();
  ASSERT_TRUE(turn) << turn.error().message;
  EXPECT_EQ(seen.requests.size(), 4u);
  EXPECT_EQ(retries.size(), 3u);
  EXPECT_THAT(model->notes(), testing::Contains(HasSubstr("asked again 3 times")));
  EXPECT_GT(turn->usage.input_tokens, 7) << "what the garbled answer cost counts too";
  EXPECT_TRUE(turn->usage.estimated);
}

TEST_F(ChatModelTest, ItGivesUpAfterFourTimes) {
  for (int i = 0; i < 5; ++i) Refuse(503, "busy");
  auto turn = Ask();
  ASSERT_FALSE(turn);
  EXPECT_EQ(seen.requests.size(), 4u);
  EXPECT_THAT(turn.error().message, HasSubstr("busy"));
  EXPECT_THAT(turn.error().message, HasSubstr("asked 4 times"));
  EXPECT_EQ(turn.error().kind, ErrorKind::kClosed);
}

TEST_F(ChatModelTest, WhatWaitingDoesNotMendIsNotAskedAgain) {
  for (auto [status, body] : {std::pair{401, "{}"}, {429, R"({"error":{"code":"insufficient_quota"}})"}, {400, R"({"error":{"code":"context_length_exceeded"}})"}}) {
    seen.requests.clear();
    Refuse(status, body);
    EXPECT_FALSE(Ask());
    EXPECT_EQ(seen.requests.size(), 1u) << status;
  }
}

TEST_F(ChatModelTest, AWaitLongerThanTheTimeThatIsLeftIsNotBegun) {
  Refuse(429, "", {{"retry-after", "3600"}});
  auto turn = Ask(Deadline::After(5s));
  ASSERT_FALSE(turn);
  EXPECT_EQ(seen.requests.size(), 1u);
  EXPECT_THAT(turn.error().message, HasSubstr("asks to wait 3600 s"));
}

TEST_F(ChatModelTest, WhatOneIsToldOfTheServerHoldsForTheNext) {
  Refuse(529, R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})", {{"retry-after", "3600"}});
  EXPECT_FALSE(Ask(Deadline::After(5s)));
  auto again = Ask(Deadline::After(5s));
  ASSERT_FALSE(again);
  EXPECT_EQ(seen.requests.size(), 1u) << "not even asked";
  EXPECT_THAT(again.error().message, HasSubstr("takes no requests for another 3"));
  EXPECT_EQ(again.error().kind, ErrorKind::kTimeout);
}

TEST_F(ChatModelTest, AFailureOfOneQuestionKeepsNobodyOut) {
  model.reset();
  ServerModelSetup setup;
  setup.endpoint.url = "http://127.0.0.1:1/v1";
  setup.transport = std::make_unique<FakeTransport>(&seen);
  setup.gate = std::make_shared<Gate>(GateSettings{});
  setup.retry = {1, 1h, 1h};
  auto gate = setup.gate;
  model = std::make_unique<ServerModel>(std::move(setup));
  for (int status : {500, 400, 401}) {
    Refuse(status);
    EXPECT_FALSE(Ask());
    EXPECT_EQ(gate->Held(), 0ms) << status;
  }
  Refuse(503);
  EXPECT_FALSE(Ask());
  EXPECT_GT(gate->Held(), 30min);
}

TEST_F(ChatModelTest, AStreamThatIsCutOffIsAskedForAgain) {
  Answer cut;
  cut.pieces = {Event(R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read_file","arguments":"{\"path\":\"x\"}"}}]}}]})")};
  seen.answers.push_back(cut);  // ends without a finish_reason
  cut.then = Error{ErrorKind::kClosed, "cut", "", 0};
  seen.answers.push_back(cut);
  Say({kHello, kDone});
  auto turn = Ask();
  ASSERT_TRUE(turn);
  EXPECT_TRUE(turn->calls.empty()) << "calls of a stream that was cut off are gone";
  EXPECT_EQ(seen.requests.size(), 3u);
}

TEST_F(ChatModelTest, AfterTheFinishReasonTheRestMayBeMissing) {
  const std::string finished = Event(R"({"choices":[{"delta":{"content":"yes"},"finish_reason":"stop"}]})");
  Say({finished});  // neither usage nor [DONE]
  auto turn = Ask();
  ASSERT_TRUE(turn);
  EXPECT_TRUE(turn->usage.estimated);
  EXPECT_GT(turn->usage.input_tokens, 50);
  EXPECT_THAT(model->notes(), testing::Contains(HasSubstr("estimate")));
  Answer cut;
  cut.pieces = {finished};
  cut.then = Error{ErrorKind::kClosed, "cut", "", 0};
  seen.answers.push_back(cut);
  EXPECT_TRUE(Ask());
  Answer hangs;
  hangs.pieces = {finished};
  hangs.silent = true;
  seen.answers.push_back(hangs);
  EXPECT_TRUE(Ask());
}

TEST_F(ChatModelTest, SilenceIsAnErrorThatSaysWhereTheSettingIs) {
  Answer silent;
  silent.pieces = {Event(R"({"choices":[{"delta":{"content":"I"}}]})"), ": keep-alive\n\n", ": keep-alive\n\n"};
  silent.silent = true;
  for (int i = 0; i < 4; ++i) seen.answers.push_back(silent);
  auto turn = Ask();
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().kind, ErrorKind::kTimeout);
  EXPECT_THAT(turn.error().message, HasSubstr("said nothing for 60 s"));
  EXPECT_THAT(turn.error().hint, HasSubstr("idle_seconds"));
  const auto lost = model->TakeLostUsage();
  EXPECT_GT(lost.input_tokens, 0);
  EXPECT_EQ(model->TakeLostUsage().input_tokens, 0);
}

TEST_F(ChatModelTest, ErrorsInTheStream) {
  Say({Event(R"({"error":{"message":"overloaded","type":"server_error","code":"503"}})")});
  Say({"event: error\ndata: {\"message\":\"again\"}\n\n"});
  Say({kHello, kDone});
  EXPECT_TRUE(Ask());
  Say({Event(R"({"error":{"message":"no","code":"insufficient_quota"}})")});
  seen.requests.clear();
  EXPECT_FALSE(Ask());
  EXPECT_EQ(seen.requests.size(), 1u);
}

TEST_F(ChatModelTest, AFieldThatTheServerWillNotHaveIsLeftOut) {
  Refuse(400, R"({"error":{"message":"Unsupported parameter: 'max_completion_tokens'","param":"max_completion_tokens"}})");
  Refuse(400, R"({"error":{"message":"stream_options is not supported"}})");
  Say({kHello, kDone});
  ASSERT_TRUE(Ask());
  EXPECT_TRUE(retries.empty());
  const Json body = Body(2);
  EXPECT_FALSE(body.contains("max_completion_tokens"));
  EXPECT_FALSE(body.contains("stream_options"));
  EXPECT_TRUE(body.contains("max_tokens"));
  Say({kHello, kDone});
  ASSERT_TRUE(Ask());
  EXPECT_FALSE(Body(3).contains("stream_options")) << "and it is remembered";
}

TEST_F(ChatModelTest, AServerThatDoesNotStream) {
  Answer whole;
  whole.headers = {{"content-type", "application/json; charset=utf-8"}};
  whole.pieces = {R"({"choices":[{"message":{"content":"all )", R"(at once"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}})"};
  seen.answers.push_back(whole);
  auto turn = Ask();
  ASSERT_TRUE(turn) << turn.error().message;
  EXPECT_EQ(turn->text, "all at once");
}

TEST_F(ChatModelTest, NotReachableIsAskedAgainAndACertificateIsNot) {
  Answer down;
  down.no_head = Error{ErrorKind::kClosed, "can't be reached", "", 0};
  seen.answers.push_back(down);
  Say({kHello, kDone});
  EXPECT_TRUE(Ask());
  seen.requests.clear();
  down.no_head = Error{ErrorKind::kDenied, "no trusted TLS connection", "", 0};
  seen.answers.push_back(down);
  EXPECT_FALSE(Ask());
  EXPECT_EQ(seen.requests.size(), 1u);
}

TEST_F(ChatModelTest, StopAndAbandonEndAPauseAtOnce) {
  auto gone = MakePipe();
  request.abandon_fd = gone->read.get();
  gone->write.reset();
  Refuse(429, "", {{"retry-after", "10"}});
  const auto before = Deadline::Clock::now();
  EXPECT_FALSE(Ask());
  EXPECT_LT(Deadline::Clock::now() - before, 5s);
}

// It was sent whole, and nobody knows what its server did with it.
TEST_F(ChatModelTest, ARequestThatIsGivenUpIsChargedByEstimate) {
  for (int i = 0; i < 4; ++i) seen.answers.push_back({.silent = true});
  EXPECT_FALSE(Ask());
  int64_t bytes = 0;
  for (const auto& one : seen.requests) bytes += static_cast<int64_t>(one.body.size() / kEstimatedBytesPerToken);
  const auto lost = model->TakeLostUsage();
  EXPECT_EQ(lost.input_tokens, bytes);
  EXPECT_TRUE(lost.estimated);
  EXPECT_THAT(model->notes(), testing::Contains(HasSubstr("partly an estimate")));
  seen.answers.assign(4, {.no_head = Error{ErrorKind::kClosed, "can't be reached", "", 0}});
  EXPECT_FALSE(Ask());
  EXPECT_EQ(model->TakeLostUsage().input_tokens, 0);
}

}  // namespace
}  // namespace paddock::orchestrator

// The explorer over the other protocols, with the same server that nobody here wrote: what holds for chat completions (model_test.cc)
// holds for each.
#include "tests/peers/model_fixture.h"

namespace paddock::peers {
namespace {

class Protocols : public Model, public testing::WithParamInterface<const char*> {
 protected:
  flow::Command Ask(std::vector<std::string> more = {}, const std::string& model = "m") {
    more.insert(more.end(), {"--protocol", GetParam()});
    return Model::Ask(std::move(more), model);
  }
  bool messages() const { return std::string(GetParam()) == "messages"; }
  std::string Path() const { return messages() ? "/v1/messages" : "/v1/responses"; }
  // Calls of the first answer and their results, as the second question has them: {id of a call, id of a result, text}.
  struct Pair {
    std::string call, result, text;
  };
  std::vector<Pair> Answered(const Json& body) {
    std::vector<Pair> pairs;
    std::vector<Json> calls, results;
    if (messages()) {
      for (const Json& block : body["messages"][1]["content"])
        if (block["type"] == "tool_use") calls.push_back(block["id"]);
      for (const Json& block : body["messages"][2]["content"])
        if (block["type"] == "tool_result") results.push_back(block);
      for (size_t i = 0; i < calls.size() && i < results.size(); ++i) pairs.push_back({calls[i], results[i]["tool_use_id"], results[i]["content"]});
      return pairs;
    }
    for (const Json& item : body["input"]) {
      if (item.value("type", "") == "function_call") calls.push_back(item["call_id"]);
      if (item.value("type", "") == "function_call_output") results.push_back(item);
    }
    for (size_t i = 0; i < calls.size() && i < results.size(); ++i) pairs.push_back({calls[i], results[i]["call_id"], results[i]["output"]});
    return pairs;
  }
};
INSTANTIATE_TEST_SUITE_P(Each, Protocols, testing::Values("responses", "messages"), [](const auto& one) { return std::string(one.param); });

TEST_P(Protocols, OneCallAndAReport) {
  server.Use(kReadThenReport);
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.turns, 2);
  const Json asked = server.Asked();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0]["path"], Path());
  if (messages()) EXPECT_EQ(asked[0]["headers"]["x-api-key"], kKey);
  else EXPECT_EQ(asked[0]["headers"]["authorization"], "Bearer " + kKey);
  const auto pairs = Answered(asked[1]["body"]);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].call, pairs[0].result);
  EXPECT_THAT(pairs[0].text, HasSubstr("# Thing"));
  EXPECT_EQ(AllText().find(kKey), std::string::npos) << "the key was written somewhere";
}

TEST_P(Protocols, TwoParallelCalls) {
  server.Use(Fixtures({At(0, Calls(kListCall + "," + kReadCall)), At(1, Calls(kReportCall))}));
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.tool_calls, 2);
  const auto pairs = Answered(server.Asked()[1]["body"]);
  ASSERT_EQ(pairs.size(), 2u);
  for (const Pair& pair : pairs) EXPECT_EQ(pair.call, pair.result);
}

TEST_P(Protocols, UsageIsWhatTheServerSays) {
  const std::string usage = R"(, "usage": {"input_tokens": 1000, "output_tokens": 10})";
  server.Use(Fixtures({At(0, Calls(kReadCall, usage)), At(1, Calls(kReportCall, usage))}));
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.input_tokens, 2000);
  EXPECT_EQ(ticket.usage.output_tokens, 20);
}

TEST_P(Protocols, TextAndThenWork) {
  server.Use(Fixtures({At(0, R"({"content": "I will now read the files. 😀"})"), At(1, Calls(kReadCall)), At(2, Calls(kReportCall))}));
  ExpectFinding(Run(Ask({}, "m+bytes")));
}

TEST_P(Protocols, RateLimitAndOverloadAreWaitedOut) {
  for (const char* status : {"429", "529", "500"}) {
    server.Use(Fixtures({R"({"match": {"turnIndex": 0, "sequenceIndex": 0}, "response": {"error": {"message": "slow down", "type": "overloaded_error"}, "status": )" + std::string(status) + R"(, "retryAfter": 1}})",
                         At(0, Calls(kReadCall)), At(1, Calls(kReportCall))}));
    const auto ticket = Run(Ask());
    ExpectFinding(ticket);
    EXPECT_THAT(outcome.err, HasSubstr(status));
    EXPECT_EQ(server.Asked().size(), 3u) << status;
  }
}

TEST_P(Protocols, AWrongKeyIsNotAskedAgainAndNotShown) {
  server.Use(R"([{"match": {}, "response": {"error": {"message": "no such key: )" + kKey + R"(", "type": "authentication_error"}, "status": 401}}])");
  EXPECT_EQ(StatusOf(Run(Ask())), "refused") << outcome.out;
  EXPECT_EQ(server.Asked().size(), 1u);
  EXPECT_EQ(AllText().find(kKey), std::string::npos) << AllText();
}

TEST_P(Protocols, AStreamThatIsCutOffNeverRunsItsCalls) {
  server.Use(Fixtures({R"({"match": {"turnIndex": 0, "sequenceIndex": 0}, "response": )" + Calls(kListCall + "," + kReadCall) + R"(, "truncateAfterChunks": 4})", At(0, Calls(kReadCall)),
                       At(1, Calls(kReportCall))}), 1000);
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.tool_calls, 1);
  EXPECT_EQ(server.Asked().size(), 3u);
}

// Over Messages this server sends an empty object in place of what is no JSON; providers_messages_stream_test.cc has the truncated one.
class ProtocolOfTruncatedArguments : public Protocols {};
INSTANTIATE_TEST_SUITE_P(Each, ProtocolOfTruncatedArguments, testing::Values("responses"), [](const auto& one) { return std::string(one.param); });

TEST_P(ProtocolOfTruncatedArguments, AreNeverRunNorKept) {
  server.Use(Fixtures({At(0, Calls(R"({"name": "read_file", "arguments": "{\"path\": \"READ"})")), At(1, Calls(kReadCall)), At(2, Calls(kReportCall))}));
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.tool_calls, 1);
  EXPECT_THAT(Answered(server.Asked()[1]["body"]).at(0).text, HasSubstr("no JSON"));
}

TEST_P(Protocols, CallsAfterTheLimitOfTokensAreNeverRun) {
  server.Use(Fixtures({At(0, Calls(kReadCall, R"(, "finishReason": "length")")), At(1, Calls(kReadCall)), At(2, Calls(kReportCall))}));
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.tool_calls, 1);
}

TEST_P(Protocols, GarbageInTheStreamIsAnError) {
  server.Use(kReadThenReport);
  const auto ticket = Run(Ask({}, "m+garbage"));
  EXPECT_EQ(StatusOf(ticket), "crashed") << outcome.out;
  EXPECT_THAT(ticket.ending.detail, HasSubstr("no JSON"));
}

TEST_P(Protocols, AStallBehindKeepAlives) {
  Write("config/paddock/config.json", R"({"schema": "paddock/config/1", "models": {"slow": {"base_url": ")" + server.url() + R"(", "model": "m+keep-alive", "protocol": ")" + GetParam() +
                                          R"(", "first_event_seconds": 1, "idle_seconds": 1}}})");
  server.Use(R"([{"match": {}, "response": {"content": "a long story that never comes"}, "streamingProfile": {"ttft": 1, "tps": 0.001}}])", 1);
  const auto ticket = Run(Investigate({"--model", "slow", "--timeout", "30s"}));
  EXPECT_EQ(StatusOf(ticket), "timeout") << outcome.out;
  EXPECT_THAT(ticket.ending.detail, HasSubstr("said nothing for 1 s, though its server kept the connection open"));
}

TEST_P(Protocols, ModelsTestSaysWhatTheModelCanDo) {
  server.Use(R"([{"match": {}, "response": )" + Calls(kReportCall) + "}]");
  outcome = Perform(Paddock({"models", "test", "--base-url", server.url(), "--protocol", GetParam(), "--model", "m", "--json"}));
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_EQ((*ParseJson(outcome.out))["models"][0]["called_tool"], true);
}

}  // namespace
}  // namespace paddock::peers

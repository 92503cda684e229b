// The explorer, driven over streaming HTTP by a model server that nobody here wrote: each fault ends as it must.
#include <signal.h>

#include "tests/peers/model_fixture.h"

namespace paddock::peers {
namespace {

TEST_F(Model, OneCallAndAReport) {
  server.Use(kReadThenReport);
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.model, "m");
  EXPECT_EQ(ticket.usage.turns, 2);
  const Json asked = server.Asked();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0]["headers"]["authorization"], "Bearer " + kKey);
  EXPECT_EQ(asked[0]["path"], "/v1/chat/completions");
  const Json& messages = asked[1]["body"]["messages"];
  EXPECT_EQ(messages[0]["role"], "system");
  EXPECT_THAT(messages[0]["content"].get<std::string>(), HasSubstr("untrusted_content"));
  EXPECT_EQ(messages[3]["role"], "tool");
  EXPECT_EQ(messages[3]["tool_call_id"], messages[2]["tool_calls"][0]["id"]);
  EXPECT_THAT(messages[3]["content"].get<std::string>(), HasSubstr("# Thing"));
  EXPECT_EQ(AllText().find(kKey), std::string::npos) << "the key was written somewhere";
}

TEST_F(Model, TwoParallelCalls) {
  server.Use(Fixtures({At(0, Calls(kListCall + "," + kReadCall)), At(1, Calls(kReportCall))}));
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.tool_calls, 2);
  const Json messages = server.Asked()[1]["body"]["messages"];
  EXPECT_EQ(messages[2]["tool_calls"].size(), 2u);
  EXPECT_EQ(messages[3]["tool_call_id"], messages[2]["tool_calls"][0]["id"]);
  EXPECT_EQ(messages[4]["tool_call_id"], messages[2]["tool_calls"][1]["id"]);
}

TEST_F(Model, UsageIsWhatTheServerSays) {
  const std::string usage = R"(, "usage": {"prompt_tokens": 1000, "completion_tokens": 10})";
  server.Use(Fixtures({At(0, Calls(kReadCall, usage)), At(1, Calls(kReportCall, usage))}));
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.input_tokens, 2000);
  EXPECT_EQ(ticket.usage.output_tokens, 20);
}

TEST_F(Model, TextAloneIsNudgedOnceAndThenStuck) {
  server.Use(Fixtures({At(0, R"({"content": "I will now read the files."})"), At(1, R"({"content": "Here I go."})")}));
  const auto ticket = Run(Ask());
  EXPECT_EQ(StatusOf(ticket), "stuck") << outcome.out;
  EXPECT_EQ(ticket.usage.turns, 2);
  EXPECT_THAT(ticket.notes, testing::Contains(HasSubstr("last words were: Here I go.")));
  EXPECT_THAT(server.Asked()[1]["body"]["messages"].back()["content"].get<std::string>(), HasSubstr("no tool call"));
}

TEST_F(Model, TextAndThenWork) {
  server.Use(Fixtures({At(0, R"({"content": "I will now read the files."})"), At(1, Calls(kReadCall)), At(2, Calls(kReportCall))}));
  ExpectFinding(Run(Ask()));
}

TEST_F(Model, AnEmptyAnswerIsNudgedOnceAndThenStuck) {
  server.Use(R"([{"match": {}, "response": {"content": ""}}])");
  EXPECT_EQ(StatusOf(Run(Ask())), "stuck") << outcome.out;
}

TEST_F(Model, RateLimitIsWaitedOut) {
  server.Use(Fixtures({R"({"match": {"turnIndex": 0, "sequenceIndex": 0}, "response": {"error": {"message": "slow down", "type": "rate_limit_error"}, "status": 429, "retryAfter": 1}})",
                   At(0, Calls(kReadCall)), At(1, Calls(kReportCall))}));
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_GE(outcome.took.count(), 1000) << "Retry-After was 1";
  EXPECT_THAT(ticket.notes, testing::Contains(HasSubstr("asked again 1 time")));
  EXPECT_THAT(outcome.err, HasSubstr("429"));
}

TEST_F(Model, ARateLimitLongerThanTheTimeLeftEndsAtOnce) {
  server.Use(R"([{"match": {}, "response": {"error": {"message": "slow down"}, "status": 429, "retryAfter": 3600}}])");
  const auto ticket = Run(Ask({"--timeout", "20s"}));
  EXPECT_EQ(StatusOf(ticket), "crashed") << outcome.out;
  EXPECT_EQ(ticket.ending.kind, "model_error");
  EXPECT_THAT(ticket.ending.detail, HasSubstr("3600 s"));
  EXPECT_EQ(server.Asked().size(), 1u);
}

TEST_F(Model, AUsedUpQuotaIsNotAskedAgain) {
  server.Use(R"([{"match": {}, "response": {"error": {"message": "pay", "code": "insufficient_quota"}, "status": 429}}])");
  const auto ticket = Run(Ask());
  EXPECT_EQ(StatusOf(ticket), "refused") << outcome.out;
  EXPECT_EQ(server.Asked().size(), 1u);
  EXPECT_THAT(ticket.ending.hint, HasSubstr("quota"));
}

TEST_F(Model, AServerErrorIsAskedAgain) {
  server.Use(Fixtures({R"({"match": {"turnIndex": 1, "sequenceIndex": 0}, "response": {"error": {"message": "oops"}, "status": 500}})", At(0, Calls(kReadCall)), At(1, Calls(kReportCall))}));
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(server.Asked().size(), 3u);
}

TEST_F(Model, AWrongKeyIsNotAskedAgainAndNotShown) {
  server.Use(R"([{"match": {}, "response": {"error": {"message": "Incorrect API key provided: )" + kKey + R"(", "code": "invalid_api_key"}, "status": 401}}])");
  const auto ticket = Run(Ask());
  EXPECT_EQ(StatusOf(ticket), "refused") << outcome.out;
  EXPECT_EQ(server.Asked().size(), 1u);
  EXPECT_THAT(ticket.ending.hint, HasSubstr("key"));
  EXPECT_EQ(AllText().find(kKey), std::string::npos) << AllText();
}

TEST_F(Model, AStreamThatIsCutOffNeverRunsItsCalls) {
  server.Use(Fixtures({R"({"match": {"turnIndex": 0, "sequenceIndex": 0}, "response": )" + Calls(kListCall + "," + kReadCall) + R"(, "truncateAfterChunks": 4})", At(0, Calls(kReadCall)),
                   At(1, Calls(kReportCall))}), 1000);
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.tool_calls, 1);
  EXPECT_EQ(server.Asked().size(), 3u);
}

TEST_F(Model, AConnectionThatIsDroppedEveryTimeIsAnError) {
  // With a window that is known nothing is asked before, so that no connection is kept: the HTTP library would send once more on a new one.
  Write("config/paddock/config.json", R"({"schema": "paddock/config/1", "models": {"drops": {"base_url": ")" + server.url() + R"(", "model": "m", "context_window": 32768}}})");
  server.Use(R"([{"match": {}, "response": {"content": "x"}, "chaos": {"disconnectRate": 1}}])");
  const auto ticket = Run(Investigate({"--model", "drops"}));
  EXPECT_EQ(StatusOf(ticket), "crashed") << outcome.out;
  EXPECT_EQ(ticket.ending.kind, "model_error");
  EXPECT_EQ(server.Asked().size(), 4u);
}

// Servers close what nobody used for a while, and that shows only when it is used again.
TEST_F(Model, AKeptConnectionThatWasClosedIsNoFailure) {
  server.Use(Fixtures({At(0, Calls(kReadCall)), At(1, Calls(kListCall)), At(2, Calls(kReportCall))}));
  const auto ticket = Run(Ask({}, "m+closes"));
  ExpectFinding(ticket);
  EXPECT_THAT(ticket.notes, testing::Not(testing::Contains(HasSubstr("asked again"))));
}

TEST_F(Model, TruncatedArgumentsAreNeverRunNorKept) {
  server.Use(Fixtures({At(0, Calls(R"({"name": "read_file", "arguments": "{\"path\": \"READ"})")), At(1, Calls(kReadCall)), At(2, Calls(kReportCall))}));
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.tool_calls, 1);
  const Json messages = server.Asked()[1]["body"]["messages"];
  EXPECT_EQ(messages[2]["tool_calls"][0]["function"]["arguments"], "{}") << "what is no JSON doesn't go back";
  EXPECT_THAT(messages[3]["content"].get<std::string>(), HasSubstr("no JSON"));
}

TEST_F(Model, CallsAfterLengthAreNeverRun) {
  server.Use(Fixtures({At(0, Calls(kReadCall, R"(, "finishReason": "length")")), At(1, Calls(kReadCall)), At(2, Calls(kReportCall))}));
  const auto ticket = Run(Ask());
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.tool_calls, 1);
}

TEST_F(Model, AFilteredAnswerIsRefused) {
  server.Use(R"([{"match": {}, "response": {"content": "no", "finishReason": "content_filter"}}])");
  EXPECT_EQ(StatusOf(Run(Ask())), "refused") << outcome.out;
}

// Silent behind keep-alives: no byte count is fooled, the time of the model is what counts.
TEST_F(Model, AStallBehindKeepAlives) {
  Write("config/paddock/config.json", R"({"schema": "paddock/config/1", "models": {"slow": {"base_url": ")" + server.url() +
                                          R"(", "model": "m+keep-alive", "first_event_seconds": 1, "idle_seconds": 1}}})");
  server.Use(R"([{"match": {}, "response": {"content": "a long story that never comes"}, "streamingProfile": {"ttft": 1, "tps": 0.001}}])", 1);
  flow::Command command = Investigate({"--model", "slow", "--timeout", "30s"});
  const auto ticket = Run(command);
  EXPECT_EQ(StatusOf(ticket), "timeout") << outcome.out;
  EXPECT_THAT(ticket.ending.detail, HasSubstr("said nothing for 1 s, though its server kept the connection open"));
  EXPECT_LT(outcome.took.count(), 25'000);
}

TEST_F(Model, AStallThatPassesIsWaitedOut) {
  server.Use(Fixtures({At(0, Calls(kReadCall), R"(, "streamingProfile": {"ttft": 700})"), At(1, Calls(kReportCall))}));
  ExpectFinding(Run(Ask({}, "m+keep-alive")));
}

TEST_F(Model, TheDeadlineHoldsWhateverTheServerDoes) {
  server.Use(Fixtures({At(0, Calls(kReadCall)), At(1, R"({"content": "a long story"})", R"(, "streamingProfile": {"ttft": 100000})")}));
  const auto ticket = Run(Ask({"--timeout", "3s"}, "m+keep-alive"));
  EXPECT_EQ(StatusOf(ticket), "timeout") << outcome.out;
  EXPECT_LT(outcome.took.count(), 8'000);
}

TEST_F(Model, GarbageInTheStreamIsAskedForAgainAndThenAnError) {
  server.Use(kReadThenReport);
  const auto ticket = Run(Ask({}, "m+garbage"));
  EXPECT_EQ(StatusOf(ticket), "crashed") << outcome.out;
  EXPECT_THAT(ticket.ending.detail, HasSubstr("no JSON"));
  EXPECT_EQ(server.Asked().size(), 4u);
}

TEST_F(Model, AMalformedBodyNowAndThen) {
  server.Use(Fixtures({R"({"match": {"turnIndex": 0, "sequenceIndex": 0}, "response": {"content": "x"}, "chaos": {"malformedRate": 1}})", At(0, Calls(kReadCall)), At(1, Calls(kReportCall))}));
  ExpectFinding(Run(Ask()));
}

TEST_F(Model, ReadsTheSameWhateverTheFraming) {
  for (const char* front : {"crlf", "bytes"}) {
    server.Use(kReadThenReport, 1);
    ExpectFinding(Run(Ask({}, std::string("m+") + front)));
  }
}

TEST_F(Model, NobodyListens) {
  flow::Command command = Investigate({"--base-url", "http://127.0.0.1:1/v1", "--model", "m"});
  const auto ticket = Run(command);
  EXPECT_EQ(StatusOf(ticket), "crashed") << outcome.out;
  EXPECT_THAT(ticket.ending.detail, HasSubstr("can't be reached"));
}

TEST_F(Model, CtrlCWhileTheModelThinks) {
  server.Use(R"([{"match": {}, "response": {"content": "never"}, "streamingProfile": {"ttft": 100000}}])");
  const flow::Command command = Ask({}, "m+keep-alive");
  flow::PaddockRun run(command);
  ASSERT_TRUE(run.WaitForLine("asking m"));
  const auto before = std::chrono::steady_clock::now();
  run.Signal(SIGINT);
  outcome = run.Finish();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(3));
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "cancelled") << outcome.out;
  EXPECT_EQ(outcome.status, 130);
}

TEST_F(Model, ACellThatIsKilledWhileTheModelThinksIsNoticedAtOnce) {
  server.Use(Fixtures({R"({"match": {"turnIndex": 0}, "response": {"content": "never"}, "streamingProfile": {"ttft": 100000}})"}));
  flow::PaddockRun run(Ask({"--timeout", "60s"}, "m+keep-alive"));
  ASSERT_TRUE(run.WaitForLine("asking m"));
  const auto cells = flow::ProcessesNamed(run.pid(), "cell");
  ASSERT_FALSE(cells.empty());
  const auto before = std::chrono::steady_clock::now();
  kill(cells.back(), SIGKILL);
  outcome = run.Finish();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "crashed") << outcome.out;
}

TEST_F(Model, TheKeyIsInNoEnvironmentAndOnNoCommandLineBelowPaddock) {
  server.Use(R"([{"match": {}, "response": {"content": "never"}, "streamingProfile": {"ttft": 100000}}])");
  const Deadline by = Deadline::After(flow::kHang);
  flow::PaddockRun run(Ask({}, "m+keep-alive"));
  while (server.Asked().empty()) {  // until the question is on its way
    ASSERT_FALSE(by.passed()) << run.err();
  }
  for (const char* name : {"paddock-jail", "cell", "paddock-http"}) {
    const auto pids = flow::ProcessesNamed(run.pid(), name);
    if (std::string(name) == "paddock-http") {
      ASSERT_FALSE(pids.empty());
    }
    for (pid_t pid : pids)
      for (const char* file : {"environ", "cmdline"}) EXPECT_EQ(Read("../../proc/" + std::to_string(pid) + "/" + file).find(kKey), std::string::npos) << name << " " << file;
  }
  run.Signal(SIGTERM);
  run.Finish();
}

TEST_F(Model, ModelsTestShowsNoKeyThatTheServerSaysBack) {
  server.Use(R"([{"match": {}, "response": {"error": {"message": "Incorrect API key provided: Bearer )" + kKey + R"(", "code": "invalid_api_key"}, "status": 401}}])");
  for (const char* json : {"", "--json"}) {
    std::vector<std::string> words{"models", "test", "--base-url", server.url(), "--model", "m", "--key-env", "MODEL_KEY"};
    if (*json) words.push_back(json);
    flow::Command command = Paddock(words);
    command.environment["MODEL_KEY"] = kKey;
    outcome = Perform(command);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ((outcome.out + outcome.err).find(kKey), std::string::npos) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("[redacted api-key]"));
    EXPECT_THAT(outcome.out, HasSubstr("check the key from $MODEL_KEY"));
  }
}

TEST_F(Model, AKeyThatIsSaidBackIsNotShownWhileItIsAskedAgain) {
  server.Use(R"([{"match": {}, "response": {"error": {"message": ")" + std::string(390, 'x') + kKey + R"("}, "status": 500}}])");
  Run(Ask({"--timeout", "5s"}));
  EXPECT_THAT(outcome.err, HasSubstr("again in"));
  EXPECT_EQ(AllText().find(kKey), std::string::npos);
  EXPECT_EQ(AllText().find(kKey.substr(0, 9)), std::string::npos) << "nor half of it, where the message is cut";
}

TEST_F(Model, AWebPageIsNoModel) {
  const auto ticket = Run(Investigate({"--base-url", server.origin() + "/page/v1", "--model", "m"}));
  EXPECT_EQ(StatusOf(ticket), "refused") << outcome.out;
  EXPECT_THAT(ticket.ending.detail, HasSubstr("is a web page"));
}

class Tls : public Model {
 protected:
  void SetUp() override {
    server.Use(kReadThenReport);
    const Json tls = server.Tls();
    port = std::to_string(tls["port"].get<int>());
    ca = tls["ca"].get<std::string>();
  }
  flow::Command At(const std::string& url) { return Investigate({"--base-url", url, "--model", "m"}); }
  std::string port, ca;
};

TEST_F(Tls, ACertificateOfAKnownCa) {
  flow::Command command = At("https://localhost:" + port + "/v1");
  command.environment["SSL_CERT_FILE"] = ca;
  ExpectFinding(Run(command));
}

TEST_F(Tls, AnUnknownCaIsRefused) {
  const auto ticket = Run(At("https://localhost:" + port + "/v1"));
  EXPECT_EQ(StatusOf(ticket), "refused") << outcome.out;
  EXPECT_THAT(ticket.ending.detail, HasSubstr("no trusted TLS connection"));
  EXPECT_THAT(ticket.ending.hint, HasSubstr("SSL_CERT_FILE"));
  EXPECT_TRUE(server.Asked().empty()) << "nothing was sent";
}

TEST_F(Tls, ACertificateForAnotherNameIsRefused) {
  flow::Command command = At("https://127.0.0.1:" + port + "/v1");
  command.environment["SSL_CERT_FILE"] = ca;
  EXPECT_EQ(StatusOf(Run(command)), "refused") << outcome.out;
  EXPECT_TRUE(server.Asked().empty());
}

TEST_F(Tls, ThroughAProxy) {
  const std::string proxy = "http://127.0.0.1:" + std::to_string(server.Proxy()["port"].get<int>());
  flow::Command command = At("https://model.test:" + port + "/v1");
  command.environment["SSL_CERT_FILE"] = ca;
  command.environment["HTTPS_PROXY"] = proxy;
  ExpectFinding(Run(command));
  EXPECT_EQ(server.Connected()[0], "model.test:" + port);
}

TEST_F(Model, ModelsTestSaysWhatTheModelCanDo) {
  server.Use(R"([{"match": {}, "response": )" + Calls(kReportCall) + "}]");
  flow::Command command = Paddock({"models", "test", "--base-url", server.url(), "--model", "m", "--json"});
  outcome = Perform(command);
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  const Json result = (*ParseJson(outcome.out))["models"][0];
  EXPECT_EQ(result["called_tool"], true);
  EXPECT_EQ(result["counted_tokens"], true);
  server.Use(R"([{"match": {}, "response": {"content": "ready"}}])");
  outcome = Perform(Paddock({"models", "test", "--base-url", server.url(), "--model", "m"}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("tool call  no"));
}

}  // namespace
}  // namespace paddock::peers

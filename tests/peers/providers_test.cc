// What stands between a run and its models: other models, money, recordings.
#include <sys/stat.h>

#include "tests/peers/model_fixture.h"

namespace paddock::peers {
namespace {

class Providers : public Model {
 protected:
  void Configure(const std::string& models) { Write("config/paddock/config.json", R"({"schema": "paddock/config/1", "models": {)" + models + "}}"); }
  std::string Entry(const std::string& name, const std::string& url, const std::string& more = "") { return "\"" + name + R"(": {"base_url": ")" + url + R"(", "model": ")" + name + "\"" + more + "}"; }
  // Without what differs from run to run, and without the notes of the cassette itself.
  static Json Same(const subagents::ResultTicket& ticket) {
    Json json = ToJson(ticket);
    for (const char* key : {"id", "receipt"}) json.erase(key);
    for (const char* key : {"wall_ms", "cpu_ms", "peak_rss_kb"}) json["usage"].erase(key);
    Json notes = Json::array();
    for (const Json& note : json["notes"])
      if (const auto& text = note.get_ref<const std::string&>(); text.find("tape") == std::string::npos && text.find("went to") == std::string::npos) notes.push_back(note);
    json["notes"] = notes;
    return json;
  }
};

TEST_F(Providers, ARecordedRunIsReplayedWithoutAServer) {
  // Files with what differs from run to run elsewhere, a failure that is waited out, and two calls side by side.
  Write("repo/src/main.c", "int main() { return 0; }\n");
  server.Use(Fixtures({R"({"match": {"turnIndex": 0, "sequenceIndex": 0}, "response": {"error": {"message": "slow down", "type": "rate_limit_error"}, "status": 429, "retryAfter": 1}})",
                       At(0, Calls(kListCall + "," + kReadCall)), At(1, Calls(R"({"name": "search_text", "arguments": "{\"pattern\": \"main\"}"})")), At(2, Calls(kReportCall))}));
  const auto recorded = Run(Ask({"--record-cassette", Path("tape")}));
  ExpectFinding(recorded);
  const size_t asked = server.Asked().size();
  EXPECT_EQ(asked, 4u);
  const std::string tape = Read("tape");
  EXPECT_EQ(tape.find(kKey), std::string::npos);
  struct stat info;
  ASSERT_EQ(stat(Path("tape").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);

  server.Use("[]");
  flow::Command command = Ask({"--replay-cassette", Path("tape")});
  command.environment.erase("MODEL_KEY");
  const auto replayed = Run(command);
  ExpectFinding(replayed);
  EXPECT_EQ(server.Asked().size(), 0u) << "the server was asked";
  EXPECT_EQ(Same(replayed), Same(recorded));
  EXPECT_THAT(replayed.notes, testing::Contains(HasSubstr("were not asked for")));

  // Another repository: another request.
  Write("repo/README.md", "# Thing, changed\n");
  const auto changed = Run(command);
  EXPECT_EQ(StatusOf(changed), "crashed") << outcome.out;
  EXPECT_THAT(changed.ending.detail, testing::AllOf(HasSubstr("$.messages[3].content differs"), HasSubstr("README.md"))) << "first, its size in the list";
}

TEST_F(Providers, SoIsARunOfTheMainAgent) {
  server.Use(Fixtures({At(0, Calls(kListCall + "," + kReadCall)), At(1, R"({"content": "It is a thing of one file, README.md."})"), At(2, R"({"content": "It is a thing of one file, README.md."})")}));
  const auto run = [&](const std::string& flag) {
    flow::Command command = Paddock({"exec", "what is this?", "--repo", Path("repo"), flag, Path("tape"), "--base-url", server.url(), "--model", "m"});
    return Perform(command);
  };
  const Outcome recorded = run("--record-cassette");
  EXPECT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_THAT(recorded.out, HasSubstr("It is a thing of one file"));
  server.Use("[]");
  const Outcome replayed = run("--replay-cassette");
  EXPECT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_EQ(replayed.out, recorded.out);
  EXPECT_THAT(replayed.err, HasSubstr("were not asked for"));
  EXPECT_EQ(server.Asked().size(), 0u);
}

// Which of two a question went to depended on who had failed before it, and when.
TEST_F(Providers, SoIsOneWithAFallbackAndSubagentsSideBySide) {
  const auto of = [](const std::string& prompt, int turn, const std::string& response) {
    return R"({"match": {"model": "here", "systemMessage": ")" + prompt + R"(", "turnIndex": )" + std::to_string(turn) + R"(}, "response": )" + response + "}";
  };
  std::string calls;
  for (int i = 0; i < 4; ++i) calls += (i ? "," : "") + std::string(R"({"name": "subagent_explorer", "arguments": "{\"goal\": \"part )") + std::to_string(i / 2) + R"(\"}"})";
  server.Use(Fixtures({R"({"match": {"model": "gone"}, "response": {"error": {"message": "oops"}, "status": 500}})", of("# Paddock's main agent", 0, Calls(calls)),
                       of("# Paddock's main agent", 1, R"({"content": "It is a thing: README.md:1."})"), of("# Explorer", 0, Calls(kReadCall)), of("# Explorer", 1, Calls(kReportCall))}));
  Configure(Entry("gone", server.url(), R"(, "fallback": ["here"])") + "," + Entry("here", server.url()));
  const auto run = [&](const std::string& flag) { return Perform(Paddock({"exec", "what is this?", "--repo", Path("repo"), flag, Path("tape"), "--model", "gone"})); };
  const Outcome recorded = run("--record-cassette");
  EXPECT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_THAT(recorded.err, testing::Not(HasSubstr("it can be asked again")));
  int gone = 0;
  for (const Json& one : server.Asked()) gone += one["body"].is_object() && one["body"]["model"] == "gone";
  EXPECT_EQ(gone, 2) << "it was dead";
  server.Use("[]");
  for (int i = 0; i < 3; ++i) {
    const Outcome replayed = run("--replay-cassette");
    EXPECT_EQ(replayed.status, 0) << replayed.err;
    EXPECT_EQ(replayed.out, recorded.out);
    EXPECT_THAT(replayed.err, testing::Not(HasSubstr("went to")));
  }
  EXPECT_EQ(server.Asked().size(), 0u);
}

TEST_F(Providers, CassettesThatCanNotBe) {
  server.Use(kReadThenReport);
  Write("tape", "something of mine");
  outcome = Perform(Ask({"--record-cassette", Path("tape")}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(Read("tape"), "something of mine");
  for (auto words : {std::vector<std::string>{"--record-cassette", Path("repo/tape")}, {"--replay-cassette", Path("tape")}, {"--replay-cassette", Path("none")}, {"--record-cassette", Path("a"), "--replay-cassette", Path("b")}}) {
    outcome = Perform(Ask(words));
    EXPECT_EQ(outcome.status, 2) << words[1] << outcome.err;
  }
  outcome = Perform(Investigate({"--record-cassette", Path("new")}));
  EXPECT_EQ(outcome.status, 2) << "nothing to record of a playbook";
  EXPECT_EQ(server.Asked().size(), 0u);
}

TEST_F(Providers, AModelThatIsNotThereIsStoodInForAndThatIsSaid) {
  server.Use(Fixtures({R"({"match": {"model": "gone"}, "response": {"error": {"message": "no such key", "type": "authentication_error"}, "status": 401}})", At(0, Calls(kReadCall)), At(1, Calls(kReportCall))}));
  Configure(Entry("gone", server.url(), R"(, "fallback": ["here"])") + "," + Entry("here", server.url()));
  const auto ticket = Run(Investigate({"--model", "gone", "--timeout", "120s"}));
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.model, "gone");
  EXPECT_THAT(ticket.notes, testing::Contains(HasSubstr("answers by model: here (here): 2")));
  EXPECT_THAT(outcome.err, HasSubstr("now here instead of gone"));
  EXPECT_THAT(AllText(), HasSubstr("model_switched"));
}

TEST_F(Providers, WhatItCostsIsCountedAndBounded) {
  const std::string usage = R"(, "usage": {"prompt_tokens": 1000, "completion_tokens": 10})";
  server.Use(Fixtures({At(0, Calls(kReadCall, usage)), At(1, Calls(kReportCall, usage))}));
  Configure(Entry("priced", server.url(), R"(, "price": {"input": 3, "output": 15})") + "," + Entry("unknown", server.url()));
  auto ticket = Run(Investigate({"--model", "priced", "--max-cost", "5"}));
  ExpectFinding(ticket);
  EXPECT_EQ(ticket.usage.cost_nanos, 2 * (1000 * 3'000 + 10 * 15'000));
  ticket = Run(Investigate({"--model", "unknown"}));
  ExpectFinding(ticket);
  EXPECT_FALSE(ticket.usage.cost_nanos);
  server.Use(kReadThenReport);
  // Too little for a question and the report: nothing is begun. A little more, and answers are as short as it pays for.
  outcome = Perform(Investigate({"--model", "priced", "--max-cost", "0.001"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("at least $0.0"));
  outcome = Perform(Paddock({"exec", "what is this?", "--repo", Path("repo"), "--model", "priced", "--max-cost", "0.001"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("at least $0.0"));
  EXPECT_EQ(server.Asked().size(), 0u);
  server.Use(Fixtures({At(0, Calls(kReadCall, usage)), At(1, Calls(kReportCall, usage))}));
  ExpectFinding(Run(Investigate({"--model", "priced", "--max-cost", "0.10"})));
  const Json asked = server.Asked();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_LT(asked[0]["body"].value("max_tokens", asked[0]["body"].value("max_completion_tokens", 0)), 8192) << asked[0];
  outcome = Perform(Investigate({"--model", "unknown", "--max-cost", "5"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no price is known for the model \"unknown\""));
}

}  // namespace
}  // namespace paddock::peers

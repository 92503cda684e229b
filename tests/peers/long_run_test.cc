// Two hundred turns with four megabytes of tool output, in a window of 32k tokens: counted by the server, with o200k's own tokenizer.
#include <iostream>

#include "tests/flow/exec_fixture.h"
#include "tests/peers/model_server.h"

namespace paddock::peers {
namespace {

constexpr int kFiles = 200;
constexpr int64_t kWindow = 32'768;

class LongRun : public flow::ExecTest {
 protected:
  LongRun() {
    for (int n = 1; n <= kFiles; ++n) {
      std::string text;
      for (int line = 0; text.size() < 21'000; ++line)
        text += "static int value_" + std::to_string(n) + "_" + std::to_string(line) + "(int x) { return x * " + std::to_string(line * n) + " + limit[" + std::to_string(line % 17) + "]; }  // of part " + std::to_string(n) + "\n";
      Write("repo/src/file" + std::to_string(n) + ".c", text);
    }
    Write("config/paddock/config.json", DumpJson(Json{{"schema", "paddock/config/1"}, {"models", {{"small", {{"base_url", server.origin() + "/long/v1"}, {"model", "m"}, {"context_window", kWindow}}}}}}));
  }
  ModelServer server;
};

TEST_F(LongRun, StaysInsideTheWindowKeepsTheGoalAndIsSmall) {
  server.BeginLongRun(Json{{"files", kFiles}, {"goal", "what is this?"}, {"rules", "# Paddock's main agent"}});
  outcome_ = Perform(Exec({"--json", "--model", "small", "--max-turns", "260"}));
  const auto run = flow::ExecRunOf(outcome_);
  EXPECT_EQ(NameOf(run.result.status), std::string("completed")) << run.result.ending.detail;
  EXPECT_EQ(run.result.answer, "All of them were read.");
  EXPECT_EQ(run.result.usage.tool_calls, kFiles);
  EXPECT_GE(*run.result.usage.output_bytes, 4'000'000);
  const Json facts = server.LongRunFacts();
  EXPECT_GE(facts["questions"], kFiles + 1);
  EXPECT_LE(facts["mostTokens"], kWindow * 70 / 100 * 103 / 100) << "its share of the window, which the conversation can only estimate";
  EXPECT_EQ(facts["withoutGoal"], 0);
  EXPECT_GE(facts["notes"], 1);
  EXPECT_EQ(facts["factsLost"], 0);
  const auto own = flow::ExecRunOf(outcome_).result;
  EXPECT_LT(*own.usage.input_tokens, 200 * kWindow);
  EXPECT_LT(outcome_.most_peak_kb, 60 * 1024);
  std::cout << "most tokens " << facts["mostTokens"] << ", notes " << facts["notes"] << ", parent " << outcome_.peak_kb << " KiB, at its end " << outcome_.most_peak_kb << " KiB\n";
}

}  // namespace
}  // namespace paddock::peers

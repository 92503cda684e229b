#include "agentcore/model/scripted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/frame_pipe.h"

namespace paddock::agentcore {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

Script Parsed(const std::string& turns, const std::string& more = "") {
  auto script = ParseScript("{\"schema\":\"paddock/script/1\",\"turns\":" + turns + more + "}", "s.json");
  EXPECT_TRUE(script) << script.error().message;
  return script ? *script : Script{};
}

TEST(Script, ErrorsNameFilePathAndWhatWasExpected) {
  auto message = [](const std::string& text) {
    auto script = ParseScript(text, "s.json");
    return script ? std::string("accepted") : script.error().message + " / " + script.error().hint;
  };
  EXPECT_THAT(message("{"), HasSubstr("s.json: "));
  EXPECT_THAT(message(R"({"schema":"paddock/script/2","turns":[]})"), HasSubstr("$.schema: expected \"paddock/script/1\""));
  EXPECT_THAT(message(R"({"schema":"paddock/script/1"})"), HasSubstr("$.turns"));
  EXPECT_THAT(message(R"({"schema":"paddock/script/1","turns":[{"calls":{}}]})"), HasSubstr("s.json: $.turns[0].calls"));
  EXPECT_THAT(message(R"({"schema":"paddock/script/1","turns":[{"calls":[{"tool":"a","args":{}}]}]})"), HasSubstr("args"));
  EXPECT_THAT(message(R"({"schema":"paddock/script/1","turns":[],"turns":[]})"), HasSubstr("duplicate"));
  EXPECT_THAT(message(R"({"schema":"paddock/script/1","turns":[{"delay_ms":-1}]})"), HasSubstr("$.turns[0].delay_ms"));
}

TEST(Script, NoSuchFileAndNoRegularFile) {
  EXPECT_EQ(LoadScript("/nonexistent/script.json").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(LoadScript("/dev/null").error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(LoadScript("/").error().kind, ErrorKind::kInvalid);
}

TEST(ScriptedModel, PlaysItsTurnsInOrderAndThenSaysNothing) {
  ScriptedModel model(Parsed(R"([{"text":"t","calls":[{"tool":"read_file","arguments":{"path":"a"}}],"usage":{"input_tokens":3}},
                                {"report":{"summary":"s"}}])"));
  auto first = model.Next({}, Deadline::Never());
  ASSERT_TRUE(first);
  EXPECT_EQ(first->text, "t");
  EXPECT_EQ(first->calls.at(0).arguments["path"], "a");
  EXPECT_EQ(first->usage.input_tokens, 3);
  auto second = model.Next({}, Deadline::Never());
  EXPECT_EQ(second->calls.at(0).tool, "report");
  auto third = model.Next({}, Deadline::Never());
  EXPECT_TRUE(third->calls.empty());
  EXPECT_EQ(third->text, "");
}

TEST(ScriptedModel, RepeatsTheLastTurnWhenToldSo) {
  ScriptedModel model(Parsed(R"([{"text":"a"},{"text":"b"}])", ",\"repeat_last\":true"));
  std::string all;
  for (int i = 0; i < 4; ++i) all += model.Next({}, Deadline::Never())->text;
  EXPECT_EQ(all, "abbb");
}

TEST(ScriptedModel, ADelayBeyondTheDeadlineTimesOutAtTheDeadline) {
  ScriptedModel model(Parsed(R"([{"delay_ms":60000}])"));
  auto started = std::chrono::steady_clock::now();
  auto turn = model.Next({}, Deadline::After(milliseconds(30)));
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().kind, ErrorKind::kTimeout);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(20));
}

TEST(ScriptedModel, ADelayIsKeptAndCanBeCancelled) {
  auto pipe = MakePipe();
  ScriptedModel model(Parsed(R"([{"delay_ms":20},{"delay_ms":60000}])"), "scripted", pipe->read.get());
  auto started = std::chrono::steady_clock::now();
  EXPECT_TRUE(model.Next({}, Deadline::After(std::chrono::seconds(20))));
  EXPECT_GE(std::chrono::steady_clock::now() - started, milliseconds(20));
  pipe->write.reset();  // hang-up counts too
  EXPECT_EQ(model.Next({}, Deadline::After(std::chrono::seconds(20))).error().kind, ErrorKind::kCancelled);
}

}  // namespace
}  // namespace paddock::agentcore

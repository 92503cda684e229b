#include "subagents/frames.h"

#include <gtest/gtest.h>

namespace paddock::subagents {
namespace {

template <class Frame>
Frame RoundTrip(const char* type, const Frame& frame) {
  std::string line = EncodeFrame(type, frame);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  auto raw = DecodeFrame(line);
  EXPECT_TRUE(raw) << raw.error().message;
  EXPECT_EQ(raw->type, type);
  auto back = FromJson<Frame>(raw->body);
  EXPECT_TRUE(back) << back.error().message;
  EXPECT_EQ(EncodeFrame(type, *back), line);
  return *back;
}

TEST(Frames, ComeBackAsTheyWere) {
  RoundTrip("ready", ReadyFrame{{{"landlock", "open /witness", 13}}});
  RoundTrip("go", GoFrame{});
  RoundTrip("task", TaskFrame{CellKind::kSubagent, "", {"read_file"}, 5, 2048});
  NextTurnFrame next{NextReason::kResults, {{"call-1-1", {}}}};
  next.answers[0].result.artifacts.push_back({.kind = "excerpt", .path = "a\\nb", .line_start = 3, .lines = {"x\n\ty", "\xF4\x8F\xBF\xBF"}, .matches = {3}, .cut = {}, .entries = {}, .facts = Json::object()});
  auto back = RoundTrip("next_turn", next);
  EXPECT_EQ(back.answers[0].result.artifacts[0].lines, next.answers[0].result.artifacts[0].lines);
  RoundTrip("turn", TurnFrame{{{"call-1-1", "read_file", Json{{"path", "a"}}}}, false});
  RoundTrip("wrap_up", WrapUpFrame{"deadline"});
  RoundTrip("event", EventFrame{"tool_started", "call-1-1", "read_file", "a", 0});
  RoundTrip("result", ResultFrame{3, 1});
  RoundTrip("cite", CiteFrame{7, "a", 1, 2});
  RoundTrip("range", RangeFrame{7, "ok", "line\n", 1234567890123456789});
  RoundTrip("model_request", ModelRequestFrame{"g", "c", {{{"call-1-1", "t", Json::object()}, {}}}, 2, 12, true});
  RoundTrip("model_turn", ModelTurnFrame{{"text", {}, {1, 2}}});
  RoundTrip("hidden", HiddenFrame{HiddenFault::kNone, "", {"a", "\xF4\x8F\xBF\xBF"}, {"link"}});
  RoundTrip("fault", FaultFrame{"why"});
}

TEST(DecodeFrame, FindsTheTypeWhereverItStands) {
  auto raw = DecodeFrame(R"({"reason":"turns","type":"wrap_up"})");
  ASSERT_TRUE(raw);
  EXPECT_EQ(raw->type, "wrap_up");
  EXPECT_EQ(DumpJson(raw->body), R"({"reason":"turns"})");
}

TEST(DecodeFrame, LeavesUnknownTypesToTheCaller) {
  auto raw = DecodeFrame(R"({"type":"launch_missiles"})");
  ASSERT_TRUE(raw);
  EXPECT_EQ(raw->type, "launch_missiles");
}

TEST(DecodeFrame, RefusesWhatIsNoFrame) {
  for (const char* line : {"", "garbage", "[]", "{}", "null", R"("go")", R"({"type":1})", R"({"type":""})", R"({"type":null})",
                           R"({"type":"go"} {"type":"go"})", R"({"type":"go","type":"task"})", "{\"type\":\"\xff\"}",
                           R"({"type":"go")", R"({"type":"123456789012345678901234567890123"})"}) {
    auto raw = DecodeFrame(line);
    ASSERT_FALSE(raw) << line;
    EXPECT_EQ(raw.error().kind, ErrorKind::kProtocol) << line;
  }
}

TEST(DecodeFrame, BoundsDepthCountAndSize) {
  EXPECT_EQ(DecodeFrame(std::string(8u << 20, '[')).error().kind, ErrorKind::kLimit);
  std::string many = R"({"type":"x","a":[)";
  for (int i = 0; i < 100'000; ++i) many += "1,";
  EXPECT_EQ(DecodeFrame(many + "1]}").error().kind, ErrorKind::kLimit);
  EXPECT_EQ(DecodeFrame(R"({"type":"x","a":")" + std::string(8u << 20, 'a') + "\"}").error().kind, ErrorKind::kLimit);
}

TEST(Frames, RefuseFieldsThatAreNotTheirs) {
  auto raw = DecodeFrame(R"({"type":"go","force":true})");
  ASSERT_TRUE(raw);
  EXPECT_FALSE(FromJson<GoFrame>(raw->body));
}

}  // namespace
}  // namespace paddock::subagents

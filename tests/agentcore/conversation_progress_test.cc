// A model that gets nowhere.
#include "tests/agentcore/conversation_fixture.h"

namespace paddock::agentcore {
namespace {

struct LoopingTest : ConversationTest {
  // Turns of one and the same call, until the conversation is over or has taken `most`.
  int Repeat(TicketConversation& c, int most) {
    int turns = 0;
    auto turn = Next(c);
    while (turn && !turn->final && ++turns < most) {
      std::vector<CallReply> replies;
      for (const ToolCall& call : turn->calls) replies.push_back(Reply(call.id));
      turn = Next(c, replies);
    }
    return turns;
  }
};

TEST_F(LoopingTest, AModelThatRepeatsItselfIsToldAndThenAskedForItsReport) {
  auto c = Make(50);
  for (int i = 0; i < 3; ++i) model.Say({Call("read_file", Json{{"path", "f"}})});
  model.Say({}, "I will look at the tests instead.");
  model.Say({Call("list_files")});
  for (int i = 0; i < 2; ++i) model.Say({Call("read_file", Json{{"path", "f"}})});
  model.Say({ReportCall()});
  Repeat(c, 40);
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
  EXPECT_EQ(c.wrap_up(), WrapUp::kNoProgress);
  EXPECT_EQ(c.no_progress(), NoProgress::kRepeat);
  ASSERT_GE(model.requests.size(), 5u);
  const ModelRequest& reflection = model.requests[3];
  EXPECT_THAT(reflection.notice, HasSubstr("the same call gave the same result three times"));
  EXPECT_TRUE(reflection.tools.empty()) << "words are asked for";
  EXPECT_FALSE(reflection.wrap_up);
  EXPECT_EQ(model.requests[4].tools.size(), 2u) << "and then it goes on";
  EXPECT_TRUE(model.requests.back().wrap_up);
}

TEST_F(LoopingTest, CallsInPlaceOfWordsAreNotRun) {
  auto c = Make(50);
  for (int i = 0; i < 4; ++i) model.Say({Call("read_file", Json{{"path", "f"}})});
  model.Say({ReportCall()});
  EXPECT_EQ(Repeat(c, 40), 3);
  EXPECT_THAT(model.requests.at(4).latest.at(0).result.error, HasSubstr("words were asked for"));
}

TEST_F(LoopingTest, WithFewTurnsLeftTheReportIsAskedForAtOnce) {
  auto c = Make(5);
  for (int i = 0; i < 3; ++i) model.Say({Call("read_file", Json{{"path", "f"}})});
  model.Say({ReportCall()});
  Repeat(c, 40);
  EXPECT_TRUE(model.requests.at(3).wrap_up);
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
}

TEST_F(LoopingTest, CallsOfUnknownToolsOverAndOverEndTheWork) {
  auto c = Make(50);
  for (int i = 0; i < 20; ++i) model.Say({Call("tool_" + std::to_string(i))});
  EXPECT_EQ(Repeat(c, 40), 0) << "none of them reached the cell";
  EXPECT_EQ(c.wrap_up(), WrapUp::kNoProgress);
  EXPECT_EQ(c.no_progress(), NoProgress::kErrors);
  EXPECT_LE(c.turns(), 10);
}

TEST_F(LoopingTest, ACallThatFailedTwiceInOneWayIsNotRunAThirdTime) {
  auto c = Make(50);
  const auto fails = [](std::string id) { return CallReply{std::move(id), ToolFailure(ToolStatus::kNotFound, "no such file", "")}; };
  for (int i = 0; i < 3; ++i) model.Say({Call("read_file", Json{{"path", "gone"}})});
  model.Say({ReportCall()});
  Next(c);
  Next(c, {fails("call-1-1")});
  auto turn = Next(c, {fails("call-2-1")});
  EXPECT_TRUE(turn->final) << "the third was answered here";
  EXPECT_THAT(model.requests.at(3).latest.at(0).result.error, HasSubstr("failed twice in the same way"));
}

}  // namespace
}  // namespace paddock::agentcore

// How a conversation comes to its report, and what it asks again for.
#include "tests/agentcore/conversation_fixture.h"

namespace paddock::agentcore {
namespace {

TEST_F(ConversationTest, RunsToAReport) {
  auto c = Make();
  model.Say({Call("read_file", Json{{"path", "f"}}), Call("list_files")});
  model.Say({ReportCall()});
  auto turn = Next(c);
  ASSERT_EQ(turn->calls.size(), 2u);
  EXPECT_EQ(turn->calls[0].id, "call-1-1");
  EXPECT_EQ(turn->calls[1].id, "call-1-2");
  auto last = Next(c, {Reply("call-1-1", "\x1b[2J"), Reply("call-1-2")});
  ASSERT_TRUE(last);
  EXPECT_TRUE(last->final);
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
  EXPECT_EQ((*c.report())["summary"], "done");
  EXPECT_EQ(c.wrap_up(), WrapUp::kNone);
  ASSERT_EQ(model.requests[1].latest.size(), 2u);
  EXPECT_EQ(model.requests[1].latest[0].result.artifacts[0].lines[0], "\\u{1B}[2J");
  EXPECT_EQ(model.requests[1].system, "pinned");
  EXPECT_EQ(host.seen.at(0).lines.at(0), "\x1b[2J");
  EXPECT_EQ(c.transcript().size(), 2u);
}

TEST_F(ConversationTest, TextOnlyIsNudgedOnceAndThenStuck) {
  auto c = Make();
  model.Say({}, "I will now read the file");
  model.Say({}, "Really now");
  EXPECT_TRUE(Next(c)->final);
  EXPECT_EQ(c.end(), ConversationEnd::kStuck);
  EXPECT_EQ(c.turns(), 2);
  EXPECT_THAT(model.requests[1].notice, HasSubstr("no tool call"));
}

TEST_F(ConversationTest, ANudgeThatHelpsIsForgotten) {
  auto c = Make();
  model.Say({}, "hm");
  model.Say({Call("read_file")});
  auto turn = Next(c);
  ASSERT_EQ(turn->calls.size(), 1u);
  EXPECT_EQ(turn->calls[0].id, "call-2-1");
  model.Say({}, "hm");
  model.Say({ReportCall()});
  Next(c, {Reply("call-2-1")});
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
}

TEST_F(ConversationTest, TheLastTurnOffersOnlyTheReport) {
  auto c = Make(2);
  model.Say({Call("read_file")});
  model.Say({ReportCall()});
  Next(c);
  EXPECT_FALSE(model.requests[0].wrap_up);
  EXPECT_EQ(model.requests[0].tools.size(), 2u);
  Next(c, {Reply("call-1-1")});
  EXPECT_TRUE(model.requests[1].wrap_up);
  EXPECT_TRUE(model.requests[1].tools.empty());
  EXPECT_EQ(c.wrap_up(), WrapUp::kTurns);
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
}

TEST_F(ConversationTest, CallsOnTheLastTurnAreNotRun) {
  auto c = Make(2);
  model.Say({Call("read_file")});
  model.Say({Call("read_file")});
  Next(c);
  auto turn = Next(c, {Reply("call-1-1")});
  EXPECT_TRUE(turn->final);
  EXPECT_TRUE(turn->calls.empty());
  EXPECT_EQ(c.end(), ConversationEnd::kNoReport);
  EXPECT_EQ(c.wrap_up(), WrapUp::kTurns);
}

TEST_F(ConversationTest, ABadReportIsRepairedOnce) {
  auto c = Make();
  model.Say({Call("report", Json{{"sumary", 1}})});
  model.Say({ReportCall()});
  EXPECT_TRUE(Next(c)->final);
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
  EXPECT_EQ(c.wrap_up(), WrapUp::kNone);
  EXPECT_THAT(model.requests[1].notice, HasSubstr("$.summary: missing"));
  EXPECT_TRUE(model.requests[1].wrap_up);
}

TEST_F(ConversationTest, ABadReportTwiceIsAFailure) {
  auto c = Make();
  model.Say({Call("report", Json(3))});
  model.Say({Call("report")});
  Next(c);
  EXPECT_EQ(c.end(), ConversationEnd::kBadReport);
  EXPECT_FALSE(c.report());
}

TEST_F(ConversationTest, AReportAboutNothingIsNotAskedFor) {
  host.work_turns = 0;
  auto c = Make();
  Next(c);
  EXPECT_EQ(c.end(), ConversationEnd::kNoReport);
  EXPECT_EQ(c.wrap_up(), WrapUp::kBudget);
  EXPECT_TRUE(model.requests.empty());
}

TEST_F(ConversationTest, AReportWithAFaultIsAskedForAgain) {
  auto c = Make();
  ToolCall cut = ReportCall();
  cut.fault = "the arguments are no JSON";
  model.Say({cut});
  model.Say({ReportCall()});
  EXPECT_TRUE(Next(c)->final);
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
  EXPECT_THAT(model.requests[1].notice, HasSubstr("no JSON"));
}

// What is decided, and why, is told step by step.
TEST_F(ConversationTest, EveryPhaseIsToldWithItsReason) {
  auto c = Make();
  model.Say({Call("read_file"), Call("list_files")});
  model.Say({ReportCall()});
  Next(c);
  Next(c, {Reply("call-1-1"), Reply("call-1-2")});
  using testing::ElementsAre;
  using testing::Pair;
  EXPECT_THAT(host.phases, ElementsAre(Pair("plan", "start"), Pair("act", "2 calls"), Pair("observe", "2 results"), Pair("plan", "results"), Pair("finish", "the report is there")));
}

TEST_F(ConversationTest, EmptyAnswersAreAskedForAgainAndThenAFailure) {
  auto c = Make();
  model.Say({Call("read_file")});
  Next(c);
  for (int i = 0; i < 3; ++i) model.Say({}, " \n");
  EXPECT_TRUE(Next(c, {Reply("call-1-1")})->final);
  EXPECT_EQ(c.end(), ConversationEnd::kStuck);
  EXPECT_THAT(c.error().message, HasSubstr("nothing, 3 times"));
  EXPECT_THAT(model.requests.at(2).notice, HasSubstr("empty"));
  EXPECT_EQ(model.requests.at(3).latest.size(), 1u) << "what was found is shown again";
  EXPECT_EQ(model.past.at(3).size(), 1u) << "an empty message is not sent back";
}

TEST_F(ConversationTest, AnEmptyAnswerMayBeFollowedByAGoodOne) {
  auto c = Make();
  model.Say({}, "");
  model.Say({Call("read_file")});
  EXPECT_EQ(Next(c)->calls.size(), 1u);
}

TEST_F(ConversationTest, CallsBesideAReportAreNotRunAndThatIsSaid) {
  auto c = Make();
  model.Say({Call("read_file"), ReportCall(), Call("list_files")});
  EXPECT_TRUE(Next(c)->final);
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
  EXPECT_THAT(host.mended, testing::ElementsAre("2 calls beside the report were not run"));
}

}  // namespace
}  // namespace paddock::agentcore

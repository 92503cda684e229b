// What ends a conversation or leads it to its report: time, calls, bytes, money, a model that fails.
#include "tests/agentcore/conversation_fixture.h"

namespace paddock::agentcore {
namespace {

TEST_F(ConversationTest, AModelErrorEndsIt) {
  auto c = Make();
  model.answers.push_back(Fail(ErrorKind::kClosed, "gone"));
  EXPECT_TRUE(Next(c)->final);
  EXPECT_EQ(c.end(), ConversationEnd::kModelError);
  EXPECT_EQ(c.error().kind, ErrorKind::kClosed);
  EXPECT_EQ(host.settled, 1);
}

TEST_F(ConversationTest, ATurnThatTimesOutIsFollowedByTheReport) {
  auto c = Make();
  model.Say({Call("read_file")});
  Next(c);
  model.answers.push_back(Fail(ErrorKind::kTimeout, "late"));
  model.Say({ReportCall()});
  c.Next({Reply("call-1-1")}, Deadline::After({}), Deadline::Never());
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
  EXPECT_EQ(c.wrap_up(), WrapUp::kDeadline);
  EXPECT_EQ(model.requests[2].latest.size(), 1u);  // what was found is shown again
}

TEST_F(ConversationTest, AModelThatIsSilentBeforeTheDeadlineIsAnErrorAndNotTheDeadline) {
  auto c = Make();
  model.answers.push_back(Fail(ErrorKind::kTimeout, "nothing came for 60 s"));
  EXPECT_TRUE(Next(c)->final);
  EXPECT_EQ(c.end(), ConversationEnd::kModelError);
  EXPECT_EQ(c.wrap_up(), WrapUp::kNone);
}

TEST_F(ConversationTest, WithoutTheCellTheReportIsMadeOfWhatWasSeen) {
  auto c = Make();
  model.Say({Call("read_file")});
  Next(c);
  model.Say({ReportCall()});
  c.ReportWithoutCell(WrapUp::kCellLost, Deadline::Never());
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
  ASSERT_EQ(model.requests[1].latest.size(), 1u);
  EXPECT_THAT(model.requests[1].latest[0].result.error, HasSubstr("ended before it answered"));
}

TEST_F(ConversationTest, ABudgetOfCallsThatRunsOutLeadsToTheReport) {
  host.calls = 1;
  auto c = Make();
  model.Say({Call("read_file"), Call("read_file")});
  auto turn = Next(c);
  EXPECT_EQ(turn->calls.size(), 1u);
  model.Say({ReportCall()});
  Next(c, {Reply("call-1-1")});
  EXPECT_EQ(c.wrap_up(), WrapUp::kBudget);
  EXPECT_TRUE(model.requests[1].wrap_up);
  EXPECT_THAT(model.requests[1].latest[1].result.error, HasSubstr("budget"));
}

TEST_F(ConversationTest, OutputBeyondTheBudgetIsNeitherShownNorSeen) {
  host.output = 20;
  auto c = Make();
  model.Say({Call("read_file")});
  Next(c);
  model.Say({ReportCall()});
  Next(c, {Reply("call-1-1", std::string(5000, 'z'))});
  EXPECT_EQ(c.wrap_up(), WrapUp::kBudget);
  EXPECT_TRUE(host.seen.empty());
  EXPECT_LT(ResultBytes(model.requests[1].latest[0].result), 500u);
}

TEST_F(ConversationTest, TurnsRefusedByTheHostLeaveTheAllowanceForTheReport) {
  host.work_turns = 1;
  auto c = Make();
  model.Say({Call("read_file")});
  model.Say({ReportCall()});
  Next(c);
  Next(c, {Reply("call-1-1")});
  EXPECT_EQ(c.end(), ConversationEnd::kReport);
  EXPECT_EQ(c.wrap_up(), WrapUp::kBudget);
  host.report_turns = 0;
  auto none = Make();
  Next(none);
  EXPECT_EQ(none.end(), ConversationEnd::kNoReport);
}

TEST_F(ConversationTest, AModelThatWillNotAnswerEndsAsRefused) {
  auto c = Make();
  model.answers.push_back(ModelTurn{"I can't help with that.", {}, {}, Finish::kRefused});
  EXPECT_TRUE(Next(c)->final);
  EXPECT_EQ(c.end(), ConversationEnd::kRefused);
  EXPECT_THAT(c.error().message, HasSubstr("can't help"));
}

TEST_F(ConversationTest, ResultsAreBoundedByWhatCanBePaid) {
  auto c = Make();
  host.room = 2000;
  model.Say({Call("read_file")});
  model.Say({ReportCall()});
  Next(c);
  Next(c, {Reply("call-1-1", std::string(9000, 'x'))});
  EXPECT_LE(ResultBytes(model.requests[1].latest[0].result), 2600u);
  EXPECT_EQ(model.requests[1].latest[0].result.status, ToolStatus::kPartial);
}

}  // namespace
}  // namespace paddock::agentcore

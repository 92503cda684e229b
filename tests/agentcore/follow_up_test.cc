// A conversation that goes on from one that has ended.
#include "tests/agentcore/conversation_fixture.h"

namespace paddock::agentcore {
namespace {

struct FollowUp : ConversationTest {
  FollowUp() { model.language = true; }

  TicketConversation GoOn(ConversationHistory history, const std::string& goal = "the further one", int max_turns = 5) {
    ConversationSetup setup;
    setup.system = "pinned";
    setup.goal = goal;
    setup.context = "known";
    setup.tools = {{"read_file", "", {}}, {"list_files", "", {}}};
    setup.max_turns = max_turns;
    setup.earlier = std::make_shared<ConversationHistory>(std::move(history));
    return TicketConversation(setup, &model, &host);
  }
  // One read, and the report.
  ConversationHistory First() {
    auto first = Make();
    model.Say({Call("read_file", {{"path", "f"}})}, "I look.");
    model.Say({ReportCall()});
    EXPECT_TRUE(Next(first));
    EXPECT_TRUE(Next(first, {Reply("call-1-1", "what was read")}));
    EXPECT_EQ(first.end(), ConversationEnd::kReport);
    auto history = first.TakeHistory();
    EXPECT_TRUE(history);
    return *std::move(history);
  }
};

TEST_F(FollowUp, TheNextQuestionBeginsWithAllThatWasShownAndSaid) {
  auto second = GoOn(First());
  host.outcomes.clear();
  model.Say({ReportCall()});
  ASSERT_TRUE(Next(second));
  EXPECT_EQ(second.end(), ConversationEnd::kReport);
  const ModelRequest& asked = model.requests.back();
  EXPECT_EQ(asked.goal, "goal") << "the first words stay the same bytes";
  EXPECT_EQ(asked.context, "");
  EXPECT_EQ(asked.max_turns, 10);
  const auto& past = model.past.back();
  ASSERT_EQ(past.size(), 2u);
  EXPECT_EQ(past[0].answer.text, "I look.");
  EXPECT_THAT(past[1].shown.at(0).text, HasSubstr("what was read"));
  ASSERT_EQ(asked.latest.size(), 1u);
  EXPECT_EQ(asked.latest[0].call.tool, "report");
  EXPECT_THAT(asked.latest[0].text, HasSubstr("your report was taken"));
  for (const char* part : {"Goal:\nthe further one", "known already:\nknown", "You have 5 more turns"}) EXPECT_THAT(asked.notice, HasSubstr(part));
  EXPECT_TRUE(host.outcomes.empty()) << "nothing is taken, or recorded, twice";
  EXPECT_EQ(second.turns(), 1) << "its own";
}

TEST_F(FollowUp, IdsOfCallsGoOn) {
  auto second = GoOn(First());
  model.Say({Call("read_file", {{"path", "g"}})});
  const auto turn = Next(second);
  ASSERT_TRUE(turn);
  EXPECT_EQ(turn->calls.at(0).id, "call-3-1");
}

TEST_F(FollowUp, OfAFollowUpToo) {
  auto second = GoOn(First());
  model.Say({Call("read_file", {{"path", "g"}})});
  model.Say({ReportCall()});
  ASSERT_TRUE(Next(second));
  ASSERT_TRUE(Next(second, {Reply("call-3-1", "more")}));
  auto third = GoOn(*second.TakeHistory(), "the third");
  model.Say({ReportCall()});
  ASSERT_TRUE(Next(third));
  EXPECT_EQ(model.past.back().size(), 4u);
  EXPECT_THAT(model.past.back()[2].notice, HasSubstr("the further one"));
  EXPECT_THAT(model.requests.back().notice, HasSubstr("the third"));
  EXPECT_EQ(model.requests.back().max_turns, 10);
}

TEST_F(FollowUp, OpenCallsOfACrashedOneHaveAResult) {
  auto first = Make();
  model.Say({Call("read_file", {{"path", "f"}}), Call("list_files")});
  ASSERT_TRUE(Next(first));
  auto history = first.TakeHistory();
  ASSERT_TRUE(history);
  ASSERT_EQ(history->latest.size(), 2u);
  for (const auto& one : history->latest) EXPECT_THAT(one.text, HasSubstr("not run"));
  auto second = GoOn(*std::move(history));
  model.Say({ReportCall()});
  ASSERT_TRUE(Next(second));
  EXPECT_EQ(second.end(), ConversationEnd::kReport);
}

TEST_F(FollowUp, WhereNothingWasSaidOrNobodySpokeThereIsNone) {
  EXPECT_FALSE(Make().TakeHistory());
  model.language = false;
  auto scripted = Make();
  model.Say({ReportCall()});
  ASSERT_TRUE(Next(scripted));
  EXPECT_FALSE(scripted.TakeHistory());
}

TEST_F(FollowUp, AnEmptyAnswerDoesNotLoseTheQuestion) {
  auto second = GoOn(First());
  model.Say({}, "");
  model.Say({ReportCall()});
  ASSERT_TRUE(Next(second));
  EXPECT_THAT(model.requests.back().notice, HasSubstr("the further one"));
  EXPECT_THAT(model.requests.back().notice, HasSubstr("Your last answer was empty"));
}

struct SmallModel : FakeModel {
  int64_t context_window() const override { return 16'000; }
  Result<ModelTurn> Next(const ModelRequest& request, const Deadline& deadline) override {
    auto answer = FakeModel::Next(request, deadline);
    if (answer) answer->usage.estimated = true;  // it does not count
    return answer;
  }
};

TEST_F(FollowUp, TheQuestionStaysWhenTheTurnThatHeldItLeaves) {
  const ConversationHistory history = First();
  SmallModel small;
  small.language = true;
  ConversationSetup setup;
  setup.goal = "the further one";
  setup.tools = {{"read_file", "", {}}};
  setup.max_turns = 30;
  setup.earlier = std::make_shared<ConversationHistory>(history);
  TicketConversation second(setup, &small, &host);
  for (int i = 0; i < 20; ++i) {
    std::string why;
    for (int j = 0; j < 300; ++j) why += "word" + std::to_string(i * 300 + j) + " ";
    small.Say({Call("read_file", {{"path", "f" + std::to_string(i)}, {"why", why}})});
  }
  small.Say({ReportCall()});
  ASSERT_TRUE(Next(second));
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Next(second, {Reply("call-" + std::to_string(3 + i) + "-1", "line " + std::to_string(i))}));
  EXPECT_EQ(second.end(), ConversationEnd::kReport);
  const auto& past = small.past.back();
  ASSERT_FALSE(past.empty());
  EXPECT_GT(past.front().turn, 3) << "the test has to be long enough";
  EXPECT_THAT(small.requests.back().memory, HasSubstr("the further one"));
}

}  // namespace
}  // namespace paddock::agentcore

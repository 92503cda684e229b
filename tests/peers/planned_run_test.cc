// One agent plans, others carry out: over streaming HTTP, by a model server that nobody here wrote.
#include "tests/flow/exec_fixture.h"
#include "tests/peers/model_fixture.h"

namespace paddock::peers {
namespace {

using testing::Not;

std::string Call(const std::string& tool, const Json& arguments) { return DumpJson(Json{{"name", tool}, {"arguments", DumpJson(arguments)}}); }

// The planner is the explorer here; its questions are told apart by how often it was asked.
std::string Plan(int plan, std::initializer_list<std::string> titles) {
  Json steps = Json::array();
  for (const std::string& title : titles) steps.push_back({{"title", title}, {"task", "do it: " + title}, {"done_when", "it is known"}});
  return R"({"match": {"systemMessage": "# Explorer", "sequenceIndex": )" + std::to_string(plan) + R"(}, "response": )" +
         Calls(Call("report", {{"summary", "a plan"}, {"data", {{"steps", steps}}}})) + "}";
}
std::string Step(const std::string& title, int turn, const std::string& response) {
  return R"({"match": {"systemMessage": "# Paddock's main agent", "userMessage": "Your step: )" + title + R"(", "turnIndex": )" + std::to_string(turn) + R"(}, "response": )" + response + "}";
}
std::string Words(const std::string& words) { return DumpJson(Json{{"content", words}}); }

class PlannedRunPeer : public flow::ExecTest {
 protected:
  flow::ExecRun RunJson(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--json", "--planner", "explorer", "--base-url", server.origin() + "/v1", "--model", "m", "--key-env", "MODEL_KEY"});
    flow::Command command = Exec(std::move(more));
    command.environment["MODEL_KEY"] = kKey;
    outcome_ = Perform(command);
    return flow::ExecRunOf(outcome_);
  }
  // The messages of each question whose system prompt has this in it.
  std::vector<Json> QuestionsTo(const std::string& who) {
    std::vector<Json> questions;
    for (const Json& one : server.Asked())
      if (DumpJson(one["body"]["messages"][0]).find(who) != std::string::npos) questions.push_back(one["body"]["messages"]);
    return questions;
  }
  ModelServer server;
};

TEST_F(PlannedRunPeer, EachStepHasAConversationOfItsOwn) {
  server.Use(Fixtures({Plan(0, {"Look", "Answer"}), Step("Look", 0, Calls(kReadCall)), Step("Look", 1, Words("It says thing.")), Step("Answer", 0, Words("It is a thing."))}));
  const auto run = RunJson();
  EXPECT_EQ(flow::StatusOf(run.result), "completed") << outcome_.out << outcome_.err;
  EXPECT_EQ(run.result.planner, "explorer");
  EXPECT_EQ(run.result.answer, "It is a thing.");
  ASSERT_EQ(run.result.steps.size(), 2u);
  EXPECT_EQ(run.result.steps[0].title, "Look");
  EXPECT_EQ(run.result.steps[0].answer, "It says thing.");
  EXPECT_EQ(run.OfType("step_started").size(), 2u);
  EXPECT_EQ(run.OfType("step_finished").size(), 2u);
  ASSERT_EQ(run.result.children.size(), 1u) << "the planner";
  EXPECT_EQ(run.result.usage_total.turns, 4) << "the plan, two turns and one";

  const auto work = QuestionsTo("# Paddock's main agent");
  ASSERT_EQ(work.size(), 3u);
  EXPECT_EQ(work[2].size(), 2u) << "the second step starts with nothing but its task";
  const std::string second = DumpJson(work[2]);
  EXPECT_THAT(second, HasSubstr("It says thing."));
  EXPECT_THAT(second, HasSubstr("untrusted_content"));
  EXPECT_THAT(second, Not(HasSubstr("# Thing"))) << "what a tool gave in the first";
}

TEST_F(PlannedRunPeer, WhereAStepEndsBadlyTheRestIsPlannedAgain) {
  server.Use(Fixtures({Plan(0, {"Try", "Never"}), Step("Try", 0, Calls(kReadCall)), Step("Try", 1, R"({"error": {"message": "no", "code": "invalid_api_key"}, "status": 401})"), Step("Good", 0, Words("It is a thing.")), Plan(1, {"Good"})}));
  const auto run = RunJson();
  EXPECT_EQ(flow::StatusOf(run.result), "completed") << outcome_.out << outcome_.err;
  ASSERT_EQ(run.result.steps.size(), 2u);
  EXPECT_EQ(NameOf(run.result.steps[0].status), std::string("refused"));
  EXPECT_EQ(run.result.steps[1].title, "Good");
  const auto plans = QuestionsTo("# Explorer");
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_THAT(DumpJson(plans[1]), HasSubstr("Try: refused"));
  EXPECT_THAT(DumpJson(plans[1]), Not(HasSubstr("# Thing"))) << "no tool output of the work reaches the planner";
}

TEST_F(PlannedRunPeer, WithoutAPlanNothingIsCarriedOut) {
  server.Use(R"([{"match": {"systemMessage": "# Explorer"}, "response": )" + Calls(Call("report", {{"summary", "no idea"}})) + "}]");
  const auto run = RunJson();
  EXPECT_EQ(flow::StatusOf(run.result), "stuck") << outcome_.out << outcome_.err;
  EXPECT_EQ(outcome_.status, 1);
  EXPECT_THAT(run.result.ending.detail, HasSubstr("gave no plan"));
  EXPECT_TRUE(run.result.steps.empty());
  EXPECT_TRUE(QuestionsTo("# Paddock's main agent").empty());
}

TEST_F(PlannedRunPeer, AllStepsSpendFromOneBudget) {
  server.Use(Fixtures({Plan(0, {"One", "Two", "Three"}), Step("One", 0, Calls(kReadCall)), Step("One", 1, Words("1")), Step("Two", 0, Words("2")), Step("Three", 0, Words("3")),
                       // In a step's only turn the last word of the user's side is that the report is wanted.
                       R"({"match": {"systemMessage": "# Paddock's main agent"}, "response": )" + Words("2") + "}"}));
  const auto run = RunJson({"--max-turns", "3"});
  EXPECT_EQ(flow::StatusOf(run.result), "turn_limit") << outcome_.out;
  EXPECT_EQ(run.result.steps.size(), 2u);
  EXPECT_EQ(run.result.answer, "2") << "what there is";
}

}  // namespace
}  // namespace paddock::peers

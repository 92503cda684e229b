// `paddock subagents`.
#include "subagents/builtin.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Subagents : public FlowTest {};

TEST_F(Subagents, ListNamesTheShippedOnesAndYourOwn) {
  Write("config/paddock/subagents/mine.md", "---\nname: mine\npurpose: Looks at mine.\ntools: [read_file]\nprofile: read-only\nturns: 3\nseconds: 30\n---\nYou look.\n");
  Write("config/paddock/subagents/broken.md", "---\nname: broken\ntools: [fly]\n---\n");
  Outcome outcome = Perform(Paddock({"subagents", "list"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("explorer +Maps an unknown repository"));
  EXPECT_THAT(outcome.out, ContainsRegex("Looks at mine.\n +3 turns, 30 s, profile read-only, your own\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("broken +not usable: "));
  outcome = Perform(Paddock({"subagents", "list", "--json"}));
  auto json = ParseJson(outcome.out);
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["schema"], "paddock/subagents/1");
  EXPECT_EQ((*json)["subagents"].size(), subagents::BuiltinDefinitionNames().size() + 2);
}

TEST_F(Subagents, OneTurnIsOneTurn) {
  Write("config/paddock/subagents/mine.md", "---\nname: mine\npurpose: Looks at mine.\ntools: [read_file]\nprofile: read-only\nturns: 1\nseconds: 30\n---\nYou look.\n");
  EXPECT_THAT(Perform(Paddock({"subagents", "list"})).out, HasSubstr(" 1 turn, 30 s"));
  EXPECT_THAT(Perform(Paddock({"subagents", "show", "mine"})).out, HasSubstr(", 1 turn, 30 s"));
}

TEST_F(Subagents, ShowPrintsWhatAModelIsTold) {
  Outcome outcome = Perform(Paddock({"subagents", "show", "explorer"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* part : {"# Explorer\n", "<untrusted_content id=", "Goal:\n(your goal)", "You have 12 turns", "── tool search_text", "── tool report", "\"additionalProperties\":false"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
  outcome = Perform(Paddock({"subagents", "show", "explorer", "--json"}));
  auto json = ParseJson(outcome.out);
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["tools"].size(), 7u);
  EXPECT_LT((*json)["tokens"], 5'000) << "system prompts stay small";
}

TEST_F(Subagents, AnUnknownOneIsAnswered) {
  Outcome outcome = Perform(Paddock({"subagents", "show", "exporer"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"explorer\""));
}

}  // namespace
}  // namespace paddock::flow

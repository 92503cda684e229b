// What of a secret a conversation lets through to a model, or to a cell: nothing.
#include "tests/agentcore/conversation_fixture.h"

namespace paddock::agentcore {
namespace {

TEST_F(ConversationTest, SecretsOfTheTicketDoNotReachAModel) {
  const std::string secret = std::string("gh") + "p_" + "k3Xv9QmT2bLw7RzY5cHn8JdP4sFg6AuE1oNi";
  ConversationSetup setup;
  setup.goal = "use " + secret;
  setup.context = "or correct-horse-battery";
  Redactor redactor(std::vector<KnownSecret>{{"api-key", "correct-horse-battery"}});
  setup.redactor = &redactor;
  model.Say({ReportCall()});
  TicketConversation conversation(setup, &model, &host);
  Next(conversation);
  EXPECT_EQ(model.requests.at(0).goal, "use [redacted github-token]");
  EXPECT_EQ(model.requests.at(0).context, "or [redacted api-key]");
  EXPECT_EQ(conversation.redactions().total(), 2);
}

TEST_F(ConversationTest, AKnownSecretInACallGoesToNoCell) {
  const std::string key = std::string("key-") + "for-tests-0123456789";
  const Redactor redactor({{"api-key", key}});
  ConversationSetup setup;
  setup.tools = {{"read_file", "", {}}};
  setup.max_turns = 5;
  setup.redactor = &redactor;
  TicketConversation c(setup, &model, &host);
  model.Say({Call("read_file", Json{{"path", "a " + key}, {key, Json::array({key})}, {"pattern", "password=hunter2hunter2"}})});
  const std::string sent = DumpJson(Next(c)->calls.at(0).arguments);
  EXPECT_EQ(sent.find(key), std::string::npos) << sent;
  EXPECT_THAT(sent, HasSubstr("password=hunter2hunter2")) << "what only looks like one stays: it is what the model wants to look for";
}

// Where a text is cut is the other side's choice: a key over the cut is whole when it is looked for.
TEST_F(ConversationTest, NoPieceOfAKnownSecretIsLeftWhereATextIsCut) {
  const std::string key = "q7zKettle93sings41BlueHorse";
  const Redactor redactor({{"api-key", key}});
  ConversationSetup setup;
  setup.tools = {{"read_file", "", {}}};
  setup.max_turns = 50;
  setup.redactor = &redactor;
  host.calls = 1000;
  constexpr size_t kMax = 1u << 20, kHead = (kMax - 41) / 3 * 2;
  std::vector<std::pair<std::string, std::string>> said;  // a tool's name, a text
  std::string long_one;
  while (long_one.size() < 240) long_one += "q9Xb#T7rL2";
  for (size_t into : {size_t{10}, size_t{20}}) said.emplace_back(std::string(64 - into, 'a') + key, "");
  // As a provider cuts a name of any length: half a key is at its end.
  said.emplace_back("password=\"" + long_one.substr(0, 230) + "\" " + key.substr(0, 20), "");
  for (size_t cut : {kHead, size_t{3u << 20} - (kMax - kHead)})
    for (size_t before = 0; before < 120; before += 9) {
      std::string text(3u << 20, '.');
      text.replace(cut - before, key.size(), key);
      said.emplace_back("read_file", std::move(text));
    }
  for (const auto& [tool, text] : said) {
    FakeModel one;
    one.Say({Call(tool)}, text);
    one.Say({ReportCall()});
    TicketConversation talk(setup, &one, &host);
    if (auto turn = Next(talk); !turn->calls.empty()) Next(talk, {Reply(turn->calls[0].id)});
    ASSERT_EQ(one.past.size(), 2u);
    const ModelTurn& answer = one.past.at(1).at(0).answer;
    const std::string all = answer.text + " " + answer.calls.at(0).tool;
    for (size_t i = 0; i + 8 <= key.size(); ++i) EXPECT_EQ(all.find(key.substr(i, 8)), std::string::npos) << "piece " << i << " after " << tool;
  }
}

}  // namespace
}  // namespace paddock::agentcore

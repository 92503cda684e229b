// Which conversations of subagents are kept for further questions.
#include "orchestrator/agent/kept_conversations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paddock::orchestrator {
namespace {

using testing::HasSubstr;

std::shared_ptr<const KeptConversation> Of(size_t bytes) {
  auto kept = std::make_shared<KeptConversation>();
  kept->history.goal = std::string(bytes, 'x');
  return kept;
}
std::string Fault(const KeptConversations& all, const std::string& id, const std::string& subagent = "explorer") {
  const auto found = all.Find(id, subagent);
  return found ? "" : found.error().message;
}

TEST(KeptConversations, TheLastFewAreKept) {
  KeptConversations all({.count = 2, .bytes = 1'000'000});
  for (const char* id : {"call-1-1", "call-2-1", "call-3-1"}) EXPECT_TRUE(all.Keep(id, "explorer", Of(10)));
  EXPECT_THAT(Fault(all, "call-1-1"), HasSubstr("no longer kept"));
  EXPECT_EQ(Fault(all, "call-2-1"), "");
  EXPECT_EQ(Fault(all, "call-3-1"), "");
}

TEST(KeptConversations, InABoundedRoom) {
  KeptConversations all({.count = 8, .bytes = 10'000});
  EXPECT_TRUE(all.Keep("a", "explorer", Of(4'000)));
  EXPECT_TRUE(all.Keep("b", "explorer", Of(4'000)));
  EXPECT_TRUE(all.Keep("c", "explorer", Of(4'000)));
  EXPECT_THAT(Fault(all, "a"), HasSubstr("no longer kept"));
  EXPECT_EQ(Fault(all, "c"), "");
  EXPECT_FALSE(all.Keep("d", "explorer", Of(20'000)));
  EXPECT_THAT(Fault(all, "d"), HasSubstr("no longer kept"));
  EXPECT_EQ(Fault(all, "c"), "") << "what is too large pushes nothing out";
}

TEST(KeptConversations, AnUnknownIdAndAnothersAreSaid) {
  KeptConversations all;
  EXPECT_TRUE(all.Keep("a", "explorer", Of(10)));
  EXPECT_THAT(Fault(all, "z\x1b"), HasSubstr("\"z\\u{1B}\": no subagent has left a conversation"));
  EXPECT_THAT(Fault(all, "a", "reviewer"), HasSubstr("is a conversation of the subagent explorer"));
}

}  // namespace
}  // namespace paddock::orchestrator

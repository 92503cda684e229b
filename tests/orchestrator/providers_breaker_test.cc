#include "orchestrator/providers/breaker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paddock::orchestrator {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct BreakerTest : testing::Test {
  std::chrono::steady_clock::time_point now{1h};
  Breaker breaker{{3, 30s, 600s, [this] { return now; }}};
  void Fail(int attempts) {
    for (int i = 0; i < attempts; ++i) breaker.AttemptFailed("down");
  }
};

TEST_F(BreakerTest, OpensAfterThreeFailedAttemptsInARow) {
  ASSERT_TRUE(breaker.Admit());
  Fail(2);
  breaker.Succeeded();
  Fail(2);
  EXPECT_TRUE(breaker.closed());
  EXPECT_TRUE(breaker.WhyNot().empty());
  Fail(1);
  EXPECT_FALSE(breaker.Admit());
  EXPECT_FALSE(breaker.MayBeAsked());
  EXPECT_THAT(breaker.WhyNot(), testing::AllOf(HasSubstr("30 s"), HasSubstr("down")));
}

TEST_F(BreakerTest, AQuestionThatWasGivenUpOpensItAtOnceAndForLongWhereNoWaitingHelps) {
  ASSERT_TRUE(breaker.Admit());
  breaker.GivenUp("down", false);
  EXPECT_FALSE(breaker.Admit());
  now += 30s;
  ASSERT_TRUE(breaker.Admit());
  breaker.GivenUp("no quota", true);
  now += 599s;
  EXPECT_FALSE(breaker.Admit());
  now += 1s;
  EXPECT_TRUE(breaker.Admit());
}

TEST_F(BreakerTest, OneTrialAfterTheRest) {
  Fail(3);
  now += 29s;
  EXPECT_FALSE(breaker.Admit());
  now += 1s;
  EXPECT_TRUE(breaker.MayBeAsked());
  EXPECT_TRUE(breaker.Admit());
  EXPECT_FALSE(breaker.Admit()) << "a second one beside the trial";
  EXPECT_FALSE(breaker.MayBeAsked());
  breaker.GivenUp("still down", false);
  EXPECT_FALSE(breaker.Admit());
  now += 30s;
  EXPECT_TRUE(breaker.Admit());
  breaker.Succeeded();
  Fail(2);
  EXPECT_TRUE(breaker.Admit());
}

TEST_F(BreakerTest, ATrialOfWhichNothingIsLearnedIsNone) {
  Fail(3);
  now += 30s;
  EXPECT_TRUE(breaker.Admit());
  breaker.NothingLearned();
  EXPECT_TRUE(breaker.Admit());
}

TEST_F(BreakerTest, OneForAModelInAProcess) {
  EXPECT_EQ(SharedBreaker("a"), SharedBreaker("a"));
  EXPECT_NE(SharedBreaker("a"), SharedBreaker("b"));
}

}  // namespace
}  // namespace paddock::orchestrator

#include "orchestrator/providers/breaker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paddock::orchestrator {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct BreakerTest : testing::Test {
  std::chrono::steady_clock::time_point now{1h};
  Breaker breaker{{3, 30s, [this] { return now; }}};
  void Fail(int times) {
    for (int i = 0; i < times; ++i) {
      ASSERT_TRUE(breaker.Admit());
      breaker.Failed("down");
    }
  }
};

TEST_F(BreakerTest, OpensAfterThreeInARow) {
  Fail(2);
  ASSERT_TRUE(breaker.Admit());
  breaker.Succeeded();
  Fail(2);
  EXPECT_TRUE(breaker.WhyNot().empty());
  Fail(1);
  EXPECT_FALSE(breaker.Admit());
  EXPECT_THAT(breaker.WhyNot(), testing::AllOf(HasSubstr("3 times in a row"), HasSubstr("30 s"), HasSubstr("down")));
}

TEST_F(BreakerTest, OneTrialAfterTheRest) {
  Fail(3);
  now += 29s;
  EXPECT_FALSE(breaker.Admit());
  now += 1s;
  EXPECT_TRUE(breaker.Admit());
  EXPECT_FALSE(breaker.Admit()) << "a second one beside the trial";
  breaker.Failed("still down");
  EXPECT_FALSE(breaker.Admit()) << "once is enough now";
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

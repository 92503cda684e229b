#include <gtest/gtest.h>

#include <string>

#include "agentcore/context/token_estimate.h"

namespace paddock::agentcore {
namespace {

TEST(TokenEstimate, ByKindsOfPieces) {
  EXPECT_EQ(EstimateTokens(""), 0);
  EXPECT_EQ(EstimateTokens("the"), 1);
  EXPECT_EQ(EstimateTokens("the cat sat on the mat"), 6);
  EXPECT_EQ(EstimateTokens("1234567"), 3) << "three digits each";
  EXPECT_EQ(EstimateTokens("\n\n\n\n"), 1);
  EXPECT_EQ(EstimateTokens("        "), 1);
  // A space belongs to the signs behind it, and then the word stands by itself.
  EXPECT_EQ(EstimateTokens("a \"b"), 3);
  EXPECT_EQ(EstimateTokens("{\n  \"a\": \"b\",\n  \"c\": 12\n}\n"), 16);
  // Ideographs are dear, and so are bytes that are no text.
  EXPECT_GT(EstimateTokens("世界你好世界你好"), 4);
  EXPECT_GT(EstimateTokens(std::string(300, '\xff')), 50);
  EXPECT_LT(EstimateTokens(std::string(4000, '-')), 400) << "a line of dashes is few pieces";
}

TEST(TokenEstimate, GrowsWithTheText) {
  const std::string line = "if (count > most) return Fail(kLimit, \"too many\");\n";
  std::string text;
  int64_t last = 0;
  for (int i = 1; i <= 100; ++i) {
    text += line;
    const int64_t now = EstimateTokens(text);
    EXPECT_GE(now, last);
    last = now;
  }
  EXPECT_NEAR(static_cast<double>(last), 100.0 * static_cast<double>(EstimateTokens(line)), 60);
}

TEST(TokenRate, LearnsTheFactorOfATokenizer) {
  TokenRate rate;
  EXPECT_EQ(rate.Corrected(1000), 1000) << "nothing is known yet";
  rate.Learn(1000, 1300);
  EXPECT_DOUBLE_EQ(rate.rate(), 1.3) << "the first word counts whole";
  EXPECT_EQ(rate.Corrected(1000), 1300);
  rate.Learn(1000, 1100);
  EXPECT_DOUBLE_EQ(rate.rate(), 1.2) << "then half of what is new";
  for (int i = 0; i < 30; ++i) rate.Learn(2000, 3000);
  EXPECT_NEAR(rate.rate(), 1.5, 1e-6);
}

TEST(TokenRate, PassesOverWhatCantBeRight) {
  TokenRate rate;
  rate.Learn(99, 200);  // too little to tell
  rate.Learn(0, 10);
  rate.Learn(-5, 10);
  rate.Learn(1000, 0);
  rate.Learn(1000, -1);
  rate.Learn(1000, 49);
  rate.Learn(1000, 20'001);
  EXPECT_DOUBLE_EQ(rate.rate(), 1.0);
  EXPECT_EQ(rate.Corrected(0), 0);
  rate.Learn(1000, 20'000);
  EXPECT_DOUBLE_EQ(rate.rate(), 20.0);
}

}  // namespace
}  // namespace paddock::agentcore

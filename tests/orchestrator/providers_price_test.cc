#include "orchestrator/providers/price.h"

#include <gtest/gtest.h>

namespace paddock::orchestrator {
namespace {

TEST(Price, TokensCostWhatTheSettingsSay) {
  const ModelPrice price{3, 15, 0.3};
  EXPECT_EQ(CostNanos(price, {1'000'000, 0}), 3'000'000'000);
  EXPECT_EQ(CostNanos(price, {0, 1'000}), 15'000'000);
  EXPECT_EQ(CostNanos(price, {1'000, 100, false, 400}), 600 * 3'000 + 400 * 300 + 100 * 15'000);
  EXPECT_EQ(CostNanos({3, 15, {}}, {1'000, 0, false, 400}), 3'000'000) << "without a price of its own, what was cached costs as any";
  EXPECT_EQ(CostNanos({0.0000001, 0, {}}, {1, 0}), 1) << "never rounded to nothing";
  EXPECT_EQ(CostNanos({0, 0, {}}, {1'000, 1'000}), 0);
  EXPECT_GT(CostNanos({1e6, 1e6, {}}, {int64_t{1} << 40, int64_t{1} << 40}), 0) << "no overflow";
  EXPECT_EQ(CostNanos(price, {100, 0, false, 1'000}), 100 * 300) << "no more can be cached than was sent";
}

TEST(Price, TheMostIsWithoutTheCache) {
  EXPECT_EQ(MostCostNanos({3, 15, 0.3}, 1'000, 10), 3'000'000 + 150'000);
  EXPECT_EQ(MostCostNanos({3, 15, 4}, 1'000, 0), 4'000'000) << "unless that is dearer";
}

TEST(Price, SumsAreKnownWhereEachPartIs) {
  agentcore::ModelUsage sum;
  sum += {10, 1, false, 0, 500};
  sum += {};
  sum += {10, 1, false, 0, 700};
  EXPECT_EQ(sum.cost_nanos, 1'200);
  sum += {10, 1};
  EXPECT_FALSE(sum.cost_nanos);
  EXPECT_EQ(sum.input_tokens, 30);
}

TEST(Price, Dollars) {
  EXPECT_EQ(DollarsText(0), "$0.00");
  EXPECT_EQ(DollarsText(12'300'000), "$0.0123");
  EXPECT_EQ(DollarsText(1'500'000'000), "$1.50");
  EXPECT_EQ(DollarsText(99'999), "under $0.0001");
  EXPECT_EQ(ReadDollars("0.50"), 500'000);
  EXPECT_EQ(ReadDollars("2"), 2'000'000);
  EXPECT_EQ(ReadDollars(".000001"), 1);
  EXPECT_EQ(ReadDollars("0"), 0);
  EXPECT_EQ(ReadDollars("1000000"), 1'000'000'000'000);
  for (const char* bad : {"", ".", "1.", "-1", "1e3", "$1", "0.0000001", "1000001", "1,5", " 1", "99999999999999999999"}) {
    auto read = ReadDollars(bad);
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().kind, ErrorKind::kInvalid);
  }
}

TEST(Price, InTheSettings) {
  auto price = FromJson<ModelPrice>(*ParseJson(R"({"input": 0.25, "cached_input": 0.025, "output": 2})"));
  ASSERT_TRUE(price);
  EXPECT_EQ(price->input, 0.25);
  EXPECT_EQ(price->output, 2);
  EXPECT_EQ(FromJson<ModelPrice>(*ParseJson(R"({"input": -1, "output": 2})")).error().kind, ErrorKind::kInvalid);
  EXPECT_FALSE(FromJson<ModelPrice>(*ParseJson(R"({"input": 1})"))) << "half a price is none";
}

}  // namespace
}  // namespace paddock::orchestrator

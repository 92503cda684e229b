// `data` of a report by a caller's schema: one more turn to mend it, and nothing else of the report is lost.
#include <gmock/gmock.h>

#include "tests/orchestrator/fake_cell.h"

namespace paddock::orchestrator {
namespace {

using subagents::TicketStatus;
using testing::Contains;
using testing::HasSubstr;

std::string Reporting(const std::string& data) {
  return R"({"report":{"summary":"it is a program","findings":[{"title":"main","evidence":[{"path":"a.c","line_start":1,"line_end":1,"quote":"int main"}]}],"data":)" + data + "}}";
}

struct BrokerData : BrokerFixture {
  ServeOutcome ServeScript(const std::string& turns) {
    data_schema = *ParseJson(R"({"type": "object", "properties": {"files": {"type": "integer"}}, "required": ["files"], "additionalProperties": false})");
    Script(turns);
    return Serve([](CellSide& cell) {
      cell.Start();
      cell.ServeToTheEnd();
    });
  }
};

TEST_F(BrokerData, WhatFitsIsTaken) {
  const auto out = ServeScript(kReadTurn + std::string(",") + Reporting(R"({"files": 3})"));
  EXPECT_EQ(out.status, TicketStatus::kCompleted) << out.ending.detail;
  ASSERT_TRUE(out.report);
  EXPECT_EQ(out.report->data, Json({{"files", 3}}));
  EXPECT_EQ(out.usage.turns, 2);
}

TEST_F(BrokerData, WhatDoesNotFitIsAskedForOnceMore) {
  const auto out = ServeScript(kReadTurn + std::string(",") + Reporting(R"({"file": 3})") + "," + Reporting(R"({"files": 3})"));
  EXPECT_EQ(out.status, TicketStatus::kCompleted) << out.ending.detail;
  ASSERT_TRUE(out.report);
  EXPECT_EQ(out.report->data, Json({{"files", 3}}));
  EXPECT_EQ(out.usage.turns, 3);
  bool told = false;
  for (const auto& [type, fields] : sink.events) told = told || (type == "model_turn" && fields["notice"].get<std::string>().find("$.data.files: missing") != std::string::npos);
  EXPECT_TRUE(told) << "the model is told what is wrong";
}

TEST_F(BrokerData, TwiceUnfitIsPartialWithItsFindings) {
  const auto out = ServeScript(kReadTurn + std::string(",") + Reporting(R"({"file": 3})") + "," + Reporting(R"({"files": "many"})"));
  EXPECT_EQ(out.status, TicketStatus::kPartial);
  EXPECT_THAT(out.ending.detail, HasSubstr("did not fit the caller's schema"));
  ASSERT_TRUE(out.report);
  EXPECT_EQ(out.report->findings.size(), 1u);
  EXPECT_TRUE(out.report->data.is_null());
  EXPECT_THAT(out.notes, Contains(HasSubstr("data is null")));
  EXPECT_THAT(out.notes, Contains(HasSubstr("$.data.files: expected")));
}

TEST_F(BrokerData, AFaultAndThenUnfitDataIsPartialToo) {
  const auto out = ServeScript(kReadTurn + std::string(R"(,{"report":{"findings":[]}},)") + Reporting("null"));
  EXPECT_EQ(out.status, TicketStatus::kPartial);
  ASSERT_TRUE(out.report);
  EXPECT_EQ(out.report->findings.size(), 1u);
}

TEST_F(BrokerData, UnfitDataAndThenAFaultyReportKeepsTheFirst) {
  const auto out = ServeScript(kReadTurn + std::string(",") + Reporting("1") + R"(,{"report":{"findings":[]}})");
  EXPECT_EQ(out.status, TicketStatus::kPartial) << out.ending.detail;
  ASSERT_TRUE(out.report);
  EXPECT_EQ(out.report->findings.size(), 1u);
}

TEST_F(BrokerData, UnfitDataInTheLastTurnKeepsTheReport) {
  budget.turns = 2;
  const auto out = ServeScript(kReadTurn + std::string(",") + Reporting("1"));
  EXPECT_EQ(out.status, TicketStatus::kTurnLimit) << out.ending.detail;
  ASSERT_TRUE(out.report);
  EXPECT_EQ(out.report->findings.size(), 1u);
  EXPECT_THAT(out.notes, Contains(HasSubstr("data is null")));
}

// With it the cost of a run can be told from its ticket and a price.
TEST_F(BrokerData, CachedTokensAreThoseThatTheServerSaid) {
  const auto turn = [](const std::string& usage) { return R"({"calls":[{"tool":"read_file","arguments":{"path":"a.c"}}],"usage":)" + usage + "}"; };
  EXPECT_EQ(ServeScript(turn(R"({"input_tokens": 10, "output_tokens": 1, "cached_tokens": 4})") + "," + turn(R"({"input_tokens": 20, "output_tokens": 1})") + "," + Reporting(R"({"files": 1})")).usage.cached_tokens, 4);
  EXPECT_FALSE(ServeScript(turn(R"({"input_tokens": 10, "output_tokens": 1})") + "," + Reporting(R"({"files": 1})")).usage.cached_tokens) << "not said is not none";
}

}  // namespace
}  // namespace paddock::orchestrator

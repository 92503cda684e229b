#include "subagents/cell/bound_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paddock::subagents {
namespace {

using agentcore::Artifact;
using agentcore::ToolStatus;

CallAnswer Answer(std::string id, size_t lines, std::string line) {
  CallAnswer answer;
  answer.id = std::move(id);
  answer.result.success = true;
  answer.result.status = ToolStatus::kOk;
  Artifact artifact;
  artifact.kind = "excerpt";
  artifact.path = "a";
  artifact.line_start = 11;
  artifact.lines.assign(lines, line);
  for (size_t i = 0; i < lines; ++i) artifact.matches.push_back(11 + static_cast<int64_t>(i));
  answer.result.artifacts.push_back(std::move(artifact));
  return answer;
}

size_t ValuesOf(const Json& value) {
  size_t values = 1;
  if (value.is_structured())
    for (const auto& item : value) values += ValuesOf(item);
  return values;
}

TEST(BoundAnswers, LeavesAloneWhatFits) {
  std::vector<CallAnswer> answers = {Answer("a", 100, "x"), Answer("b", 1, "y")};
  Json before = ToJson(NextTurnFrame{NextReason::kResults, answers});
  BoundAnswers(&answers, {});
  EXPECT_EQ(ToJson(NextTurnFrame{NextReason::kResults, answers}), before);
}

TEST(BoundAnswers, CutsTheLargeOnesByBytes) {
  for (std::string line : {std::string("plain"), std::string(50, '\x02'), std::string(50, '"'), std::string(50, '\xFF'), std::string()}) {
    std::vector<CallAnswer> answers = {Answer("small", 2, "x"), Answer("large", 5000, line), Answer("huge", 19'000, line)};
    AnswerBounds bounds{.max_bytes = 20'000, .max_values = 1'000'000};
    BoundAnswers(&answers, bounds);
    EXPECT_LE(DumpJson(ToJson(NextTurnFrame{NextReason::kResults, answers})).size(), bounds.max_bytes + 256);
    EXPECT_EQ(answers[0].result.status, ToolStatus::kOk);
    EXPECT_EQ(answers[1].result.status, ToolStatus::kPartial);
    EXPECT_TRUE(answers[1].result.success);
    EXPECT_GT(answers[1].result.artifacts.at(0).lines.size(), 5u);
  }
}

TEST(BoundAnswers, CutsByTheNumberOfValues) {
  std::vector<CallAnswer> answers = {Answer("a", 9000, ""), Answer("b", 9000, "")};
  AnswerBounds bounds{.max_bytes = 8u << 20, .max_values = 10'000};
  BoundAnswers(&answers, bounds);
  EXPECT_LE(ValuesOf(ToJson(NextTurnFrame{NextReason::kResults, answers})), bounds.max_values + 16);
  EXPECT_GT(answers[1].result.artifacts.at(0).lines.size(), 1000u);
}

TEST(BoundAnswers, DropsTheMarksOfLinesThatAreGoneAndSaysHowManyWere) {
  std::vector<CallAnswer> answers = {Answer("a", 9000, "0123456789")};
  BoundAnswers(&answers, {.max_bytes = 10'000, .max_values = 100'000});
  const Artifact& artifact = answers[0].result.artifacts.at(0);
  ASSERT_LT(artifact.lines.size(), 9000u);
  EXPECT_EQ(artifact.matches.size(), artifact.lines.size());
  EXPECT_EQ(artifact.matches.back(), 10 + static_cast<int64_t>(artifact.lines.size()));
  EXPECT_THAT(answers[0].result.output, testing::HasSubstr(std::to_string(9000 - artifact.lines.size()) + " lines"));
  EXPECT_FALSE(answers[0].result.next_actions.empty());
}

TEST(BoundAnswers, KeepsTheBoundsOfTheTables) {
  CallAnswer answer = Answer("a", 30'000, "x");
  answer.result.summary = std::string(10'000, 's');
  answer.result.error = std::string(100'000, 'e');
  answer.result.recovery_hint = std::string(10'000, 'h');
  answer.result.output = std::string(3u << 20, 'o');
  answer.result.next_actions.assign(100, "n");
  Artifact listing;
  listing.kind = "listing";
  listing.path = "b";
  listing.entries = {"c"};
  answer.result.artifacts.resize(3000, listing);
  std::vector<CallAnswer> answers = {answer};
  BoundAnswers(&answers, {});
  auto back = FromJson<NextTurnFrame>(ToJson(NextTurnFrame{NextReason::kResults, answers}));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_THAT(answers[0].result.output, testing::HasSubstr("were left out"));
}

}  // namespace
}  // namespace paddock::subagents

#include "agentcore/loop/progress.h"

#include <gtest/gtest.h>

#include "agentcore/loop/chant.h"
#include "agentcore/loop/phase.h"

namespace paddock::agentcore {
namespace {

CallOutcome Ok(const std::string& path, const std::string& line, Json more = Json::object()) {
  CallOutcome outcome;
  more["path"] = path;
  outcome.call = {"", "read_file", more};
  outcome.result.success = true;
  outcome.result.status = ToolStatus::kOk;
  outcome.result.artifacts.resize(1);
  outcome.result.artifacts[0].kind = "excerpt";
  outcome.result.artifacts[0].path = path;
  outcome.result.artifacts[0].line_start = 1;
  outcome.result.artifacts[0].lines = {line};
  return outcome;
}
CallOutcome Failed(const std::string& tool, Json arguments, const std::string& error) { return {{"", tool, std::move(arguments)}, ToolFailure(ToolStatus::kFailed, error, "")}; }

struct ProgressTest : testing::Test {
  NoProgress Turn(std::vector<CallOutcome> outcomes, const std::string& text = "", std::vector<ToolEffect> effects = {}) {
    if (effects.empty()) effects.assign(outcomes.size(), ToolEffect::kReads);
    return progress.Take(text, outcomes, effects);
  }
  ProgressDetector progress;
};

TEST_F(ProgressTest, NewThingsEachTimeAreProgress) {
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Turn({Ok("f" + std::to_string(i), "x")}, "I look at the next file, number " + std::to_string(i) + ", to see what is in it."), NoProgress::kNone) << i;
  EXPECT_TRUE(progress.recovered());
}

TEST_F(ProgressTest, TheSameCallWithTheSameResultThreeTimesIsARepeat) {
  EXPECT_EQ(Turn({Ok("f", "x")}), NoProgress::kNone);
  EXPECT_EQ(Turn({Ok("f", "x"), Ok("other", "y")}), NoProgress::kNone);
  EXPECT_EQ(Turn({Ok("f", "x")}), NoProgress::kRepeat);
}

TEST_F(ProgressTest, TheSameCallWithAnotherResultIsNoRepeat) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Turn({Ok("log", "line " + std::to_string(i))}), NoProgress::kNone);
}

TEST_F(ProgressTest, DifferentSpellingsOfOneCallAreTheSame) {
  Turn({Ok("src/a.c", "x", Json{{"limit", 10}, {"offset", nullptr}})});
  CallOutcome other = Ok("src/a.c", "x");
  other.call.arguments = Json{{"limit", 10.0}, {"path", " ./src//a.c "}};
  Turn({other});
  other.call.arguments = Json{{"path", "src/a.c/"}, {"limit", 10}};
  EXPECT_EQ(Turn({other}), NoProgress::kRepeat);
}

TEST_F(ProgressTest, TwoEqualCallsInOneTurnAreOneTime) {
  EXPECT_EQ(Turn({Ok("f", "x"), Ok("f", "x"), Ok("f", "x")}), NoProgress::kNone);
}

TEST_F(ProgressTest, CyclesOfTwoToFiveTurnsAreSeen) {
  for (int length = 2; length <= 5; ++length) {
    ProgressDetector fresh;
    NoProgress sign = NoProgress::kNone;
    int turns = 0;
    for (; sign == NoProgress::kNone && turns < 20; ++turns) sign = fresh.Take("", {Ok("f" + std::to_string(turns % length), "x")}, {ToolEffect::kReads});
    EXPECT_EQ(sign, NoProgress::kCycle) << length;
    EXPECT_EQ(turns, 2 * length) << length;
  }
}

TEST_F(ProgressTest, SixTurnsWithoutAnythingNew) {
  for (int i = 0; i < 8; ++i) EXPECT_EQ(Turn({Ok("f", "line " + std::to_string(i))}), NoProgress::kNone);
  // The same lines, asked for with other words each time.
  NoProgress sign = NoProgress::kNone;
  int turns = 0;
  for (; sign == NoProgress::kNone && turns < 20; ++turns) sign = Turn({Ok("f", "line " + std::to_string(turns % 8), Json{{"limit", turns + 100}})});
  EXPECT_EQ(sign, NoProgress::kNothingNew);
  EXPECT_EQ(turns, 6);
}

TEST_F(ProgressTest, WhatWasPrunedMayBeSeenAgain) {
  for (int i = 0; i < 12; ++i) {
    progress.ForgetWhatWasSeen();
    EXPECT_EQ(Turn({Ok("f", "line", Json{{"limit", i + 1}})}), NoProgress::kNone) << i;
  }
}

TEST_F(ProgressTest, FourTurnsOfFailuresAndThenTwoMore) {
  const auto failed = [](int i) { return Failed("read_file", Json{{"path", "f" + std::to_string(i)}}, "no such file: f" + std::string(1, static_cast<char>('a' + i))); };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Turn({failed(i)}), NoProgress::kNone);
  EXPECT_EQ(Turn({failed(3)}), NoProgress::kErrors);
  EXPECT_EQ(Turn({failed(4)}), NoProgress::kNone);
  EXPECT_EQ(Turn({failed(5)}), NoProgress::kErrors);
  EXPECT_EQ(Turn({failed(6), Ok("g", "fresh")}), NoProgress::kNone) << "one that works is enough";
}

TEST_F(ProgressTest, ACallThatFailedTwiceInOneWayIsFrozenForATurn) {
  const Json arguments{{"path", "x"}};
  const ToolCall call{"", "read_file", arguments};
  Turn({Failed("read_file", arguments, "took 12 ms, then failed")});
  EXPECT_FALSE(progress.IsFrozen(call));
  Turn({Failed("read_file", arguments, "took 9 ms, then failed")});
  EXPECT_TRUE(progress.IsFrozen(call)) << "numbers make no difference";
  EXPECT_FALSE(progress.IsFrozen({"", "read_file", Json{{"path", "y"}}}));
  Turn({Ok("elsewhere", "x")});
  EXPECT_FALSE(progress.IsFrozen(call)) << "a turn later it may be tried again";
  Turn({Failed("read_file", arguments, "took 9 ms, then failed")});
  EXPECT_TRUE(progress.IsFrozen(call));
}

TEST_F(ProgressTest, ACallThatFailedInTwoWaysIsNotFrozen) {
  const Json arguments{{"path", "x"}};
  Turn({Failed("read_file", arguments, "not found")});
  Turn({Failed("read_file", arguments, "not allowed")});
  EXPECT_FALSE(progress.IsFrozen({"", "read_file", arguments}));
}

TEST_F(ProgressTest, ATestThatStillFailsAfterTheThirdChange) {
  int n = 0;
  const auto change = [&] {
    CallOutcome outcome = Ok("a.c", "change " + std::to_string(n));
    outcome.call.tool = "edit";
    return outcome;
  };
  const auto test = [&] { return Failed("run", Json{{"command", "make test"}}, "assertion " + std::string(1, static_cast<char>('a' + n++)) + " failed"); };
  EXPECT_EQ(Turn({test()}, "", {ToolEffect::kRuns}), NoProgress::kNone);
  for (int round = 1; round <= 3; ++round) {
    EXPECT_EQ(Turn({change()}, "", {ToolEffect::kChanges}), NoProgress::kNone) << round;
    EXPECT_EQ(Turn({test()}, "", {ToolEffect::kRuns}), round < 3 ? NoProgress::kNone : NoProgress::kMending) << round;
  }
}

TEST_F(ProgressTest, TheSameWordsInThreeTurnsAreAChant) {
  const std::string words = "I should look at the build files to understand how this is put together.";
  EXPECT_EQ(Turn({Ok("a", "1")}, words), NoProgress::kNone);
  EXPECT_EQ(Turn({Ok("b", "2")}, words), NoProgress::kNone);
  EXPECT_EQ(Turn({Ok("c", "3")}, words + " "), NoProgress::kChant);
}

TEST_F(ProgressTest, ShortWordsMayBeSaidAgain) {
  for (int i = 0; i < 6; ++i) EXPECT_EQ(Turn({Ok("f" + std::to_string(i), "x")}, "Next."), NoProgress::kNone);
}

std::string Times(const std::string& piece, int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += piece;
  return text;
}

TEST(Chant, IsTheSameOverAndOver) {
  EXPECT_TRUE(IsChant(Times("I will now check the file again. ", 20)));
  EXPECT_TRUE(IsChant("A sound beginning of some words about the code.\n" + Times("Wait, let me think about that once more.\n", 30)));
  EXPECT_TRUE(IsChant(Times("\u518d\u6765\u4e00\u6b21\uff0c", 60)));
  std::string counted;
  for (int i = 0; i < 40; ++i) counted += "Step " + std::to_string(i) + ": try again.  \n";
  EXPECT_TRUE(IsChant(counted)) << "numbers that count up make no difference";
  EXPECT_TRUE(IsChant(Times("the ", 200)));
}

TEST(Chant, IsNotARulerNorATableNorAList) {
  EXPECT_FALSE(IsChant(std::string(3000, '-')));
  EXPECT_FALSE(IsChant(Times("|---|---|\n", 100)));
  EXPECT_FALSE(IsChant(""));
  EXPECT_FALSE(IsChant(Times("yes ", 50)));  // short
  std::string list;
  for (int i = 0; i < 60; ++i) list += "- src/module_" + std::string(1, static_cast<char>('a' + i % 26)) + std::string(1, static_cast<char>('a' + i / 26 * 7 % 26)) + ".c: parses one kind of record\n";
  EXPECT_FALSE(IsChant(list));
  EXPECT_FALSE(IsChant(Times("I will now check the file again. ", 20) + "No: it is in parse.c, line 12, where the length is read before it is checked."));
}

TEST(Phase, GoesFromPlanToActToObserve) {
  EXPECT_TRUE(MayFollow(Phase::kPlan, Phase::kAct));
  EXPECT_TRUE(MayFollow(Phase::kAct, Phase::kObserve));
  EXPECT_TRUE(MayFollow(Phase::kObserve, Phase::kPlan));
  EXPECT_TRUE(MayFollow(Phase::kObserve, Phase::kReflect));
  EXPECT_TRUE(MayFollow(Phase::kReflect, Phase::kPlan));
  EXPECT_FALSE(MayFollow(Phase::kReflect, Phase::kAct));
  EXPECT_FALSE(MayFollow(Phase::kAct, Phase::kPlan));
  EXPECT_FALSE(MayFollow(Phase::kFinish, Phase::kPlan));
}

}  // namespace
}  // namespace paddock::agentcore

// The debugger that needs no model: what it takes for a failure, and what of it is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "subagents/playbook/suspects.h"
#include "tests/subagents/debugged_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;

// A linter's count was taken for a failed test, and its words for a symptom.
TEST(DebuggerPlaybook, ALintersCountIsNoFailedTest) {
  PlaybookRepo repo(Words());
  const Report report = repo.Run("debugger", "why does it fail?", "src/words.js\n  3:1  warning  foo  no-foo\n\n✖ 12 problems (0 errors, 12 warnings)\n\nok 1 a\nnpm error code ENOTFOUND\n", 14);
  EXPECT_TRUE(report.data["suspects"].empty()) << report.summary;
  EXPECT_THAT(report.summary, testing::AllOf(HasSubstr("needs a network"), testing::Not(HasSubstr("12 problems"))));
  EXPECT_FALSE(report.complete);
}

constexpr char kOwnWords[] = "Running all checks\n8 count_words(\"a b\") == 2 - FAILED\nTests failed: 1\nTests passed: 4\n";

// "Nothing failed there" stood above the failures that it printed.
TEST(DebuggerPlaybook, FailuresInAProgramsOwnWordsAreFailuresWhateverItsStatus) {
  auto files = Words();
  files["tests/check_all.c"] = "#include \"words.h\"\n\nvoid test_empty(void) {\n  TEST(other() == 1);\n}\n\nvoid test_two(void) {\n  TEST(count_words(\"a b\") == 2);\n}\n";
  for (const std::string& log : {std::string(kOwnWords), std::string(kOwnWords) + "make: *** [Makefile:2: check] Error 1\n", "A command was run in a jail; it ended: exit status 0 after 0.2 s.\ncommand: make check\nWhat it wrote:\n" + std::string(kOwnWords)}) {
    PlaybookRepo repo(files);
    const Report report = repo.Run("debugger", "the tests fail", log, 14);
    EXPECT_EQ(Path(report, 0), "src/words.c") << log << report.summary;
    EXPECT_THAT(report.data["suspects"].dump(), testing::Not(HasSubstr("Makefile")));
    EXPECT_THAT(report.data["suspects"].dump(), testing::Not(HasSubstr("src/other.c"))) << "what stands behind the check is not called before it";
    EXPECT_EQ(report.data["failure"]["failures"], 1);
    EXPECT_THAT(report.summary, testing::Not(HasSubstr("nothing failed")));
    EXPECT_TRUE(repo.EveryCitationHolds(report));
  }
}

TEST(DebuggerPlaybook, ALogThatTellsOfNoFailureIsALogAllTheSame) {
  PlaybookRepo repo(Words());
  const Report given = repo.Run("debugger", "`is_gap` is wrong", "begin\nall is well\n42 rows\n", 14);
  EXPECT_THAT(given.summary, HasSubstr("No failure was recognised in the log that was given"));
  EXPECT_THAT(given.summary, HasSubstr("\"all is well\", \"42 rows\""));
  EXPECT_EQ(Path(given, 0), "src/gap.c");
  PlaybookRepo none(Words());
  EXPECT_THAT(none.Run("debugger", "`is_gap` is wrong").summary, HasSubstr("No log was read"));
  auto files = Words();
  files["run.log"] = "42 rows\n";
  PlaybookRepo named(files);
  EXPECT_THAT(named.Run("debugger", "see run.log").summary, HasSubstr("\"42 rows\""));
}

// One that asks for a run looked at nothing but build files: its first suspect had no line to show.
TEST(DebuggerPlaybook, EverySuspectOfTheSummaryIsAFindingWithItsLine) {
  for (const bool may_ask : {false, true}) {
    auto files = Words();
    std::string text = "int first(int c) {\n";
    for (int i = 0; i < 60; ++i) text += "  c += " + std::to_string(i) + ";\n";
    files["src/long.c"] = text + "  return c;\n}\n";
    files["src/tell.c"] = "/* why it may fail */\nint tell(void) {\n  return 1;\n}\n";
    PlaybookRepo repo(files);
    repo.may_ask = may_ask;
    repo.more = [](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
      if (call.tool == "git_diff") return DiffResult({{"src/long.c", {"@@ -30 +30 @@", "-  c += 27;", "+  c += 28;"}}});
      return std::nullopt;
    };
    const Report report = repo.Run("debugger", "why does it fail?", "", 14);
    EXPECT_EQ(report.needs_run.has_value(), may_ask);
    EXPECT_EQ(Path(report, 0), "src/long.c");
    ASSERT_FALSE(report.findings.empty()) << report.summary;
    EXPECT_THAT(report.findings[0].title, HasSubstr("src/long.c:30 (first)"));
    EXPECT_EQ(report.findings[0].evidence.at(0).line_start, 30);
    EXPECT_THAT(report.summary, HasSubstr("Most suspect: src/long.c:30"));
    EXPECT_THAT(report.summary, testing::Not(HasSubstr("tell.c"))) << "a word of what is wrong suspects nobody";
    if (may_ask) {
      EXPECT_LE(repo.turns(), 4) << "the run's output needs the turns";
    }
  }
}

// Lines of a test's file that hold the name, other classes' tests of it and subtests were each counted.
TEST(DebuggerPlaybook, HowManyTestsFailIsWhatTheRunnerSays) {
  auto files = Words();
  files["words.py"] = "def count(x):\n    return 1\n";
  std::string tests = "import words\n";
  for (int i = 0; i < 6; ++i) tests += "\nclass Case" + std::to_string(i) + ":\n    def test_basic(self):\n        assert words.count(1) == 2\n";
  files["tests/test_words.py"] = tests;
  const auto reasons = [&](const std::string& log) {
    PlaybookRepo repo(files);
    return repo.Run("debugger", "the tests fail", log, 14).data["suspects"].dump();
  };
  const std::string trace = "Traceback (most recent call last):\n  File \"/w/tests/test_words.py\", line 5, in test_basic\nAssertionError: 1 != 2\n\n";
  EXPECT_THAT(reasons("FAIL: test_basic (tests.test_words.Case0.test_basic)\n" + trace + "FAILED (failures=1)\n"), testing::AllOf(HasSubstr("is named as the failing test's file is"), testing::Not(HasSubstr("tests fail\""))));
  EXPECT_THAT(reasons("FAIL: test_basic (tests.test_words.Case0.test_basic)\n"), testing::Not(HasSubstr("tests fail\"")));
  EXPECT_THAT(reasons("FAIL: test_basic (tests.test_words.Case0.test_basic)\n" + trace + "FAILED (failures=3, errors=1)\n"), HasSubstr("of which 4 tests fail"));
  PlaybookRepo go({{"go.mod", "module x\n"}, {"parse.go", "package x\n\nfunc Parse() int {\n\treturn 1\n}\n"}, {"parse_test.go", "package x\n\nfunc TestParse(t *testing.T) {\n\tif Parse() != 2 {\n\t\tt.Errorf(\"no\")\n\t}\n}\n\nfunc TestParseAll(t *testing.T) {\n}\n"}});
  const Report report = go.Run("debugger", "the tests fail", "--- FAIL: TestParse (0.00s)\n    --- FAIL: TestParse/one (0.00s)\n        parse_test.go:5: no\n", 14);
  EXPECT_THAT(report.data["suspects"].dump(), testing::Not(HasSubstr("tests fail\"")));
  EXPECT_EQ(report.data["failure"]["failures"], 1);
}

// "returns" and "fail" stand everywhere.
TEST(DebuggerPlaybook, WhatTheGoalNamesComesBeforeItsOtherWords) {
  for (const bool may_ask : {false, true}) {
    auto files = Words();
    files["src/words.h"] += "/* returns the length; returns -1 on a wrong value; tests return 0 */\nint length_of(const char *text);\n";
    files["src/other.c"] = "/* the tests fail where this returns a wrong value */\nint other(void) {\n  return 1;\n}\n";
    PlaybookRepo repo(files);
    repo.may_ask = may_ask;
    const Report report = repo.Run("debugger", "is_gap returns the wrong length", "", 14);
    EXPECT_EQ(Path(report, 0), "src/gap.c") << report.summary;
    EXPECT_EQ(report.data["suspects"][0]["function"], "is_gap");
    EXPECT_THAT(report.data["suspects"].dump(), testing::AllOf(testing::Not(HasSubstr("other.c")), testing::Not(HasSubstr("word \\\"return"))));
    EXPECT_TRUE(repo.EveryCitationHolds(report));
  }
}

// "a.c:2127 (f): changed, not committed" was said of a change in line 341.
TEST(Suspects, TheTitlesReasonIsOneOfItsLine) {
  Suspects suspects;
  suspects.Add("a.c", 341, "g", 64, "changed");
  suspects.Add("a.c", 2127, "f", 50, "called");
  suspects.Add("a.c", 2127, "f", 24, "named");
  for (int i = 0; i < 6; ++i) suspects.Add("a.c", 10 + i, "h", 40 + i, "near"), suspects.Add("a.c", 10 + i, "h", 40, "nearer");
  const auto ranked = suspects.Ranked();
  ASSERT_EQ(ranked.size(), 1u);
  EXPECT_EQ(ranked[0].reasons[0], "changed");
  EXPECT_NE(ranked[0].line, 341);
  EXPECT_NE(ranked[0].line_reason, "changed");
  EXPECT_EQ(ranked[0].lines.at(1), 341) << "the weightiest reason's place is shown as well";
}

TEST(Suspects, OneThatSaysAllIsMoreThanMuchOfLittle) {
  Suspects suspects;
  suspects.Add("a.c", 3, "f", 100, "deepest");
  for (int i = 1; i < 60; ++i) suspects.Add("b.c", i, "g", 30, "called " + std::to_string(i));
  const auto ranked = suspects.Ranked();
  ASSERT_EQ(ranked.size(), 2u);
  EXPECT_EQ(ranked[0].path, "a.c");
  EXPECT_LE(ranked[1].reasons.size(), 6u);
}

}  // namespace
}  // namespace paddock::subagents

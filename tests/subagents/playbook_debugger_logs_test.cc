// The debugger that needs no model: what it takes for a failure, and what of it is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/text.h"
#include "subagents/playbook/called_names.h"
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

// Its queue was emptied one turn before the last, and what was in it wasn't missed.
TEST(DebuggerPlaybook, TurnsThatWereOverTooEarlyAreTold) {
  std::string log;
  std::map<std::string, std::string> files;
  for (int i = 100; i < 130; ++i) {
    const std::string name = "m" + std::to_string(i);
    files["src/" + name + ".py"] = "import os\n\n\ndef work_" + name + "(x):\n    return helper_" + name + "(x)\n\n\ndef helper_" + name + "(x):\n    raise ValueError(x)\n";
    log += "Traceback (most recent call last):\n  File \"src/" + name + ".py\", line 5, in work_" + name + "\n    return helper_" + name + "(x)\n  File \"src/" + name + ".py\", line 9, in helper_" + name + "\n    raise ValueError(x)\nValueError: 3\n\n";
  }
  PlaybookRepo hasty(files);
  const Report report = hasty.Run("debugger", "it crashes", log, 4);
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(report.summary, HasSubstr("The time or the turns were over before all was looked at."));
  PlaybookRepo patient(files);
  const Report whole = patient.Run("debugger", "it crashes", log, 14);
  EXPECT_TRUE(whole.complete) << whole.summary;
}

// A log named twice was read twice, the second time with all others of its name.
TEST(DebuggerPlaybook, ALogNamedTwiceIsOneLog) {
  auto files = Words();
  files["build.log"] = "check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n";
  files["old/build.log"] = "/builds/src/other.c:2:3: error: expected ';'\n";
  PlaybookRepo repo(files);
  const Report report = repo.Run("debugger", "build.log shows it, see build.log", "", 14);
  EXPECT_EQ(Path(report, 0), "src/words.c") << Titles(report);
  EXPECT_THAT(report.data["suspects"].dump(), testing::Not(HasSubstr("src/other.c")));
}

TEST(DebuggerPlaybook, ACompilersQuotesAreNotCutInTheMiddle) {
  PlaybookRepo repo(Words());
  for (size_t pad = 130; pad < 165; ++pad) {
    const Report report = repo.Run("debugger", "it doesn't compile", "src/gap.c:4:3: error: " + std::string(pad, 'x') + " ‘foo’ was not declared\n", 14);
    for (const auto& finding : report.findings) ASSERT_TRUE(IsValidUtf8(finding.title)) << pad;
    for (const auto& suspect : report.data["suspects"])
      for (const auto& reason : suspect["reasons"]) ASSERT_TRUE(IsValidUtf8(reason.get<std::string>())) << pad;
  }
}

// The newest change was looked for in the first 120 lines of a longer function.
TEST(DebuggerPlaybook, WhoChangedAFunctionLastIsAskedAsFarAsTheSuspectLine) {
  auto files = Words();
  files["src/big.c"] = "int big(int a) {\n";
  for (int i = 2; i < 152; ++i) files["src/big.c"] += "  a += " + std::to_string(i) + ";\n";
  files["src/big.c"] += "  return 7 / a;\n}\n";
  Json asked;
  PlaybookRepo repo(files);
  repo.more = [&](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool == "git_log") return ResultWith({RowsArtifact("commits", ".", {"aaa\t2026-01-02\tx\t1\t1\t1\tother"}), RowsArtifact("changes", ".", {"src/big.c\t1\t1\t1\taaa"})});
    if (call.tool == "git_blame" && call.arguments["path"] == "src/big.c") {
      asked = call.arguments;
      return ResultWith({RowsArtifact("blame", "src/big.c", {"1\t141\tbbb\t2020-01-01T00:00:00Z\tx\told", "142\t142\taaa\t2026-01-02T00:00:00Z\tx\tnew"})});
    }
    return std::nullopt;
  };
  const Report report = repo.Run("debugger", "it crashes", "==7==ERROR: AddressSanitizer: FPE on unknown address\n    #0 0x1 in big /builds/src/big.c:152\n    #1 0x1 in big /builds/src/big.c:110\n    #2 0x1 in big /builds/src/big.c:70\n    #3 0x1 in big /builds/src/big.c:30\n", 14);
  ASSERT_TRUE(asked.is_object()) << Titles(report);
  EXPECT_EQ(asked["line_start"], 1);
  EXPECT_GE(asked["line_end"], 152);
  EXPECT_THAT(report.findings[0].detail, HasSubstr("is line 142"));
}

// Each suspect's newest change is that of its function only where all of it was looked at.
TEST(DebuggerPlaybook, TheNewestChangeOfAPartIsNotSaidToBeThatOfTheFunction) {
  auto files = Words();
  files["src/big.c"] = "int big(int a) {\n";
  for (int i = 2; i < 900; ++i) files["src/big.c"] += "  a += " + std::to_string(i) + ";\n";
  files["src/big.c"] += "  return a;\n}\n";
  PlaybookRepo repo(files);
  repo.more = [&](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool == "git_log") return ResultWith({RowsArtifact("commits", ".", {"aaa\t2026-01-02\tx\t1\t1\t1\tother"}), RowsArtifact("changes", ".", {"src/big.c\t1\t1\t1\taaa"})});
    if (call.tool == "git_blame" && call.arguments["path"] == "src/big.c") return ResultWith({RowsArtifact("blame", "src/big.c", {"1\t80\tbbb\t2020-01-01T00:00:00Z\tx\told"})});
    return std::nullopt;
  };
  const Report report = repo.Run("debugger", "it crashes", "==7==ERROR: AddressSanitizer: FPE on unknown address\n    #0 0x1 in big /builds/src/big.c:90\n", 14);
  EXPECT_THAT(report.findings[0].detail, testing::Not(HasSubstr("newest change in `big` is"))) << report.findings[0].detail;
  EXPECT_THAT(report.findings[0].detail, HasSubstr("the newest change in lines 1-80 is line 1, by bbb"));
}

// Its lines' numbers were counted one by one.
TEST(DebuggerPlaybook, LinesFarApartCostNothing) {
  agentcore::CallOutcome outcome;
  outcome.call.tool = "search_text";
  outcome.result.success = true;
  constexpr int64_t kFar = 3'000'000'000;
  for (const auto& [line, text] : {std::pair{int64_t{1}, "def heat(x):"}, std::pair{kFar, "    warm(x)"}}) {
    agentcore::Artifact excerpt;
    excerpt.kind = "excerpt";
    excerpt.path = "a.py";
    excerpt.line_start = line;
    excerpt.lines = {text};
    outcome.result.artifacts.push_back(excerpt);
  }
  RepoView view;
  view.Take(outcome);
  const auto start = std::chrono::steady_clock::now();
  const auto called = CalledBefore(view, "a.py", 1, kFar);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  EXPECT_TRUE(called.contains("warm"));
}

}  // namespace
}  // namespace paddock::subagents

// The debugger that needs no model: which file comes first, and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "subagents/playbook/suspects.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;

std::map<std::string, std::string> Words() {
  return {{"Makefile", "check:\n\t./run\n"},
          {"README.md", "# Words\n\nRun `make check`.\n"},
          {"src/words.c", "#include \"words.h\"\n\nint count_words(const char *text) {\n  int n = 0;\n  while (*text) n += is_gap(*text++);\n  return n;\n}\n"},
          {"src/gap.c", "#include \"words.h\"\n\nint is_gap(int c) {\n  return c == ' ';\n}\n"},
          {"src/other.c", "int other(void) {\n  return 1;\n}\n"},
          {"src/words.h", "int count_words(const char *text);\nint is_gap(int c);\n"},
          {"tests/check_all.c", "#include \"words.h\"\n\nvoid test_empty(void) {\n  assert(other() == 1);\n}\n\nvoid test_two(void) {\n  int n = count_words(\"a b\");\n  assert(n == 2);\n}\n"}};
}
std::string Path(const Report& report, size_t n) { return report.data["suspects"].size() > n ? report.data["suspects"][n]["path"].get<std::string>() : ""; }

TEST(DebuggerPlaybook, TheDeepestOwnFrameOfAnotherMachinesCrashComesFirst) {
  PlaybookRepo repo(Words());
  const Report report = repo.Run("debugger", "it crashes",
                                 "==7==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x1 in strlen /usr/lib/libc/strlen.c:3\n"
                                 "    #1 0x2 in is_gap /builds/ci/1234/src/gap.c:4\n    #2 0x3 in count_words /builds/ci/1234/src/words.c:5\n");
  EXPECT_EQ(Path(report, 0), "src/gap.c") << Titles(report);
  EXPECT_EQ(report.data["suspects"][0]["line"], 4);
  EXPECT_EQ(Path(report, 1), "src/words.c");
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  EXPECT_THAT(report.summary, HasSubstr("AddressSanitizer"));
  EXPECT_FALSE(report.needs_run);
}

// A run that passed put whatever held the goal's words among the suspects.
TEST(DebuggerPlaybook, SuspectsNobodyWhereTheRunEndedWell) {
  PlaybookRepo repo(Words());
  const Report report = repo.Run("debugger", "counting words fails", "A command was run in a jail; it ended: exit status 0 after 0.2 s.\ncommand: make check\n");
  EXPECT_TRUE(report.data["suspects"].empty()) << Titles(report);
  EXPECT_EQ(report.data["failure"]["exit_status"], 0);
  EXPECT_THAT(report.summary, HasSubstr("nothing failed there"));
  EXPECT_FALSE(report.complete);
  EXPECT_FALSE(report.needs_run);
}

TEST(DebuggerPlaybook, OfAFailingCheckWhatItsTestCallsIsSuspected) {
  PlaybookRepo repo(Words());
  const Report report = repo.Run("debugger", "the tests fail", "check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n");
  EXPECT_EQ(Path(report, 0), "src/words.c") << Titles(report);
  EXPECT_EQ(report.data["suspects"][0]["function"], "count_words");
  EXPECT_EQ(Path(report, 1), "src/gap.c") << "what that calls comes next";
  EXPECT_EQ(report.data["failure"]["kind"], "failed check");
  EXPECT_TRUE(repo.EveryCitationHolds(report));
}

TEST(DebuggerPlaybook, ATestsNameIsEnough) {
  PlaybookRepo repo(Words());
  EXPECT_EQ(Path(repo.Run("debugger", "the tests fail", "FAIL: test_two\n"), 0), "src/words.c");
}

TEST(DebuggerPlaybook, ACompilersPlaceComesFirst) {
  PlaybookRepo repo(Words());
  const Report report = repo.Run("debugger", "it does not build", "../src/other.c:2:3: error: 'x' undeclared\nmake: *** [Makefile:2: check] Error 1\n");
  EXPECT_EQ(Path(report, 0), "src/other.c") << Titles(report);
  EXPECT_EQ(report.data["failure"]["kind"], "compile error");
}

TEST(DebuggerPlaybook, WithoutALogTheGoalsNamesLead) {
  PlaybookRepo repo(Words());
  EXPECT_EQ(Path(repo.Run("debugger", "`is_gap` does not see tabs"), 0), "src/gap.c");
}

TEST(DebuggerPlaybook, EveryCallFailingStillGivesAReport) {
  PlaybookRepo repo(Words());
  repo.fail_all = true;
  const Report report = repo.Run("debugger", "the tests fail", "tests/check_all.c:9: test_two: Assertion `n' failed.\n");
  EXPECT_FALSE(report.complete);
}

TEST(DebuggerPlaybook, TheReportComesWhenItIsAskedFor) {
  PlaybookRepo repo(Words());
  const Report report = repo.Run("debugger", "the tests fail", "check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n", 14, 2);
  EXPECT_FALSE(report.summary.empty());
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

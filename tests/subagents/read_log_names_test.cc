// Which test a line of a log is of, and what of a log is no failure though it names a place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// "format|message|test|file:line" of each trace.
std::string Told(std::string_view log) {
  std::string out;
  for (const Trace& trace : ReadLog(log).traces) {
    out += trace.format + "|" + trace.message + "|" + trace.test + "|";
    for (const Frame& frame : trace.frames) out += " " + frame.file + ":" + std::to_string(frame.line);
    out += "\n";
  }
  return out;
}

// With "-ra" pytest tells of them beside those that failed.
TEST(ReadLog, TestsThatWereSkippedOrExpectedToFailAreNoFailures) {
  EXPECT_THAT(Told("SKIPPED [1] tests/test_cache.py:151: 'regex' lib not installed\nSKIPPED [2] tests/test_cache.py: no module named 'regex'\nXFAIL tests/test_a.py::test_later - to do\nXPASS tests/test_a.py::test_now - done\nPASSED tests/test_a.py::test_one\n"
                   "  /w/src/old.py:3: DeprecationWarning: use new\n"), IsEmpty());
  EXPECT_EQ(Told("SKIPPED [1] tests/test_cache.py:151: no\nFAILED tests/test_a.py::test_two - assert 1 == 2\nERROR tests/test_b.py::test_three\n"),
            "pytest|assert 1 == 2|test_two| tests/test_a.py:0\npytest||test_three| tests/test_b.py:0\n");
  EXPECT_TRUE(ReadLog("SKIPPED [1] tests/test_a.py:3: ModuleNotFoundError: No module named 'regex'\n").lacks.empty());
}

// "[  FAILED  ] A" stands behind A's failures: those of the next test were A's.
TEST(ReadLog, GoogleTestsFailuresAreOfTheTestThatRuns) {
  EXPECT_EQ(Told("[ RUN      ] A.One\nt.cc:3: Failure\nno\n[  FAILED  ] A.One (0 ms)\n[ RUN      ] A.Two\n[       OK ] A.Two (0 ms)\n[ RUN      ] A.Three\nt.cc:9: Failure\nnot\n[  FAILED  ] A.Three (0 ms)\n"),
            "GoogleTest|no|A.One| t.cc:3\nGoogleTest||A.One|\nGoogleTest|not|A.Three| t.cc:9\nGoogleTest||A.Three|\n");
  // Where it doesn't say which one runs.
  EXPECT_EQ(Told("t.cc:3: Failure\nno\n[  FAILED  ] A.One (0 ms)\nt.cc:9: Failure\nnot\n[  FAILED  ] A.Three (0 ms)\n"), "GoogleTest|no|A.One| t.cc:3\nGoogleTest||A.One|\nGoogleTest|not|A.Three| t.cc:9\nGoogleTest||A.Three|\n");
  EXPECT_THAT(Told("[ RUN      ] one\n[  ERROR   ] --- 0x1 != 0x2\n[   LINE   ] --- t.c:3: error: Failure!\n[  FAILED  ] one\n[ RUN      ] two\n[   LINE   ] --- t.c:9: error: Failure!\n[  FAILED  ] two\n"), AllOf(HasSubstr("|one| t.c:3\n"), HasSubstr("|two| t.c:9\n")));
}

TEST(ReadLog, OtherRunnersFailuresAreOfTheTestThatRuns) {
  EXPECT_THAT(Told("TEST CASE:  adds numbers\n\nt.cpp:14: ERROR: CHECK( a == b ) is NOT correct!\n===\nt.cpp:20:\nTEST CASE:  takes them away\n\nt.cpp:24: ERROR: CHECK( a == b ) is NOT correct!\n"), AllOf(HasSubstr("|adds numbers| t.cpp:14"), HasSubstr("|takes them away| t.cpp:24")));
  // What stands behind a test that passed is not of the one that failed before it.
  EXPECT_THAT(Told("not ok 1 - a\nok 2 - b\n/w/t.js:3\n"), AllOf(HasSubstr("TAP||a|\n"), HasSubstr("||| /w/t.js:3"), Not(HasSubstr("|a| /w/t.js:3"))) ) << Told("not ok 1 - a\nok 2 - b\n/w/t.js:3\n");
  EXPECT_THAT(Told("1/2 Test #1: one ...***Failed  0.1 sec\nt.c:3: Failure\n    Start 2: two\n2/2 Test #2: two ... Passed 0.1 sec\nt.c:9: Failure\n"), AllOf(HasSubstr("|one| t.c:3"), Not(HasSubstr("|one| t.c:9"))));
}

// With "-v" Go prints what every test logs.
TEST(ReadLog, WhatAPassingTestOfGoLogsIsNoFailure) {
  EXPECT_EQ(Told("=== RUN   TestOne\n    a_test.go:5: at work\n--- PASS: TestOne (0.00s)\n=== RUN   TestTwo\n    a_test.go:9: no\n--- FAIL: TestTwo (0.00s)\n--- SKIP: TestThree (0.00s)\n    a_test.go:12: not here\nFAIL\n"),
            "go test|no|TestTwo| a_test.go:9\ngo test||TestTwo|\n");
}

// The test begins in one line, and the check stands in another.
TEST(ReadLog, NodesCheckIsWhereItsStackSays) {
  const std::string begins = "not ok 2 - adds\n  ---\n  duration_ms: 1.2\n  location: '/w/test/a.js:24:1'\n  failureType: 'testCodeFailure'\n  error: |-\n    Expected values to be strictly equal:\n    \n    15 !== 1\n  code: 'ERR_ASSERTION'\n";
  const LogFacts facts = ReadLog(begins + "  stack: |-\n    TestContext.<anonymous> (file:///w/test/a.js:27:16)\n    Test.runInAsyncScope (node:async_hooks:203:9)\n  ...\n");
  ASSERT_EQ(facts.traces.size(), 2u);
  EXPECT_EQ(facts.traces[1].kind, TraceKind::kAssertion);
  EXPECT_EQ(facts.traces[1].message, "Expected values to be strictly equal: 15 !== 1");
  EXPECT_EQ(facts.traces[1].test, "adds");
  EXPECT_EQ(facts.traces[1].frames.at(0).line, 27);
  const LogFacts without = ReadLog(begins + "  ...\n");
  ASSERT_EQ(without.traces.size(), 2u);
  EXPECT_EQ(without.traces[1].kind, TraceKind::kTest) << "where it begins";
  EXPECT_EQ(without.traces[1].frames.at(0).line, 24);
  EXPECT_EQ(ReadLog("not ok 1 - outer\n  ---\n  location: '/w/test/a.js:3:1'\n  failureType: 'subtestsFailed'\n  error: '1 subtest failed'\n").traces.size(), 1u);
}

TEST(ReadLog, GoNamesThePackageBehindItsFailures) {
  const LogFacts facts = ReadLog("--- FAIL: TestA (0.00s)\n    a_test.go:5: no\nFAIL\nFAIL\tx.org/m/sub\t0.01s\n--- FAIL: TestB (0.00s)\n    a_test.go:9: not\nFAIL\nFAIL\tx.org/m\t0.01s\n");
  ASSERT_EQ(facts.traces.size(), 4u);
  EXPECT_EQ(facts.traces[1].folder, "x.org/m/sub");
  EXPECT_EQ(facts.traces[3].folder, "x.org/m");
  EXPECT_EQ(ReadLog("make[1]: Entering directory '/w/sub'\na.c:3:5: error: no\nmake[1]: Leaving directory '/w/sub'\n").traces.at(0).folder, "/w/sub");
}

}  // namespace
}  // namespace paddock::subagents

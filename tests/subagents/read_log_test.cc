// Logs of all kinds, made up: what is read of them, and that a hostile one costs no more than its length.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;

// "kind|format|message|test|file:line(function) ..." of each trace.
std::string Told(const LogFacts& facts) {
  static constexpr const char* kKinds[] = {"crash", "check", "compile", "test", "weak"};
  std::string out;
  for (const Trace& trace : facts.traces) {
    out += std::string(kKinds[static_cast<int>(trace.kind)]) + "|" + trace.format + "|" + trace.message + "|" + trace.test + "|";
    for (const Frame& frame : trace.frames) out += " " + frame.file + ":" + std::to_string(frame.line) + (frame.function.empty() ? "" : "(" + frame.function + ")");
    out += "\n";
  }
  return out;
}
std::string Told(std::string_view log) { return Told(ReadLog(log)); }

TEST(ReadLog, AddressSanitizer) {
  EXPECT_EQ(Told("==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55\n"
                 "READ of size 1 at 0x602 thread T0\n"
                 "    #0 0x4f1 in take_word /home/x/thing/src/words.c:41:9\n"
                 "    #1 0x4f2 in main /home/x/thing/src/main.c:12\n"),
            "crash|sanitizer|AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55|| /home/x/thing/src/words.c:41(take_word) /home/x/thing/src/main.c:12(main)\n");
}

TEST(ReadLog, KindsAndCounts) {
  const std::string asan = Told("AddressSanitizer:DEADLYSIGNAL\n=====\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602\n    #0 0x4f1 in take /w/words.c:41:9\n");
  EXPECT_THAT(asan, testing::StartsWith("crash|sanitizer|AddressSanitizer: heap-buffer-overflow"));
  EXPECT_THAT(Told("Traceback (most recent call last):\n  File \"t.py\", line 3, in test_a\nAssertionError: 1 != 2\n"), HasSubstr("check|Python|AssertionError: 1 != 2"));
  EXPECT_EQ(ReadLog("==== 6 failed, 1957 passed, 24 skipped in 37.70s ====\n").failed_tests, 6);
  EXPECT_EQ(ReadLog("=== 2 failed, 1 passed, 3 errors in 1.2s ===\n").failed_tests, 5);
  EXPECT_EQ(ReadLog("Ran 9 tests in 0.01s\n\nFAILED (failures=2, errors=1)\n").failed_tests, 3);
  EXPECT_EQ(ReadLog("FAILED (errors=4)\n").failed_tests, 4);
  EXPECT_EQ(ReadLog("all is well\n").failed_tests, -1);
}

TEST(ReadLog, OtherSanitizers) {
  EXPECT_THAT(Told("src/a.c:9:14: runtime error: signed integer overflow: 1 + 2\n"), HasSubstr("crash|UBSan|runtime error: signed integer overflow: 1 + 2|| src/a.c:9"));
  EXPECT_THAT(Told("WARNING: ThreadSanitizer: data race (pid=4)\n    #0 add src/q.cc:20:3 (q+0x4)\n"), HasSubstr("src/q.cc:20(add)"));
  EXPECT_THAT(Told("==3==ERROR: LeakSanitizer: detected memory leaks\nDirect leak of 8 byte(s) in 1 object(s) allocated from:\n    #1 0x5 in make src/m.c:7\n"), HasSubstr("src/m.c:7(make)"));
  EXPECT_THAT(Told("==3==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x4 in use /w/u.c:3:1\n"), HasSubstr("/w/u.c:3(use)"));
}

TEST(ReadLog, GdbAndValgrind) {
  EXPECT_EQ(Told("Program received signal SIGSEGV, Segmentation fault.\n#0  0x0000 in find (t=0x0, k=3) at src/table.c:55\n#1  main () at main.c:9\n"),
            "crash|gdb|SIGSEGV, Segmentation fault.|| src/table.c:55(find) main.c:9(main)\n");
  EXPECT_EQ(Told("==12== Invalid read of size 4\n==12==    at 0x4005: sum (sum.c:14)\n==12==    by 0x4006: main (main.c:3)\n"), "crash|valgrind|Invalid read of size 4|| sum.c:14(sum) main.c:3(main)\n");
}

TEST(ReadLog, CheckersOfC) {
  EXPECT_THAT(Told("t: tests/t.c:12: run: Assertion `n == 3' failed.\n"), HasSubstr("check|assert|Assertion `n == 3' failed.|| tests/t.c:12(run)"));
  EXPECT_EQ(Told("/w/tests/a_test.cc:31: Failure\nExpected equality of these values:\n  3\n[  FAILED  ] Words.Counts (0 ms)\n"),
            "check|GoogleTest|Expected equality of these values: 3|Words.Counts| /w/tests/a_test.cc:31\ntest|GoogleTest||Words.Counts|\n");
  EXPECT_THAT(Told("The following tests FAILED:\n\t  3 - words_test (Failed)\n"), HasSubstr("test|CTest||words_test|"));
  EXPECT_THAT(Told("The following tests FAILED:\n\t  3 - words_test (SEGFAULT)\n"), HasSubstr("test|CTest|SEGFAULT|words_test|"));
  EXPECT_THAT(Told("FAIL: words\n"), HasSubstr("test|Automake||words|"));
  EXPECT_THAT(Told("make[1]: *** [Makefile:12: check] Error 2\n"), HasSubstr("weak|make|Error 2|| Makefile:12"));
}

TEST(ReadLog, PythonTracebacksDeepestFirst) {
  EXPECT_EQ(Told("Traceback (most recent call last):\n  File \"/a/run.py\", line 3, in <module>\n    go()\n  File \"/a/thing/go.py\", line 8, in go\n    x[3]\nIndexError: list index out of range\n"
                 "\nDuring handling of the above exception, another exception occurred:\n\n"
                 "Traceback (most recent call last):\n  File \"/a/run.py\", line 5, in <module>\nValueError: no\n"),
            "crash|Python|IndexError: list index out of range|| /a/thing/go.py:8(go) /a/run.py:3(<module>)\ncrash|Python|ValueError: no|| /a/run.py:5(<module>)\n");
}

TEST(ReadLog, Pytest) {
  const std::string told = Told("_________ test_words[3] _________\n\n    def test_words(n):\n>       assert count('a') == n\nE       assert 2 == 3\nE        +  where 2\n\ntests/test_words.py:12: AssertionError\n"
                                "=== short test summary info ===\nFAILED tests/test_words.py::test_words[3] - assert 2 == 3\n");
  EXPECT_THAT(told, HasSubstr("check|pytest|assert 2 == 3|test_words[3]| tests/test_words.py:12\n"));
  EXPECT_THAT(told, HasSubstr("test|pytest|assert 2 == 3|test_words[3]| tests/test_words.py:0\n"));
}

TEST(ReadLog, Unittest) { EXPECT_THAT(Told("FAIL: test_add (tests.test_sum.Sum)\n"), HasSubstr("test|unittest||test_add|")); }

TEST(ReadLog, Node) {
  EXPECT_EQ(Told("TypeError: Cannot read properties of undefined (reading 'x')\n    at take (/w/lib/take.js:4:11)\n    at Object.<anonymous> (/w/test/take.test.js:9:3)\n    at node:internal/main:1:1\n"),
            "crash|Node|TypeError: Cannot read properties of undefined (reading 'x')|| /w/lib/take.js:4(take) /w/test/take.test.js:9(Object.<anonymous>)\n");
  EXPECT_THAT(Told("not ok 3 - counts words\n"), HasSubstr("test|TAP||counts words|"));
  EXPECT_THAT(Told("    not ok 3 - counts words # time=12.5ms\n"), HasSubstr("test|TAP||counts words|"));
  EXPECT_THAT(Told("  1) words\n"), HasSubstr("test|mocha||words|"));
  EXPECT_THAT(Told("  ● words › counts\n"), HasSubstr("test|jest||words › counts|"));
  EXPECT_THAT(Told("✖ counts words (1.2ms)\n"), HasSubstr("test|node:test||counts words|"));
}

TEST(ReadLog, Go) {
  EXPECT_EQ(Told("panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nexample.com/thing.Last(...)\n\t/w/last.go:12 +0x1d\nmain.main()\n\t/w/main.go:5 +0x2\n"),
            "crash|Go|runtime error: index out of range [3] with length 3|| /w/last.go:12(example.com/thing.Last) /w/main.go:5(main.main)\n");
  EXPECT_EQ(Told("--- FAIL: TestLast (0.00s)\n    last_test.go:9: got 2, want 3\n"), "test|go test||TestLast|\ncheck|go test|got 2, want 3|TestLast| last_test.go:9\n");
}

TEST(ReadLog, Rust) {
  EXPECT_EQ(Told("thread 'words::tests::counts' panicked at src/words.rs:20:9:\nassertion `left == right` failed\nstack backtrace:\n   2: thing::words::count\n             at ./src/words.rs:8:5\n"),
            "crash|Rust|assertion `left == right` failed|words::tests::counts| src/words.rs:20 ./src/words.rs:8(thing::words::count)\n");
  EXPECT_THAT(Told("thread 'main' panicked at 'no', src/main.rs:3:5\n"), HasSubstr("crash|Rust|no|main| src/main.rs:3"));
  EXPECT_THAT(Told("test words::tests::counts ... FAILED\n"), HasSubstr("test|cargo test||words::tests::counts|"));
}

TEST(ReadLog, Java) {
  EXPECT_EQ(Told("Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat org.thing.Main.main(Main.java:9)\nCaused by: java.lang.NullPointerException\n\tat org.thing.Words.count(Words.java:31)\n"),
            "crash|Java|java.lang.IllegalStateException: no|| Main.java:9(org.thing.Main.main)\ncrash|Java|java.lang.NullPointerException|| Words.java:31(org.thing.Words.count)\n");
  EXPECT_THAT(Told("[ERROR]   WordsTest.counts:14 expected:<3> but was:<2>\n"), HasSubstr("test|Surefire||WordsTest.counts|"));
  EXPECT_THAT(Told("WordsTest > counts() FAILED\n"), HasSubstr("test|Gradle||WordsTest > counts()|"));
}

TEST(ReadLog, Compilers) {
  EXPECT_THAT(Told("src/a.c:3:5: error: expected ';' before 'x'\n"), HasSubstr("compile|gcc or clang|expected ';' before 'x'|| src/a.c:3"));
  EXPECT_THAT(Told("error[E0308]: mismatched types\n --> src/lib.rs:7:9\n"), HasSubstr("compile|rustc|error[E0308]: mismatched types|| src/lib.rs:7"));
  EXPECT_THAT(Told("./a.go:4:2: undefined: y\n"), HasSubstr("compile|go|undefined: y|| ./a.go:4"));
  EXPECT_THAT(Told("src/a.ts(3,5): error TS2304: Cannot find name 'y'.\n"), HasSubstr("compile|tsc|error TS2304: Cannot find name 'y'.|| src/a.ts:3"));
  EXPECT_THAT(Told("[ERROR] /w/src/A.java:[4,9] cannot find symbol\n"), HasSubstr("compile|javac|cannot find symbol|| /w/src/A.java:4"));
  EXPECT_THAT(Told("A.java:4: error: cannot find symbol\n"), HasSubstr("|cannot find symbol|| A.java:4"));
  EXPECT_THAT(Told("src\\a.cpp(12): error C2065: 'y': undeclared identifier\n"), HasSubstr("compile|MSVC|error C2065: 'y': undeclared identifier|| src\\a.cpp:12"));
  EXPECT_THAT(Told("a.c:(.text+0x5): undefined reference to `take'\n"), HasSubstr("compile|linker|undefined reference to `take'|| a.c:0"));
}

TEST(ReadLog, ColoursAndTimesInFrontAreNothing) {
  EXPECT_THAT(Told("2024-01-02T03:04:05.678Z \x1b[31msrc/a.c:3:5: \x1b[1merror:\x1b[0m no\r\n"), HasSubstr("|no|| src/a.c:3"));
}

TEST(ReadLog, OfARunItsStatusIsKnown) {
  const LogFacts facts = ReadLog("A command was run at the top of a private copy of the repository, in a jail without a network: exit status 2 after 0.1 s.\ncommand: make check\nWhat it wrote:\nall is well\n");
  EXPECT_EQ(facts.exit_status, 2);
  EXPECT_EQ(facts.command, "make check");
  EXPECT_TRUE(facts.traces.empty());
  // Lines are counted as the command wrote them.
  const LogFacts lacking = ReadLog("A command was run at the top of a private copy of the repository, in a jail without a network: exit status 127 after 0.1 s.\ncommand: mocha\nWhat it wrote:\nsh: 1: mocha: not found\n");
  ASSERT_EQ(lacking.lacks.size(), 1u);
  EXPECT_EQ(lacking.lacks[0].number, 1u);
}

TEST(ReadLog, ProseIsNoFailure) { EXPECT_EQ(Told("It builds with make, see README.md.\nAll 12 tests passed.\n100% tests passed, 0 tests failed out of 4\n"), ""); }

TEST(ReadLog, ASummaryIsNoTest) {
  EXPECT_EQ(Told("✖ 12 problems (0 errors, 12 warnings)\n✖ failing tests:\n✖   found 1 problems, 0 warnings\nFAIL: 0\nnot ok 4 - later # TODO write it\n"), "");
  EXPECT_THAT(Told("  ✖ [fail]: counts words\n"), HasSubstr("test|AVA||counts words|"));
}

TEST(ReadLog, FailuresInAProgramsOwnWordsWhereNoRunnerIsKnown) {
  EXPECT_EQ(Told("12 f(\"x\") == 1    - FAILED\nparsing ... FAILED\n[FAIL] trees\nTests failed: 3\nResult: FAIL\n"),
            "test|its own words||f(\"x\") == 1|\ntest|its own words||parsing|\ntest|its own words||trees|\n");
  EXPECT_EQ(Told("Tests failed: 3\nmake: *** [Makefile:9: test] Error 1\n"), "test|its own words|Tests failed: 3||\n");
  EXPECT_EQ(Told("parsing ... FAILED\nt: tests/t.c:12: run: Assertion `n == 3' failed.\n"), "check|assert|Assertion `n == 3' failed.|| tests/t.c:12(run)\n") << "where one is known, that counts";
  EXPECT_EQ(Told("Tests failed: 0\n0 failed\nfailures: 0\nIt may fail: see below.\nno test failed\n"), "");
}

TEST(ReadLog, RunnersCount) {
  const auto count = [](const char* log) { return ReadLog(log).failed_tests; };
  EXPECT_EQ(count("# tests 1045\n# pass  1033\n# fail  12\n"), 12);
  EXPECT_EQ(count("ℹ fail 2\n"), 2);
  EXPECT_EQ(count("  3 passing (9ms)\n  2 failing\n"), 2);
  EXPECT_EQ(count("Tests:       2 failed, 5 passed, 7 total\n"), 2);
  EXPECT_EQ(count("test result: FAILED. 5 passed; 2 failed; 0 ignored; 0 measured\n"), 2);
  EXPECT_EQ(count(" 4 FAILED TESTS\n"), 4);
  EXPECT_EQ(count("75% tests passed, 1 tests failed out of 4\n"), 1);
  EXPECT_EQ(count("[ERROR] Tests run: 9, Failures: 2, Errors: 1, Skipped: 0\n"), 3);
  EXPECT_EQ(count("10 examples, 2 failures\n"), 2);
  EXPECT_EQ(count("5 runs, 9 assertions, 1 failures, 1 errors, 0 skips\n"), 2);
  EXPECT_EQ(count("=== 3 errors in 0.12s ===\n"), 3);
  EXPECT_EQ(count("Tests failed: 8\nTests passed: 341\n"), 8);
  EXPECT_EQ(count("# fail 2\nfailed: 40\n"), 2) << "a known runner's count wins";
  EXPECT_EQ(count("# fail 0\n"), -1);
  EXPECT_EQ(CountOfFailures(ReadLog("--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\n    --- FAIL: TestA/one/two (0.00s)\n--- FAIL: TestB (0.00s)\n")), 2);
}

TEST(ReadLog, WhatALogCanMakeItKeepIsBounded) {
  std::string log;
  for (int i = 0; i < 100'000; ++i) log += "src/f" + std::to_string(i) + ".c:3:5: error: no " + std::string(600, 'x') + "\n";
  const LogFacts facts = ReadLog(log);
  EXPECT_TRUE(facts.cut);
  EXPECT_EQ(facts.traces.size(), kMaxTraces);
  std::string frames = "Traceback (most recent call last):\n";
  for (int i = 0; i < 5'000; ++i) frames += "  File \"a.py\", line " + std::to_string(i) + ", in f\n";
  const LogFacts deep = ReadLog(frames + "RecursionError: too deep\n");
  ASSERT_EQ(deep.traces.size(), 1u);
  ASSERT_EQ(deep.traces[0].frames.size(), kMaxFrames);
  EXPECT_EQ(deep.traces[0].frames[0].line, 4999) << "the deepest ones are kept";
}

TEST(ReadLog, OneEndlessLineAndRubbishAreRead) {
  EXPECT_TRUE(ReadLog(std::string(8u << 20, '(')).traces.empty());
  EXPECT_TRUE(ReadLog(std::string(1u << 20, '\0')).traces.empty());
  EXPECT_TRUE(ReadLog(std::string("\xff\xfe\x80 at (((\n\n\n")).traces.empty());
  EXPECT_EQ(ReadLog("a.c:99999999999999999999:1: error: x\n").traces.at(0).frames.at(0).line, 0);
}

// The names of the first hundred took all the room, and no frame of any was read.
TEST(ReadLog, OfVeryManyFailuresTheFramesAreRead) {
  std::string log, summary = "  114 failing\n\n";
  for (int i = 1; i <= 114; ++i) {
    const std::string n = std::to_string(i);
    log += "    " + n + ") counts: " + n + " words\n";
    summary += "  " + n + ") words\n       counts: " + n + " words:\n\n      AssertionError: no " + n + "\n      at Context.<anonymous> (test/words.js:" + n + ":7)\n\n";
  }
  const LogFacts facts = ReadLog(log + summary);
  EXPECT_THAT(Told(facts), HasSubstr("check|Node|AssertionError: no 1|counts: 1 words| test/words.js:1(Context.<anonymous>)\n"));
  EXPECT_THAT(Told(facts), HasSubstr("check|Node|AssertionError: no 40|counts: 40 words|"));
  EXPECT_LE(facts.traces.size(), kMaxTraces);
  EXPECT_EQ(CountOfFailures(facts), 114);
}

// Such a place with a check's words beside it was no failure at all.
TEST(ReadLog, PlacesOfChecksOfUnknownRunners) {
  EXPECT_EQ(Told("------ assertion failed (words)---------\nline words.cpp:312\nexpected:1\nactual:2\nmake: *** [Makefile:21: test] Error 1\n"), "check|its own words|assertion failed (words)|| words.cpp:312\n");
  EXPECT_THAT(Told("Check failed: n == 2\n  at tests/words.c:31\n"), HasSubstr("check|its own words|Check failed: n == 2|| tests/words.c:31\n"));
  EXPECT_THAT(Told("tests/words.cpp(14)\nexpected: 3\nactual: 2\n"), HasSubstr("|| tests/words.cpp:14\n"));
  EXPECT_THAT(Told("assertion failed in tests/words.c, line 9\n"), HasSubstr("|assertion failed in tests/words.c, line 9|| tests/words.c:9\n"));
  EXPECT_EQ(Told("reading words.cpp, line 9\nall is well\n"), "") << "no check's words";
}

// With parameters that make its name long, pytest's line has one sign at each end: the failure had no place.
TEST(ReadLog, PytestsLongNames) {
  const std::string log = "_ TestTime.test_iso[2013-11-10T01:23:45.123+00:00-expected2-True-iso8601-and-more] _\ntests/test_time.py:12: in test_iso\n    assert 1 == 2\nE   assert 1 == 2\n"
                          "FAILED tests/test_time.py::TestTime::test_iso[2013-11-10T01:23:45.123+00:00-expected2-True-iso8601-and-more]\n";
  const LogFacts facts = ReadLog(log);
  EXPECT_THAT(Told(facts), HasSubstr("check|pytest|assert 1 == 2|TestTime.test_iso[2013-11-10T01:23:45.123+00:00-expected2-True-iso8601-and-more]| tests/test_time.py:12(test_iso)\n"));
  EXPECT_EQ(CountOfFailures(facts), 1) << "a test was told of by two names";
  EXPECT_THAT(Told("_ no header _\n"), testing::IsEmpty());
}

TEST(ReadLog, FailuresInAProgramsOwnWords) {
  EXPECT_THAT(Told("*** Error: keep_alive in 'google 301' ***\n\nexpected 1\n   found 0\nmake: *** [Makefile:76: test] Aborted\n"), HasSubstr("test|its own words||keep_alive in 'google 301'|"));
  EXPECT_THAT(Told("parse(\"hostname:443\") \"CONNECT request\" test failed, unexpected rv 1\n\"CONNECT request\" test failed, unexpected rv 1\n"), HasSubstr("test|its own words||CONNECT request|\n"));
  EXPECT_EQ(Told("make: *** Error: nothing ***\nno test failed\n"), "");
}

}  // namespace
}  // namespace paddock::subagents

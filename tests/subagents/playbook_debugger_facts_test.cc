// The debugger that needs no model: that the same name isn't the same thing, and that a comment is no code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/subagents/debugged_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kFailed = "check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n";

// A typo in a docstring or in a comment of several lines stood above the fault.
TEST(DebuggerPlaybook, CommentsDocstringsAndWhiteSpaceAreNoChangeOfCode) {
  std::map<std::string, std::string> files{
      {"words/__init__.py", "from words.gaps import gap\nfrom words.rows import row\n\n\ndef count(text):\n    \"\"\"Count the words.\n\n    Gaps are none.\n    \"\"\"\n    return gap(text) + row(text)\n"},
      {"words/gaps.py", "def gap(text):\n    \"\"\"The gaps of a text.\n\n    All of them.\n    \"\"\"\n    return 1\n"},
      {"words/rows.py", "def row(text):\n    return  2\n"},
      {"words/deep.py", "def deep(text):\n    return 4\n"},
      {"tests/test_words.py", "import words\n\n\ndef test_count():\n    assert words.count('a') == 2\n"}};
  PlaybookRepo repo(files);
  SetHistory(&repo, {{"wording", {{"words/gaps.py", {"@@ -4 +4 @@", "-    Every one of them.", "+    All of them."}}}},
                     {"blanks", {{"words/rows.py", {"@@ -2 +2 @@", "-    return 2", "+    return  2"}}}},
                     {"deeper", {{"words/deep.py", {"@@ -2 +2 @@", "-    return 3", "+    return 4"}}}}});
  const Report report = repo.Run("debugger", "the tests fail", "____ test_count ____\n>       assert words.count('a') == 2\nE       assert 3 == 2\n\ntests/test_words.py:5: AssertionError\n1 failed in 0.1s\n", 14);
  EXPECT_THAT(All(report), AllOf(Not(HasSubstr("(wording)")), Not(HasSubstr("(blanks)")))) << All(report);

  auto c = Words();
  c["src/gap.c"] = "#include \"words.h\"\n\n/**\n   What is a gap,\n   and what is none.\n */\nint is_gap(int c) {\n  return c == ' ';\n}\n";
  PlaybookRepo other(c);
  SetHistory(&other, {{"typo", {{"src/gap.c", {"@@ -5 +5 @@", "-   and what isn't.", "+   and what is none."}}}}, {"count", {{"src/words.c", {"@@ -4 +4 @@", "-  int n = 1;", "+  int n = 0;"}}}}});
  const Report typo = other.Run("debugger", "the tests fail", kFailed, 14);
  EXPECT_EQ(Path(typo, 0), "src/words.c");
  EXPECT_THAT(All(typo), Not(HasSubstr("(typo)")));
}

// What is not committed was ranked below the frames that it made fail.
TEST(DebuggerPlaybook, CodeThatIsNotCommittedOnTheTestsWayComesFirst) {
  std::map<std::string, std::string> files{
      {"words/__init__.py", "from words.make import build\n\n\ndef count(text):\n    return build(text).run()\n"},
      {"words/make.py", "from words.run import Run\n\n\ndef build(text):\n    return Run(2, text)\n"},
      {"words/run.py", "class Run:\n    def __init__(self, text, n):\n        self.text = text\n        self.n = n\n\n    def run(self):\n        return len(self.text) > self.n\n"},
      {"tests/test_words.py", "import words\n\n\ndef test_count():\n    assert words.count('a')\n"}};
  PlaybookRepo repo(files);
  SetHistory(&repo, {{"old", {}}}, {{"words/make.py", {"@@ -5 +5 @@", "-    return Run(text, 2)", "+    return Run(2, text)"}}});
  const Report report = repo.Run("debugger", "it fails", "Traceback (most recent call last):\n  File \"/w/tests/test_words.py\", line 5, in test_count\n  File \"/w/words/__init__.py\", line 5, in count\n  File \"/w/words/run.py\", line 7, in run\nTypeError: object of type 'int' has no len()\n", 14);
  EXPECT_EQ(Path(report, 0), "words/make.py") << All(report);
}

// A helper that catches panics was "the deepest frame of this project".
TEST(DebuggerPlaybook, FramesOfTheTestsHelpersAreNotTheDeepest) {
  std::map<std::string, std::string> files{{"go.mod", "module x.org/words\n"},
                                           {"testutil/testutil.go", "package testutil\n\nfunc Do(f func()) {\n\tdefer func() {\n\t\trecover()\n\t}()\n\tf()\n}\n"},
                                           {"count.go", "package words\n\nfunc Count(s string) int {\n\treturn int(s[3])\n}\n"},
                                           {"count_test.go", "package words\n\nfunc TestCount(t *testing.T) {\n\ttestutil.Do(func() { Count(\"a\") })\n}\n"}};
  PlaybookRepo repo(files);
  const Report report = repo.Run("debugger", "it fails",
                                 "--- FAIL: TestCount (0.00s)\npanic: runtime error: index out of range [3] with length 1\n\ngoroutine 20 [running]:\nx.org/words/testutil.Do.func1()\n\t/w/testutil/testutil.go:5 +0x3f7\npanic({0x62ab60, 0xc0001d11e8})\n"
                                 "\t/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212\nx.org/words.Count(...)\n\t/w/count.go:4 +0x1\nx.org/words/testutil.Do(0x1)\n\t/w/testutil/testutil.go:7 +0x2\nx.org/words.TestCount(0x1)\n\t/w/count_test.go:4 +0x3\n", 14);
  EXPECT_EQ(Path(report, 0), "count.go") << All(report);
  EXPECT_THAT(DetailOf(report, "testutil"), Not(HasSubstr("deepest frame")));
}

// os.Open was the project's Open, a struct's field a call, and a test's own function that of the sources.
TEST(DebuggerPlaybook, TheSameNameIsNotTheSameThing) {
  std::map<std::string, std::string> files{{"go.mod", "module x.org/words\n"},
                                           {"block.go", "package words\n\ntype block struct{}\n\nfunc (b *block) Open(n int) int {\n\treturn n\n}\n"},
                                           {"count.go", "package words\n\nfunc Count(s string) int {\n\treturn 1\n}\n\nfunc repeat(n int) int {\n\treturn n\n}\n"},
                                           {"count_test.go", "package words\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestCount(t *testing.T) {\n\tf, _ := os.Open(\"x\")\n\tif Count(\"a\") != 2 {\n\t\tt.Errorf(\"no\")\n\t}\n}\n"}};
  PlaybookRepo repo(files);
  const Report report = repo.Run("debugger", "it fails", "--- FAIL: TestCount (0.00s)\n    count_test.go:11: no\n", 14);
  EXPECT_EQ(Path(report, 0), "count.go");
  EXPECT_THAT(All(report), AllOf(Not(HasSubstr("`Open`")), HasSubstr("`Count` is called by the failing test (count_test.go:10)"))) << All(report);

  PlaybookRepo js({{"package.json", "{\"name\": \"words\"}\n"}, {"lib/common.js", "function repeat(s, n) {\n  return s;\n}\n\nmodule.exports.repeat = repeat;\n"}, {"lib/words.js", "var common = require('./common');\n\nfunction pad(s) {\n  return common.repeat(s, 2);\n}\n\nmodule.exports.pad = pad;\n"},
                   {"test/words.js", "var words = require('../lib/words');\n\nfunction repeat(s) {\n  return s + s;\n}\n\nit('pads', function () {\n  assert.equal(words.pad('a'), repeat('a'));\n});\n"}});
  const Report pads = js.Run("debugger", "it fails", "  1) pads:\n     AssertionError: 'a' == 'aa'\n      at Context.<anonymous> (test/words.js:8:10)\n", 14);
  EXPECT_EQ(Path(pads, 0), "lib/words.js") << All(pads);
  EXPECT_THAT(All(pads), Not(HasSubstr("`repeat` is called by the failing test")));
}

// "before its check (test_x.py:82)" of a file with 57 lines.
TEST(DebuggerPlaybook, NamesNoLineThatTheFileDoesNotHave) {
  PlaybookRepo repo(Words());
  EXPECT_THAT(All(repo.Run("debugger", "the tests fail", "FAIL: test_two\n", 14)), AllOf(HasSubstr("(tests/check_all.c:8)"), Not(HasSubstr("check_all.c:6"))));
}

// A comment above a class was "in" the function before it.
TEST(DebuggerPlaybook, NamesAFunctionOnlyOfLinesInIt) {
  auto files = Words();
  files["src/gap.c"] = "#include \"words.h\"\n\nint is_gap(int c) {\n  return c == ' ';\n}\n\nint limits[] = {\n  3\n};\n";
  PlaybookRepo repo(files);
  SetHistory(&repo, {{"limit", {{"src/gap.c", {"@@ -8 +8 @@", "-  2", "+  3"}}}}});
  EXPECT_THAT(All(repo.Run("debugger", "the tests fail", kFailed, 14)), AllOf(HasSubstr("changed code of this file in line 8 (limit)"), Not(HasSubstr("gap.c:8 (is_gap)"))));
}

// Lines were those behind the commit, whatever came later.
TEST(DebuggerPlaybook, ACommitsLinesAreThoseOfTheFileAsItIs) {
  auto files = Words();
  files["src/words.c"] = "#include \"words.h\"\n/* one */\n/* two */\n\nint count_words(const char *text) {\n  int n = 0;\n  while (*text) n += is_gap(*text++);\n  return n;\n}\n";
  PlaybookRepo repo(files);
  SetHistory(&repo, {{"comments", {{"src/words.c", {"@@ -1,0 +2,2 @@", "+/* one */", "+/* two */"}}}}, {"from none", {{"src/words.c", {"@@ -4 +4 @@", "-  int n = 1;", "+  int n = 0;"}}}}});
  EXPECT_THAT(All(repo.Run("debugger", "the tests fail", "check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n", 14)), HasSubstr("in line 6 (from none)"));
}

TEST(DebuggerPlaybook, TheSummaryNamesTheFailureThatTheLogTellsOf) {
  const auto summary = [](const std::string& log) {
    PlaybookRepo repo(Words());
    return repo.Run("debugger", "the tests fail", log, 14).summary;
  };
  EXPECT_THAT(summary("1/1 Test #1: all .......Subprocess aborted***Exception:   0.00 sec\ntesting names...passed\nfree(): double free detected in tcache 2\n"), HasSubstr("double free detected"));
  EXPECT_THAT(summary("terminate called after throwing an instance of 'std::out_of_range'\n  what():  no such word\nmake: *** [Makefile:2: check] Error 1\n"), HasSubstr("what():  no such word"));
  EXPECT_THAT(summary(" test (array): SUCCESS\n test (two_words): \n-1\n+2\nFAILURE\n test (zero): SUCCESS\n1/2 tests successful\nmake: *** [Makefile:2: check] Error 1\n"), HasSubstr("test two_words"));
  EXPECT_THAT(summary("testing words...\n  fail: count(1, 2) (incorrect result; expected: 1 ;calculated: 2).\n\nThe following tests FAILED:\n\t  1 - all (Failed)\n"), HasSubstr("test count(1, 2): incorrect result; expected: 1"));
  const std::string mocha = summary("  Units\n    ✓ one\n    1) counts words\n\n  1) Units\n       counts words:\n     WordException: unknown word\n      at count (lib/words.js:3:1)\n");
  EXPECT_THAT(mocha, AllOf(HasSubstr("counts words"), HasSubstr("unknown word"), Not(HasSubstr("test Units"))));
}

TEST(DebuggerPlaybook, ARunThatTestedNothingIsNoSuccess) {
  for (const char* said : {"make: Nothing to be done for 'test'.", "no tests ran in 0.01s", "No tests were found!!!"}) {
    PlaybookRepo repo(Words());
    EXPECT_THAT(repo.Run("debugger", "why does `make test` fail?", "A command was run in a jail; it ended: exit status 0 after 0.2 s.\ncommand: make test\nWhat it wrote:\n" + std::string(said) + "\n", 14).summary, AllOf(HasSubstr("tested nothing"), HasSubstr(said)));
  }
}

TEST(DebuggerPlaybook, SaysWhichCommandRanAndWhyNotTheOneNamed) {
  PlaybookRepo repo(Words());
  repo.may_ask = true;
  EXPECT_THAT(repo.Run("debugger", "why does `./configure && make` fail?").summary, HasSubstr("`./configure && make` is not asked for"));
  PlaybookRepo ran(Words());
  EXPECT_THAT(ran.Run("debugger", "why does `make check X=1` fail?", "A command was run in a jail; it ended: exit status 0 after 0.2 s.\ncommand: make check\nWhat it wrote:\nok\n", 14).summary, HasSubstr("The command that ran is not `make check X=1`"));
  PlaybookRepo plain(Words());
  EXPECT_THAT(plain.Run("debugger", "`is_gap` is wrong").summary, Not(HasSubstr("asked for")));
}

// Of a check that was known by its words alone sixty lines were its test's, with those of the tests behind it.
TEST(DebuggerPlaybook, OnlyTheFailingTestsOwnLinesAreItsCalls) {
  auto files = Words();
  files["tests/check_all.c"] = "#include \"words.h\"\n\nvoid test_two(void) {\n  check(count_words(\"a b\"), 2,\n        \"two words in a line\");\n  check(count_words(\"a\"), 1,\n        \"one word in a line\");\n}\n\nvoid test_other(void) {\n  check(other(), 1,\n        \"other\");\n}\n";
  PlaybookRepo repo(files);
  const Report report = repo.Run("debugger", "the tests fail", "FAILED test 7: two words in a line\n", 14);
  EXPECT_THAT(All(report), AllOf(HasSubstr("`count_words` is called by the failing test"), Not(HasSubstr("`other`")))) << All(report);
}

// A qualifier that became another, or a line that logs no more, stood above an index that was changed some commits before.
TEST(DebuggerPlaybook, AChangedOperatorIsMoreSuspectThanANewerQualifier) {
  auto files = Words();
  files["src/gap.c"] = "#include \"words.h\"\n\nint is_gap(const int c) {\n  return c == ' ';\n}\n";
  files["src/words.c"] = "#include \"words.h\"\n\nint count_words(const char *text) {\n  int n = 1;\n  while (*text) n += is_gap(*text++);\n  return n;\n}\n";
  PlaybookRepo repo(files);
  SetHistory(&repo, {{"const", {{"src/gap.c", {"@@ -3 +3 @@", "-int is_gap(int c) {", "+int is_gap(const int c) {"}}}},
                     {"quiet", {{"src/gap.c", {"@@ -3 +2,0 @@", "-  printf(\"%d\", c);"}}}},
                     {"start", {{"src/words.c", {"@@ -4 +4 @@", "-  int n = 0;", "+  int n = 1;"}}}}});
  const Report report = repo.Run("debugger", "the tests fail", kFailed, 14);
  EXPECT_EQ(Path(report, 0), "src/words.c") << All(report);
}

TEST(DebuggerPlaybook, WhereLinesOnlyWentNoLineIsSaidToBeChanged) {
  PlaybookRepo repo(Words());
  SetHistory(&repo, {{"less", {{"src/gap.c", {"@@ -4 +3,0 @@", "-  if (c == 9) return 1;"}}}}});
  const Report report = repo.Run("debugger", "the tests fail", kFailed, 14);
  EXPECT_THAT(All(report), AllOf(HasSubstr("removed lines before line 4 of this file (less)"), Not(HasSubstr("changed code of this file in line 4")))) << All(report);
}

// What a module hands on was said to be called where another one defines it, and what Python's own one gives to be the project's.
TEST(DebuggerPlaybook, ACallGoesToTheFileThatIsImported) {
  PlaybookRepo js({{"package.json", "{\"name\": \"words\"}\n"},
                   {"index.js", "const compile = require('./lib/compile');\n\nconst words = {};\n\nwords.expand = (text) => {\n  return compile(text);\n};\n\nmodule.exports = words;\n"},
                   {"lib/expand.js", "function expand(text) {\n  return text;\n}\n\nmodule.exports = expand;\n"},
                   {"lib/compile.js", "function compile(text) {\n  return text;\n}\n\nmodule.exports = compile;\n"},
                   {"test/words.js", "const all = require('..');\n\nit('expands', function () {\n  assert.equal(all.expand('a'), 'b');\n});\n"}});
  const Report report = js.Run("debugger", "it fails", "  1 failing\n\n  1) expands:\n     AssertionError: no\n      at Context.<anonymous> (test/words.js:4:10)\n", 14);
  EXPECT_EQ(Path(report, 0), "index.js") << All(report);
  EXPECT_THAT(All(report), AllOf(HasSubstr("`expand` is called by the failing test (test/words.js:4)"), HasSubstr("`compile` is called by `expand` (index.js:6)"))) << All(report);
  EXPECT_THAT(DetailOf(report, "lib/expand.js"), Not(HasSubstr("is called"))) << All(report);

  PlaybookRepo py({{"words/maths.py", "def floor(n):\n    return n\n"}, {"words/count.py", "from math import floor\n\n\ndef count(text):\n    return floor(len(text))\n"},
                   {"tests/test_count.py", "from words.count import count\n\n\ndef test_count():\n    assert count('a') == 2\n"}});
  const Report python = py.Run("debugger", "it fails", "Traceback (most recent call last):\n  File \"/w/tests/test_count.py\", line 5, in test_count\nAssertionError\n", 14);
  EXPECT_THAT(All(python), AllOf(HasSubstr("`count` is called by the failing test"), Not(HasSubstr("`floor`")))) << All(python);
}

// A message that has the name hid the call, and the package's own function with it.
TEST(DebuggerPlaybook, ANameInAMessageHidesNoCall) {
  PlaybookRepo repo({{"go.mod", "module x.org/words\n"},
                     {"words.go", "package words\n\nfunc Compile(s string) int {\n\treturn 1\n}\n"},
                     {"compiler/compiler.go", "package compiler\n\nfunc Compile(s string) int {\n\treturn 1\n}\n"},
                     {"compiler/all_test.go", "package compiler\n\nimport \"testing\"\n\nfunc TestAll(t *testing.T) {\n\tn := Compile(\"a\")\n\tif n != 2 {\n\t\tt.Errorf(\"Compile(): %d\", n)\n\t}\n}\n"}});
  const Report report = repo.Run("debugger", "it fails", "--- FAIL: TestAll (0.00s)\n    all_test.go:8: Compile(): 1\n", 14);
  EXPECT_EQ(Path(report, 0), "compiler/compiler.go") << All(report);
  EXPECT_THAT(All(report), HasSubstr("`Compile` is called by the failing test (compiler/all_test.go:6)"));
}

// "Stands here" was said of checks in other lines than the one that is shown, and what a helper calls to stand in the test.
TEST(DebuggerPlaybook, SaysInWhichLineACheckAndInWhatACallStands) {
  auto files = Words();
  files["tests/check_all.c"] = "#include \"words.h\"\n\nstatic int counted(void) {\n  return count_words(\"a b\");\n}\n\nvoid test_two(void) {\n  assert(counted() == 2);\n  assert(is_gap(' '));\n}\n";
  PlaybookRepo repo(files);
  const Report report = repo.Run("debugger", "the tests fail", "check_all: tests/check_all.c:8: test_two: Assertion `counted() == 2' failed.\ncheck_all: tests/check_all.c:9: test_two: Assertion `is_gap(' ')' failed.\n", 14);
  EXPECT_THAT(All(report), AllOf(HasSubstr("the failing check stands in line 8 ("), HasSubstr("the failing check stands in line 9 ("), Not(HasSubstr("stands here"))));
  EXPECT_THAT(All(report), AllOf(HasSubstr("`count_words` is called by a helper among the tests (tests/check_all.c:4)"), HasSubstr("`is_gap` is called by the failing test (tests/check_all.c:9)"))) << All(report);
}

// A framework's own file among the tests put what it calls among the suspects.
TEST(DebuggerPlaybook, AFrameworksOneFileIsNoHelperOfTheTests) {
  for (const bool is_framework : {false, true}) {
    auto files = Words();
    const std::string header = is_framework ? "catch.hpp" : "checks.hpp";
    files["src/gap.c"] = "#include \"words.h\"\n\nint is_gap(int c) {\n  return c == ' ';\n}\n\nint is_tab(int c) {\n  return c == 9;\n}\n";
    files["src/words.h"] += "int is_tab(int c);\n";
    files["tests/check_all.cc"] = "#include \"words.h\"\n#include \"" + header + "\"\n\nvoid test_two() {\n  assert_first(is_gap(' '));\n}\n";
    files["tests/" + header] = "#include \"words.h\"\n\nstatic void assert_first(int c) {\n  is_tab(c);\n}\n";
    PlaybookRepo repo(files);
    const std::string said = All(repo.Run("debugger", "the tests fail", "check_all: tests/check_all.cc:5: test_two: Assertion `x' failed.\n", 14));
    EXPECT_EQ(said.find("a helper among the tests (tests/" + header + ":4)") == said.npos, is_framework) << said;
  }
}

TEST(DebuggerPlaybook, ATestOfHelpersIsNoHelper) {
  PlaybookRepo repo({{"words/utils.py", "def gap(text):\n    return 1\n"}, {"tests/test_utils.py", "from words import utils\n\n\ndef test_gap():\n    assert utils.gap('a') == 2\n"}});
  const Report report = repo.Run("debugger", "the tests fail", "____ test_gap ____\n>       assert utils.gap('a') == 2\nE       assert 1 == 2\n\ntests/test_utils.py:5: AssertionError\n1 failed in 0.1s\n", 14);
  EXPECT_THAT(All(report), AllOf(HasSubstr("the failing check stands in line 5"), Not(HasSubstr("a helper of the tests")))) << All(report);
}

TEST(DebuggerPlaybook, WhatEveryClassMayHaveLeadsNowhere) {
  PlaybookRepo repo({{"words/gaps.py", "class Gap:\n    def __init__(self, text):\n        self.text = text\n\n\ndef gap(text):\n    return super().__init__(text)\n"},
                     {"bench/rows.py", "class Row:\n    def __init__(self):\n        self.n = 0\n"},
                     {"tests/test_gaps.py", "from words.gaps import gap\n\n\ndef test_gap():\n    assert gap('a') == 2\n"}});
  const Report report = repo.Run("debugger", "the tests fail", "____ test_gap ____\n>       assert gap('a') == 2\nE       assert 1 == 2\n\ntests/test_gaps.py:5: AssertionError\n1 failed in 0.1s\n", 14);
  EXPECT_THAT(All(report), AllOf(HasSubstr("words/gaps.py"), Not(HasSubstr("bench/rows.py")))) << All(report);
}

// One program of nine failing cases was one failing test.
TEST(DebuggerPlaybook, SaysWhoCountsPrograms) {
  const std::string check = "tests/check_all.c:9: FAILED:\n  CHECK( n == 2 )\nwith expansion:\n  1 == 2\n\ntest cases: 43 | 34 passed | 9 failed\n";
  PlaybookRepo inner(Words()), outer(Words());
  EXPECT_THAT(inner.Run("debugger", "the tests fail", check, 14).summary, HasSubstr("9 tests fail, by the test runner's count"));
  EXPECT_THAT(outer.Run("debugger", "the tests fail", check + "0% tests passed, 1 tests failed out of 1\n", 14).summary, HasSubstr("1 test fails, by CTest's count of what it runs"));
}

TEST(DebuggerPlaybook, AnExceptionsMessageIsTheLineBehind) {
  PlaybookRepo repo(Words());
  EXPECT_THAT(repo.Run("debugger", "the tests fail", "tests/check_all.c:9: FAILED:\ndue to unexpected exception with message:\n  Argument '127' failed to parse\n\n", 14).summary, HasSubstr("Argument '127' failed to parse"));
}

TEST(DebuggerPlaybook, ASymptomsWordBeginsAWord) {
  auto files = Words();
  files["src/other.c"] = "int notably(void) {\n  return 1;\n}\n";
  files["src/rows.c"] = "int drawTables(void) {\n  return 1;\n}\n";
  PlaybookRepo repo(files);
  EXPECT_THAT(All(repo.Run("debugger", "why is a table missing?", "", 14)), AllOf(HasSubstr("src/rows.c"), Not(HasSubstr("src/other.c"))));
}

// What the examples above the failing one call was said to be called by it.
TEST(DebuggerPlaybook, AnExampleOfRubysBeginsWhereItsBlockDoes) {
  PlaybookRepo repo({{"lib/words.rb", "module Words\n  def self.count(text)\n    1\n  end\n\n  def self.gaps(text)\n    2\n  end\nend\n"},
                     {"spec/words_spec.rb", "require \"words\"\n\ndescribe Words do\n  it \"sees gaps\" do\n    expect(Words.gaps(\"a b\")).to eq(1)\n  end\n\n  it \"counts\" do\n    expect(Words.count(\"a b\")).to eq(2)\n  end\nend\n"}});
  const Report report = repo.Run("debugger", "the tests fail", "  1) Words counts\n     Failure/Error: expect(Words.count(\"a b\")).to eq(2)\n\n       expected: 2\n            got: 1\n\n     # ./spec/words_spec.rb:9:in `block (2 levels) in <top (required)>'\n\n2 examples, 1 failure\n", 14);
  EXPECT_THAT(All(report), AllOf(HasSubstr("`count` is called by the failing test (spec/words_spec.rb:9)"), Not(HasSubstr("spec/words_spec.rb:5")))) << All(report);
}

// Of a package in Python that has two of the name either may be meant.
TEST(DebuggerPlaybook, APackagesNameIsNoneOfItsModules) {
  const auto log = [](const char* file) { return std::string("____ test_gap ____\n>       assert words.gap('a') == 2\nE       assert 1 == 2\n\n") + file + ":5: AssertionError\n1 failed in 0.1s\n"; };
  PlaybookRepo repo({{"words/__init__.py", "from words.gaps import gap\n"}, {"words/gaps.py", "def gap(text):\n    return 1\n"}, {"words/rows.py", "def gap(row):\n    return 3\n"}, {"tests/test_all.py", "import words\n\n\ndef test_gap():\n    assert words.gap('a') == 2\n"}});
  EXPECT_THAT(All(repo.Run("debugger", "the tests fail", log("tests/test_all.py"), 14)), AllOf(HasSubstr("the name `gap` stands in the failing test"), Not(HasSubstr("`gap` is called by"))));
}

TEST(DebuggerPlaybook, WhatIsDeletedIsNotCalled) {
  auto files = Words();
  files["src/gap.hpp"] = "class Gap {\n public:\n  explicit Gap(int c) {\n    use(c);\n  }\n  Gap(const Gap&) = delete;\n  ~Gap() = default;\n};\n";
  PlaybookRepo repo(files);
  EXPECT_THAT(All(repo.Run("debugger", "it crashes", "==7==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x1 in Gap::Gap /b/src/gap.hpp:4\n", 14)), AllOf(HasSubstr("gap.hpp:4"), Not(HasSubstr("gap.hpp:6")), Not(HasSubstr("gap.hpp:7"))));
}

}  // namespace
}  // namespace paddock::subagents

// The debugger that needs no model: what it says of places, tests and commands is so, or isn't said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "subagents/playbook/traces/trace.h"
#include "tests/subagents/debugged_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string CitedPaths(const Report& report) {
  std::string text;
  for (const auto& finding : report.findings)
    for (const auto& citation : finding.evidence) text += citation.path + ":" + std::to_string(citation.line_start) + "\n";
  return text;
}

// Two folders have an ast_test.go.
Files TwoFolders() {
  const std::string test = "package words\n\nimport \"testing\"\n\nfunc TestOuter(t *testing.T) {\n\tif Count(\"a\") != 2 {\n\t\tt.Errorf(\"no\")\n\t}\n}\n";
  std::string inner = test;
  inner.replace(inner.find("TestOuter"), 9, "TestInner");
  inner.replace(inner.find("package words"), 13, "package deep");
  return {{"go.mod", "module x.org/words\n"}, {"ast_test.go", test}, {"count.go", "package words\n\nfunc Count(s string) int {\n\treturn 1\n}\n"}, {"deep/ast_test.go", inner}, {"deep/count.go", "package deep\n\nfunc Count(s string) int {\n\treturn 1\n}\n"}};
}

// Go prints base names: the one at the top was taken.
TEST(DebuggerPlaybook, ABareNameInALogIsOfTheFolderThatTheLogTells) {
  const std::string failed = "--- FAIL: TestInner (0.00s)\n    ast_test.go:7: no\nFAIL\n", unnamed = "    ast_test.go:7: no\nFAIL\n";
  const auto cites = [](const std::string& log) {
    PlaybookRepo repo(TwoFolders());
    return CitedPaths(repo.Run("debugger", "it fails", log, 14));
  };
  EXPECT_THAT(cites(unnamed + "FAIL\tx.org/words/deep\t0.01s\n"), AllOf(HasSubstr("deep/ast_test.go:7"), Not(testing::ContainsRegex("(^|\n)ast_test.go"))));
  EXPECT_THAT(cites(unnamed + "FAIL\tx.org/words\t0.01s\n"), AllOf(testing::ContainsRegex("(^|\n)ast_test.go:7"), Not(HasSubstr("deep/ast_test.go"))));
  EXPECT_THAT(cites("A command was run at the top of a copy, in a jail: exit status 1 after 0.1 s.\ncommand: go test ./deep/...\nWhat it wrote:\n" + unnamed), AllOf(HasSubstr("deep/ast_test.go:7"), Not(testing::ContainsRegex("(^|\n)ast_test.go"))));
  EXPECT_THAT(cites(failed), AllOf(HasSubstr("deep/ast_test.go:7"), Not(testing::ContainsRegex("(^|\n)ast_test.go")))) << "by the test's name";
  PlaybookRepo repo(TwoFolders());
  const Report report = repo.Run("debugger", "it fails", unnamed, 14);
  EXPECT_THAT(report.summary, HasSubstr("The log's `ast_test.go:7` may be any of ast_test.go, deep/ast_test.go: it doesn't say which."));
  EXPECT_THAT(CitedPaths(report), Not(HasSubstr("ast_test.go")));
}

// A prototype over two lines was "defined", and one with a definition elsewhere suspected.
TEST(DebuggerPlaybook, WhatIsOnlyDeclaredIsNotDefined) {
  auto files = Words();
  files["src/words.h"] = "int count_words(const char *text,\n                int flags);\nint is_gap(int c);\nint far_away(const char *text,\n             int flags);\n";
  files["tests/check_all.c"] = "#include \"words.h\"\n\nvoid test_two(void) {\n  int n = count_words(\"a b\", 1) + far_away(\"a\", 1);\n  assert(n == 2);\n}\n";
  PlaybookRepo repo(files);
  const std::string all = All(repo.Run("debugger", "the tests fail", "check_all: tests/check_all.c:5: test_two: Assertion `n == 2' failed.\n", 14));
  EXPECT_THAT(all, AllOf(Not(HasSubstr("src/words.h:1")), Not(HasSubstr("defined in line 1")), HasSubstr("`count_words` is called by the failing test")));
  EXPECT_THAT(all, Not(HasSubstr("defined in line 4")));
}

// An example in a docstring.
TEST(DebuggerPlaybook, WhatStandsInADocstringIsNotDefined) {
  std::map<std::string, std::string> files{{"words/__init__.py", "from words.gaps import gap\n\n\ndef count(text):\n    return gap(text)\n"},
                                           {"words/gaps.py", "def gap(text):\n    return 1\n\n\nclass Walker:\n    \"\"\"Walks.\n\n    Example::\n\n        def begin(self, text):\n            return text\n    \"\"\"\n\n    def walk(self):\n        return 1\n"},
                                           {"tests/test_words.py", "import words\n\n\ndef test_count():\n    walker = make()\n    walker.begin('a')\n    assert words.count('a') == 2\n"}};
  PlaybookRepo repo(files);
  EXPECT_THAT(All(repo.Run("debugger", "the tests fail", "____ test_count ____\n>       assert words.count('a') == 2\nE       assert 1 == 2\n\ntests/test_words.py:7: AssertionError\n", 14)), Not(HasSubstr("`begin`")));
}

// A text like the failing program's name made a passing test "the failing test".
TEST(DebuggerPlaybook, ATextThatIsLikeATestsNameIsNotTheTest) {
  auto files = Words();
  files["tests/check_gap.c"] = "#include \"words.h\"\n\nvoid test_gap(void) {\n  const char *name = \"test1\";\n  assert(is_gap(name[0]) == 0);\n}\n";
  PlaybookRepo repo(files);
  EXPECT_THAT(All(repo.Run("debugger", "the tests fail", "The following tests FAILED:\n\t  3 - test1 (Failed)\n", 14)), Not(HasSubstr("called by the failing test")));
}

// Of two tests of one name nobody knows which failed.
TEST(DebuggerPlaybook, OfTestsOfOneNameNoneIsTheFailingOne) {
  auto files = Words();
  files["tests/check_gap.c"] = "#include \"words.h\"\n\nvoid test_two(void) {\n  int n = is_gap(' ');\n  assert(n == 1);\n}\n";
  PlaybookRepo repo(files);
  EXPECT_THAT(All(repo.Run("debugger", "the tests fail", "FAIL: test_two\n", 14)), AllOf(HasSubstr("is called by a test of the failing one's name"), Not(HasSubstr("by the failing test"))));
}

// A run was allowed, and "npm test" asked for instead.
TEST(DebuggerPlaybook, ACommandThatTheGoalNamesInWordsIsAskedFor) {
  const auto asked = [](const std::string& goal) {
    PlaybookRepo repo({{"package.json", "{\"name\": \"words\", \"scripts\": {\"test\": \"eslint . && node --test\"}}\n"}, {"lib/words.js", "module.exports.count = function count(s) {\n  return 1;\n};\n"}});
    repo.may_ask = true;
    const Report report = repo.Run("debugger", goal, "", 14);
    return report.needs_run ? report.needs_run->command : "";
  };
  EXPECT_THAT(asked("why does `node --test test/` fail?"), HasSubstr("node --test test/"));
  EXPECT_THAT(asked("why does node --test test/words.js fail?"), HasSubstr("node --test test/words.js"));
  EXPECT_THAT(asked("go test ./... fails since yesterday"), HasSubstr("go test ./..."));
  EXPECT_THAT(asked("cargo test fails"), HasSubstr("cargo test"));
  EXPECT_THAT(asked("pytest -x tests/test_a.py::test_b fails."), HasSubstr("python3 -m pytest -x tests/test_a.py::test_b"));
  EXPECT_THAT(asked("ctest fails"), HasSubstr("ctest --test-dir build --output-on-failure"));
  EXPECT_THAT(asked("`PYTHONPATH=src python3 -m pytest tests` fails"), HasSubstr("PYTHONPATH=src python3 -m pytest tests"));
  EXPECT_THAT(asked("why did the protest fail, and where does it go? test it"), Not(HasSubstr("go test")));
}

// Broken by one of many files of the last commit; an untouched one was only named like the test.
TEST(DebuggerPlaybook, TheNewestCommitOnTheTestsWayComesBeforeWhatIsOnlyNamed) {
  std::map<std::string, std::string> files{{"words/__init__.py", ""},
                                           {"words/count.py", "from words.gaps import gap\n\n\ndef count(text):\n    return gap(text)\n"},
                                           {"words/gaps.py", "from words.deep import deep\n\n\ndef gap(text):\n    return deep(text)\n"},
                                           {"words/deep.py", "from words.most import most\n\n\ndef deep(text):\n    return most(text)\n"},
                                           {"words/most.py", "def most(text):\n    return 1\n"},
                                           {"tests/test_count.py", "from words.count import count\n\n\ndef test_count():\n    assert count('a') == 2\n"}};
  Commit wide{"wide", {{"words/most.py", {"@@ -2 +2 @@", "-    return 2", "+    return 1"}}}};
  for (int i = 0; i < 9; ++i) {
    const std::string path = "other/o" + std::to_string(i) + ".py";
    files[path] = "def o" + std::to_string(i) + "():\n    return 1\n";
    wide.files[path] = {"@@ -2 +2 @@", "-    return 2", "+    return 1"};
  }
  PlaybookRepo repo(files);
  SetHistory(&repo, {wide, {"old", {}}});
  const Report report = repo.Run("debugger", "fails since the last commit", "____ test_count ____\n>       assert count('a') == 2\nE       assert 1 == 2\n\ntests/test_count.py:5: AssertionError\n", 14);
  EXPECT_EQ(Path(report, 0), "words/most.py") << All(report);
}

// One of the first three stood in the data alone.
TEST(DebuggerPlaybook, TheFirstThreeSuspectsAreShown) {
  PlaybookRepo repo({{"package.json", "{\"name\": \"words\"}\n"}, {"lib/words.js", "function count(s) {\n  return 1;\n}\n\nfunction other(s) {\n  return 2;\n}\n\nmodule.exports.count = count;\n"}});
  SetHistory(&repo, {{"new", {{"lib/words.js", {"@@ -2 +2 @@", "-  return 2;", "+  return 1;"}}}}});
  const Report report = repo.Run("debugger", "why does it fail?", "", 14);
  ASSERT_FALSE(report.data["suspects"].empty());
  for (size_t i = 0; i < report.data["suspects"].size() && i < 3; ++i) EXPECT_THAT(Titles(report), HasSubstr("Suspect " + std::to_string(i + 1) + ": " + Path(report, i)));
  EXPECT_TRUE(repo.EveryCitationHolds(report));
}

// A newcomer's: pytest took no option of the settings' plugin, make had no such target, and the uncommitted change was suspected.
TEST(DebuggerPlaybook, ACommandThatAsksForWhatIsNotThereRanNoTest) {
  for (const char* log : {"make: *** No rule to make target 'test'.  Stop.\n", "ERROR: usage: __main__.py [options]\n__main__.py: error: unrecognized arguments: --cov-append\n", "npm error Missing script: \"test\"\n"}) {
    const Report report = PlaybookRepo(Files{{"a.py", "def f():\n    return 1\n"}}).Run("debugger", "why do the tests fail?", log, 14);
    EXPECT_THAT(report.summary, HasSubstr("the command asks for `")) << log;
    EXPECT_TRUE(report.data["suspects"].empty()) << report.data.dump();
    EXPECT_FALSE(report.next_actions.empty());
  }
  EXPECT_THAT(PlaybookRepo(Files{{"a.c", "int a;\n"}}).Run("debugger", "why does it fail?", "make: *** No rule to make target 'b.c', needed by 'b.o'.  Stop.\n", 14).summary, Not(HasSubstr("the command asks for")));
}

TEST(DebuggerPlaybook, AnErrorOfPythonsIsNoneOfNodes) {
  const LogFacts facts = ReadLog("ERROR: tests.test_x (unittest.loader._FailedTest)\nImportError: Failed to import test module: test_x\nTraceback (most recent call last):\n  File \"/usr/lib/python3.11/unittest/loader.py\", line 154, in loadTestsFromName\n    module = __import__(module_name)\nModuleNotFoundError: No module named 'tests.test_x'\n");
  for (const auto& trace : facts.traces) EXPECT_NE(trace.format, "Node");
}

}  // namespace
}  // namespace paddock::subagents

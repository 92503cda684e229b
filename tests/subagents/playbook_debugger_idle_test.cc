// The debugger that needs no model: commands that tested nothing, or could not, accuse nobody.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "subagents/playbook/traces/trace.h"
#include "tests/subagents/debugged_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string Ran(const std::string& command, int status, const std::string& said) {
  return "A command was run at the top of a copy, in a jail: exit status " + std::to_string(status) + " after 0.2 s.\ncommand: " + command + "\nWhat it wrote:\n" + said;
}

// A change that is not committed, and what the log makes of it.
Report Debugged(const std::string& log, Files files = Words(), const std::string& goal = "why do the tests fail?") {
  PlaybookRepo repo(std::move(files));
  SetHistory(&repo, {{"old", {}}}, {{"src/gap.c", {"@@ -4 +4 @@", "-  return c == 0;", "+  return c == ' ';"}}});
  return repo.Run("debugger", goal, log, 14);
}

void ExpectNobody(const Report& report, const std::string& log) {
  EXPECT_TRUE(report.data["suspects"].empty()) << log << report.data.dump();
  EXPECT_THAT(report.summary, HasSubstr("obody is suspected for it")) << log;
  EXPECT_FALSE(report.next_actions.empty()) << log;
}

Files WithCMake() {
  auto files = Words();
  files["CMakeLists.txt"] = "project(words C)\nenable_testing()\nadd_subdirectory(third_party/x)\nadd_test(NAME all COMMAND all)\n";
  return files;
}

constexpr char kElsewhere[] =
    "CMake Error: The current CMakeCache.txt directory /workspace/build/CMakeCache.txt is different than the directory /home/a/words/build where CMakeCache.txt was created. This may result in binaries being created in the wrong place. "
    "If you are not sure, reedit the CMakeCache.txt\nCMake Error: The source \"/workspace/CMakeLists.txt\" does not match the source \"/home/a/words/CMakeLists.txt\" used to generate cache.  Re-run cmake with a different source directory.\n";

// A change that is not committed was suspected, of high severity.
TEST(DebuggerPlaybook, ABuildFolderThatWasConfiguredElsewhereIsNoFailureOfTheCode) {
  const std::string log = Ran("cmake -S . -B build && cmake --build build && ctest --test-dir build", 1, kElsewhere);
  const Report report = Debugged(log, WithCMake());
  ExpectNobody(report, log);
  EXPECT_THAT(report.summary, HasSubstr("the build folder `/workspace/build` was configured elsewhere"));
  EXPECT_THAT(report.next_actions, Contains(HasSubstr("configure into a folder that is not there yet")));
}

// The command that the playbook asked for was that one.
TEST(DebuggerPlaybook, TheCommandThatIsAskedForBuildsInAFolderThatNobodyHasConfigured) {
  const auto asked = [](Files files, const std::string& goal) {
    PlaybookRepo repo(std::move(files));
    repo.may_ask = true;
    const Report report = repo.Run("debugger", goal, "", 14);
    return report.needs_run ? report.needs_run->command : "";
  };
  EXPECT_THAT(asked(WithCMake(), "ctest fails"), HasSubstr("cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure"));
  auto files = WithCMake();
  files["build/CMakeCache.txt"] = "CMAKE_HOME_DIRECTORY:INTERNAL=/home/a/words\n";
  EXPECT_THAT(asked(files, "ctest fails"), HasSubstr("cmake -S . -B build-fresh && cmake --build build-fresh && ctest --test-dir build-fresh --output-on-failure"));
  EXPECT_THAT(asked(files, "why do the tests fail?"), HasSubstr("cmake -S . -B build-fresh"));
}

Files WithSubmodule() {
  auto files = WithCMake();
  files[".gitmodules"] = "[submodule \"x\"]\n\tpath = third_party/x\n\turl = https://example.org/x\n";
  return files;
}

TEST(DebuggerPlaybook, AnEmptySubmoduleIsNoFailureOfTheCode) {
  const std::string command = "cmake -S . -B build && cmake --build build";
  for (const std::string said : {"CMake Error at CMakeLists.txt:3 (add_subdirectory):\n  The source directory\n\n    /workspace/third_party/x\n\n  does not contain a CMakeLists.txt file.\n\n\n-- Configuring incomplete, errors occurred!\n",
                                 "CMake Error at CMakeLists.txt:3 (add_subdirectory):\n  add_subdirectory given source \"third_party/x\" which is not an existing\n  directory.\n\n\n-- Configuring incomplete, errors occurred!\n"}) {
    const Report report = Debugged(Ran(command, 1, said), WithSubmodule());
    ExpectNobody(report, said);
    EXPECT_THAT(report.summary, HasSubstr("the submodule `third_party/x` is empty"));
    EXPECT_THAT(report.next_actions, Contains(HasSubstr("git submodule update --init")));
    // A folder that is no submodule, or has been fetched.
    EXPECT_THAT(Debugged(Ran(command, 1, said), WithCMake()).summary, AllOf(HasSubstr("What failed"), Not(HasSubstr("submodule"))));
    auto fetched = WithSubmodule();
    fetched["third_party/x/x.c"] = "int x;\n";
    EXPECT_THAT(Debugged(Ran(command, 1, said), fetched).summary, Not(HasSubstr("submodule")));
  }
}

// "it needs `When`", of a docstring that pytest shows.
TEST(DebuggerPlaybook, WhatPythonLacksIsReadFromItsErrorsAlone) {
  const LogFacts shown = ReadLog("____ test_a ____\n    def version(name):\n        \"\"\"The version.\n\n        :raises PackageNotFoundError: When the named package is none.\n        :raises ModuleNotFoundError: No module named so\n        \"\"\"\n>       return find(name)\nE       KeyError: 'a'\n\na.py:7: KeyError\n");
  EXPECT_TRUE(shown.lacks.empty());
  EXPECT_EQ(ReadLog("E   ModuleNotFoundError: No module named 'attr'\n").lacks.at(0).what, "attr");
  EXPECT_EQ(ReadLog("ERROR tests/test_a.py - ModuleNotFoundError: No module named 'attr'\n").lacks.at(0).what, "attr");
  EXPECT_EQ(ReadLog("importlib.metadata.PackageNotFoundError: No package metadata was found for words-more\n").lacks.at(0).what, "words-more");
}

TEST(DebuggerPlaybook, ThatTheRepositoryItselfIsNotInstalledIsSaidSo) {
  Files files{{"words/__init__.py", "def count(text):\n    return 1\n"}, {"tests/test_words.py", "import words\n\n\ndef test_count():\n    assert words.count('a') == 2\n"}};
  const std::string log = "E   importlib.metadata.PackageNotFoundError: No package metadata was found for words\n";
  const Report report = Debugged(log, files);
  ExpectNobody(report, log);
  EXPECT_THAT(report.summary, HasSubstr("this repository's own package `words`, which is not installed"));
  EXPECT_THAT(report.next_actions, Contains(HasSubstr("pip install -e .")));
}

TEST(DebuggerPlaybook, ACommandThatTestedNothingAccusesNobody) {
  const std::vector<std::string> logs = {
      Ran("python3 -m pytest -k nothing", 5, "collected 186 items / 186 deselected / 0 selected\n\n============ 186 deselected in 0.10s ============\n"),
      Ran("python3 -m pytest tests/none", 5, "collected 0 items\n\n============ no tests ran in 0.01s ============\n"),
      Ran("python3 -m pytest tests/x.py", 4, "============ no tests ran in 0.01s ============\nERROR: file or directory not found: tests/x.py\n\n"),
      Ran("python3 -m unittest test_schedule.NoSuch", 1,
          "E\n======================================================================\nERROR: NoSuch (unittest.loader._FailedTest)\n----------------------------------------------------------------------\nAttributeError: module 'test_schedule' has no attribute "
          "'NoSuch'\n\n----------------------------------------------------------------------\nRan 1 test in 0.000s\n\nFAILED (errors=1)\n"),
      Ran("python3 -m pytest --collect-only", 0, "<Module test_a.py>\n  <Function test_one>\n\n============ 186 tests collected in 0.10s ============\n"),
      Ran("python3 -m pytest --version", 0, "pytest 7.4.3\n"),
      Ran("go test -list . ./...", 0, "TestOne\nok  \tx.org/words\t0.003s\n"),
      Ran("node --test", 0, "ok 1 - words # SKIP\n1..1\n# tests 1\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 1\n"),
      "collected 186 items / 186 deselected / 0 selected\n\n============ 186 deselected in 0.10s ============\n",
  };
  for (const std::string& log : logs) {
    const Report report = Debugged(log);
    ExpectNobody(report, log);
    EXPECT_THAT(report.summary, testing::AnyOf(HasSubstr("tested nothing"), HasSubstr("runs no test"), HasSubstr("the command asks for `"))) << log;
  }
}

TEST(DebuggerPlaybook, ACommandThatTestedSomethingIsNotSaidToHaveTestedNothing) {
  EXPECT_THAT(Debugged(Ran("node --test", 0, "ok 1 - words\n# tests 2\n# pass 1\n# fail 0\n# skipped 1\n")).summary, HasSubstr("nothing failed there"));
  EXPECT_THAT(Debugged(Ran("python3 -m pytest", 0, "186 passed, 2 deselected in 0.10s\n")).summary, HasSubstr("nothing failed there"));
  // One package of several has no tests, and that is not why it failed.
  EXPECT_THAT(Debugged(Ran("go test ./...", 1, "?   \tx.org/words\t[no test files]\nsomething odd\nand more\nand more\nand more\n")).summary, Not(HasSubstr("Nobody is suspected")));
}

// "[high] changed, not committed", of an output in which nothing was read.
TEST(DebuggerPlaybook, WithoutAFailureThatWasReadNoSuspectIsOfHighSeverity) {
  for (const std::string& log : {std::string("all is well\n"), Ran("make check", 3, "something odd\n"), std::string()}) {
    const Report report = Debugged(log);
    ASSERT_FALSE(report.findings.empty()) << log;
    EXPECT_EQ(report.findings[0].severity, Severity::kMedium) << log;
    EXPECT_EQ(report.findings[0].confidence, Confidence::kLow) << log;
  }
  EXPECT_EQ(Debugged("check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n").findings.at(0).severity, Severity::kHigh);
}

Files TwoFolders() {
  const std::string test = "\nimport \"testing\"\n\nfunc TestCount(t *testing.T) {\n\tif Count(\"a\") != 2 {\n\t\tt.Errorf(\"no\")\n\t}\n}\n";
  return {{"go.mod", "module x.org/words/v2\n"}, {"words_test.go", "package words\n" + test}, {"deep/words_test.go", "package deep\n\n" + test}, {"words.go", "package words\n\nfunc Count(s string) int {\n\treturn 1\n}\n"}, {"deep/words.go", "package deep\n\nfunc Count(s string) int {\n\treturn 1\n}\n"}};
}

// The line of the package that passed stood between.
TEST(DebuggerPlaybook, APackageOfGosThatPassedIsNotTheOneThatFailed) {
  const LogFacts facts = ReadLog("--- FAIL: TestCount (0.00s)\n    words_test.go:8: no\nFAIL\nok  \tx.org/words/v2\t0.1s\n?   \tx.org/words/v2/none\t[no test files]\nFAIL\tx.org/words/v2/deep\t0.005s\nFAIL\n");
  for (const Trace& trace : facts.traces) EXPECT_EQ(trace.folder, "x.org/words/v2/deep");
  const Report report = Debugged("--- FAIL: TestCount (0.00s)\n    words_test.go:8: no\nFAIL\nok  \tx.org/words/v2\t0.1s\nFAIL\tx.org/words/v2/deep\t0.005s\nFAIL\n", TwoFolders());
  EXPECT_THAT(All(report), AllOf(HasSubstr("deep/words_test.go:8"), Not(HasSubstr("may be any of"))));
}

TEST(DebuggerPlaybook, NothingFailsInABlankLine) {
  // Line 3 is blank in one and the import in the other.
  const Report report = Debugged("    words_test.go:3: no\nFAIL\n", Files{{"go.mod", "module x.org/words\n"}, {"words_test.go", "package words\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tOne()\n}\n"}, {"deep/words_test.go", "package deep\nimport \"testing\"\nfunc TestOne(t *testing.T) { One(); t.Error() }\n"}});
  EXPECT_THAT(report.summary, Not(HasSubstr("may be any of")));
  EXPECT_THAT(All(report), AllOf(HasSubstr("deep/words_test.go:3"), Not(testing::ContainsRegex("[^/]words_test.go:3"))));
}

TEST(DebuggerPlaybook, FailuresThatAreNotShownAreCounted) {
  std::string tests = "#include \"words.h\"\n\n", log;
  for (int i = 0; i < 6; ++i) {
    tests += "void test_" + std::to_string(i) + "(void) { assert(count_words(\"a\") == " + std::to_string(i + 5) + "); }\n";
    log += "check_all: tests/check_all.c:" + std::to_string(i + 3) + ": test_" + std::to_string(i) + ": Assertion `count_words(\"a\") == " + std::to_string(i + 5) + "' failed.\n";
  }
  auto files = Words();
  files["tests/check_all.c"] = tests;
  const Report report = Debugged(log, files);
  EXPECT_THAT(All(report), HasSubstr("And 2 more: places in tests that the log names."));
}

TEST(DebuggerPlaybook, WhatTheGoalQuotesAndIsNoTestIsSaidNotToBeAskedFor) {
  PlaybookRepo repo(Words());
  repo.may_ask = true;
  const Report report = repo.Run("debugger", "run `ls -la` please");
  EXPECT_THAT(report.summary, HasSubstr("`ls -la` is not asked for"));
  for (const std::string& next : report.next_actions) EXPECT_FALSE(next.starts_with("or ")) << next;
  PlaybookRepo code(Words());
  code.may_ask = true;
  EXPECT_THAT(code.Run("debugger", "`is_gap` and `a - b` are wrong").summary, Not(HasSubstr("is not asked for")));
}

}  // namespace
}  // namespace paddock::subagents

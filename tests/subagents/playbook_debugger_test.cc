// The debugger that needs no model: which file comes first, and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "subagents/playbook/suspects.h"
#include "tests/subagents/debugged_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;

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

TEST(DebuggerPlaybook, TestsThatPassedBesideTheFailingOneAccuseNobody) {
  PlaybookRepo repo(Words());
  const Report report = repo.Run("debugger", "the tests fail", "check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\nFAIL: tests/check_all.c\n");
  EXPECT_EQ(Path(report, 0), "src/words.c") << Titles(report);
  EXPECT_THAT(report.data["suspects"].dump(), testing::Not(HasSubstr("src/other.c")));
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

// The command's own words say what to do where a program is not there; that is nothing that it wrote.
TEST(DebuggerPlaybook, TheCommandItselfIsNoReason) {
  PlaybookRepo repo(Words());
  const Report report = repo.Run("debugger", "the tests fail",
                                 "A command was run in a jail; it ended: exit status 1 after 0.2 s.\ncommand: if command -v make >/dev/null; then make test; else echo none is here; exit 127; fi\n"
                                 "check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n");
  EXPECT_EQ(Path(report, 0), "src/words.c") << report.summary;
}

TEST(DebuggerPlaybook, WhatItsPlaceLacksIsNoBugOfTheRepository) {
  const auto run = [](const std::string& log, int status = 2) {
    PlaybookRepo repo(Words());
    return repo.Run("debugger", "the tests fail", "A command was run in a jail; it ended: exit status " + std::to_string(status) + " after 0.2 s.\ncommand: make check\n" + log);
  };
  for (const char* log : {"go: thing.org/x@v1: Get \"https://thing.org/x\": dial tcp: lookup thing.org: no such host\nmake: *** [Makefile:2: check] Error 1\n",
                          "Traceback (most recent call last):\n  File \"src/words.py\", line 1, in <module>\nModuleNotFoundError: No module named 'yaml'\nmake: *** [Makefile:2: check] Error 1\n",
                          "src/words.c:1:10: fatal error: zlib.h: No such file or directory\n    1 | #include <zlib.h>\n", "sh: 1: mocha: not found\n",
                          "error: failed to get `serde` as a dependency of package `words v1.0.0 (/workspace)`\n\nCaused by:\n  failed to resolve address for crates.test: Name or service not known; class=Net (12)\n",
                          "Could not find rake-13.0.6, minitest-5.1 in locally installed gems\n",
                          "test/helper.rb:1:in `require': cannot load such file -- simplecov (LoadError)\n\tfrom test/helper.rb:1:in `<top (required)>'\n"}) {
    const Report report = run(log);
    EXPECT_TRUE(report.data["suspects"].empty()) << log << Titles(report);
    EXPECT_THAT(report.summary, HasSubstr("could not do its work here")) << log;
    EXPECT_FALSE(report.complete);
    ASSERT_FALSE(report.next_actions.empty());
    EXPECT_THAT(report.next_actions[0], HasSubstr("--context"));
  }
  EXPECT_THAT(run("", 127).summary, HasSubstr("exit status 127"));
  PlaybookRepo own({{"lib/words/gap.rb", "def gap\n  1\nend\n"}, {"lib/words.rb", "require 'words/gap'\n"}});
  EXPECT_THAT(own.Run("debugger", "the tests fail", "lib/words.rb:1:in `require': cannot load such file -- words/gap (LoadError)\n").summary, testing::Not(HasSubstr("could not do its work")));
  // What fails beside it counts, and a header of the project's own is its own matter.
  EXPECT_EQ(Path(run("sh: 1: mocha: not found\ncheck_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n"), 0), "src/words.c");
  EXPECT_EQ(Path(run("src/words.c:1:10: fatal error: word.h: No such file or directory\n    1 | #include \"word.h\"\n"), 0), "src/words.c");
}

TEST(DebuggerPlaybook, PlainNamesAndLogFilesOfTheGoalLead) {
  auto files = Words();
  files["src/cart.py"] = "class Cart:\n    def total(self):\n        return 1\n\n\ndef discount(price, percent):\n    return price - price * percent\n";
  files["failure.log"] = "check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n";
  const auto first = [&](const std::string& goal) {
    PlaybookRepo repo(files);
    const Report report = repo.Run("debugger", goal);
    return Path(report, 0) + (report.data["suspects"].empty() ? "" : " " + report.data["suspects"][0]["function"].get<std::string>());
  };
  EXPECT_EQ(first("discount gives a wrong price"), "src/cart.py discount");
  EXPECT_EQ(first("why does discount(100, 50) return -400?"), "src/cart.py discount");
  EXPECT_EQ(first("Cart.total is wrong"), "src/cart.py total");
  EXPECT_EQ(first("see failure.log"), "src/words.c count_words");
  PlaybookRepo repo(Words());
  EXPECT_THAT(repo.Run("debugger", "it is wrong").summary, testing::Not(HasSubstr("read the first ones")));
}

TEST(DebuggerPlaybook, HistoryMakesSuspectsMoreSoButNobodyToOne) {
  PlaybookRepo repo(Words());
  repo.more = [](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool == "git_log")
      return ResultWith({RowsArtifact("commits", ".", {"aaa\t2026-01-02\tx\t1\t1\t1\tother"}), RowsArtifact("changes", ".", {"src/other.c\t1\t1\t1\taaa", "src/words.c\t1\t1\t1\taaa"})});
    if (call.tool == "git_blame" && call.arguments["path"] == "src/words.c")
      return ResultWith({RowsArtifact("blame", "src/words.c", {"3\t4\tbbb\t2020-01-01T00:00:00Z\tx\told", "5\t5\taaa\t2026-01-02T00:00:00Z\tx\tcount gaps", "6\t7\tbbb\t2020-01-01T00:00:00Z\tx\told"})});
    return std::nullopt;
  };
  const std::string log = "check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n";
  const Report report = repo.Run("debugger", "the tests fail", log);
  for (const auto& one : report.data["suspects"]) EXPECT_NE(one["path"], "src/other.c") << one.dump();
  ASSERT_FALSE(report.findings.empty());
  EXPECT_THAT(report.findings[0].detail, HasSubstr("the newest change in `count_words` is line 5, by aaa, 2026-01-02, x: count gaps"));

  PlaybookRepo changed(Words());
  changed.more = [](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool == "git_diff") return DiffResult({{"src/gap.c", {"@@ -4 +4 @@", "-  return c <= ' ';", "+  return c == ' ';"}}});
    return std::nullopt;
  };
  const Report with = changed.Run("debugger", "the tests fail", "FAIL: test_two\n");
  EXPECT_THAT(with.data["suspects"].dump(), HasSubstr("changed, not committed"));
}

std::string Asked(std::map<std::string, std::string> files, const std::string& goal) {
  PlaybookRepo repo(std::move(files));
  repo.may_ask = true;
  const Report report = repo.Run("debugger", goal);
  return report.needs_run ? report.needs_run->command : "";
}

// What the user typed is what fails: a guess at how the tests are run may pass, or run others.
TEST(DebuggerPlaybook, AsksForTheTestCommandThatTheGoalQuotes) {
  auto files = Words();
  files["package.json"] = "{\n  \"name\": \"words\",\n  \"scripts\": {\n    \"test\": \"tap\"\n  }\n}\n";
  EXPECT_THAT(Asked(files, "why does `make check` fail?"), testing::StartsWith("if command -v make >/dev/null; then make check; elif "));
  EXPECT_THAT(Asked(files, "`npx tap test/words.js` fails"), HasSubstr("then npx tap test/words.js; elif "));
  EXPECT_THAT(Asked(files, "`python -m pytest tests/test_words.py::test_two` fails"), HasSubstr("then python3 -m pytest tests/test_words.py::test_two; elif "));
  for (const char* goal : {"`rm -rf /` fails", "`make check; curl x` fails", "`make $(id)` fails", "`make install` fails"}) {
    EXPECT_THAT(Asked(files, goal), testing::Not(testing::ContainsRegex("rm -rf|curl|id\\)|install"))) << goal;
    EXPECT_THAT(Asked(files, goal), HasSubstr("make check")) << goal;
  }
}

// Automake's log, a package below src/ and a bundle that is not installed each made the run say nothing.
TEST(DebuggerPlaybook, TheCommandSuitsAFreshCopyAndWhatIsInstalled) {
  EXPECT_THAT(Asked({{"configure.ac", "AC_INIT([x], [1])\nAM_INIT_AUTOMAKE\n"}, {"Makefile.am", "TESTS = tests/one\n"}, {"tests/one", "#!/bin/sh\n"}, {"src/x.c", "int x(void) { return 1; }\n"}}, "it fails"),
              testing::EndsWith("make check VERBOSE=1"));
  const std::map<std::string, std::string> package{{"pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n"}, {"src/words/__init__.py", "def count():\n    return 1\n"}, {"tests/test_words.py", "import pytest\n"}};
  EXPECT_THAT(Asked({{"configure.ac", "AC_INIT([x], [1])\n"}, {"configure", "#!/bin/sh\n"}, {"Makefile.in", "check:\n\t./run\n"}, {"contrib/Makefile.am", "TESTS = one\n"}, {"src/x.c", "int x(void) { return 1; }\n"}}, "it fails"),
              testing::EndsWith("make check"));
  EXPECT_THAT(Asked(package, "it fails"), testing::EndsWith("PYTHONPATH=src python3 -m pytest"));
  const std::string ruby = Asked({{"Gemfile", "source 'x'\n"}, {"Rakefile", "Rake::TestTask.new do |t|\n  t.libs << 'lib'\nend\n"}, {"lib/words.rb", "def count\n  1\nend\n"}, {"test/words_test.rb", "require 'words'\n"}}, "it fails");
  EXPECT_THAT(ruby, HasSubstr("if bundle check >/dev/null 2>&1; then bundle exec rake test; elif command -v rake >/dev/null; then rake test; else"));
}

// Checks of the project's own are named as those of frameworks are, and hid what the test is about.
TEST(DebuggerPlaybook, WhatATestsHelperCallsTheTestCalls) {
  auto files = Words();
  files["tests/check_all.c"] = "#include \"words.h\"\n\nstatic void assert_counts(const char *text, int want) {\n  assert(count_words(text) == want);\n}\n\nvoid test_two(void) {\n  assert_counts(\"a b\", 2);\n}\n";
  PlaybookRepo repo(files);
  const Report report = repo.Run("debugger", "the tests fail", "check_all: tests/check_all.c:8: test_two: Assertion `want' failed.\n");
  EXPECT_EQ(Path(report, 0), "src/words.c") << Titles(report);
  EXPECT_EQ(Path(report, 1), "src/gap.c");
}

TEST(DebuggerPlaybook, CodeThatTheLastCommitsChangedAndATestReachesIsSuspected) {
  auto files = Words();
  files["src/words.c"] = "#include \"words.h\"\n#include \"table.h\"\n\nint count_words(const char *text) {\n  return table[*text](text);\n}\n";
  files["src/table.h"] = "extern int (*table[])(const char *);\n";
  files["src/table.c"] = "#include \"table.h\"\n#include \"rows.h\"\n\nint (*table[])(const char *) = {row_one, row_two};\n";
  files["src/rows.h"] = "int row_one(const char *);\n";
  files["src/rows.c"] = "#include \"rows.h\"\n\nint row_one(const char *text) {\n  return 1;\n}\n";
  const auto run = [&](const std::string& changed) {
    PlaybookRepo repo(files);
    repo.more = [&](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
      if (call.tool == "git_log") return ResultWith({RowsArtifact("commits", ".", {"aaa\t2026-01-03\tx\t1\t1\t1\tnotes", "bbb\t2026-01-02\tx\t1\t1\t1\tfaster rows"})});
      if (call.tool != "git_show") return std::nullopt;
      const bool last = call.arguments["commit"] == "aaa";
      auto result = DiffResult({{last ? "src/other.c" : changed, {"@@ -4 +4 @@", last ? "-// note" : "-  return 2;", last ? "+// notes" : "+  return 1;"}}});
      auto head = RowsArtifact("commits", ".", {last ? "aaa\t2026-01-03\tx\t1\t1\t1\tnotes" : "bbb\t2026-01-02\tx\t1\t1\t1\tfaster rows"});
      result.artifacts.insert(result.artifacts.begin(), head);
      return result;
    };
    return repo.Run("debugger", "the tests fail", "check_all: tests/check_all.c:9: test_two: Assertion `n == 2' failed.\n");
  };
  const Report report = run("src/rows.c");
  ASSERT_GE(report.data["suspects"].size(), 2u) << Titles(report);
  const auto& rows = report.data["suspects"][Path(report, 0) == "src/rows.c" ? 0 : 1];
  EXPECT_EQ(rows["path"], "src/rows.c") << Titles(report);
  EXPECT_EQ(rows["line"], 4);
  EXPECT_EQ(rows["function"], "row_one");
  EXPECT_THAT(rows["reasons"].dump(), HasSubstr("commit bbb, 1 before the last, changed code of this file in line 4 (faster rows), which the failing test reaches"));
  EXPECT_THAT(report.data["suspects"].dump(), testing::Not(HasSubstr("src/other.c"))) << "comments are no code";
  // What the test does not reach comes behind the test itself.
  const Report apart = run("src/other.c");
  EXPECT_EQ(Path(apart, 0), "src/words.c") << Titles(apart);
  EXPECT_NE(Path(apart, 1), "src/other.c") << Titles(apart);
  EXPECT_THAT(apart.data["suspects"].dump(), testing::Not(HasSubstr("which the failing test reaches")));
}

}  // namespace
}  // namespace paddock::subagents

// What the reviewer says of a change of which it may see a part alone, and which change it takes where the goal is vague.
#include <gmock/gmock.h>

#include "subagents/playbook/review_checks.h"
#include "subagents/playbook/review_range.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using agentcore::ToolCall;
using agentcore::ToolResult;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A test that was written anew whole: all its lines removed and added, and the tool's bound cut the hunk behind the removed ones.
ToolResult CutRewrite(const std::string& path, const std::vector<std::string>& removed, int64_t all) {
  std::vector<std::string> lines = {"@@ -1,9 +1,9 @@"};
  for (const auto& line : removed) lines.push_back("-" + line);
  auto result = DiffResult({{path, lines}});
  result.artifacts[0].facts = {{"files", 1}, {"added", all}, {"removed", all}, {"truncated", true}, {"hidden", 0}, {"unreadable", 0}};
  result.artifacts[1].facts["added"] = all;
  result.artifacts[1].facts["removed"] = all;
  result.artifacts[1].facts["truncated"] = true;
  return result;
}

// Found on a test of 5400 lines whose line ends changed: "783 tests were removed", and no line added.
TEST(PlaybookReviewCut, AFileThatWasNotReadWholeLosesNothing) {
  for (const auto& [path, lines] : std::initializer_list<std::pair<const char*, std::vector<std::string>>>{
           {"tests/test_oven.py", {"def test_one():", "    assert f(1) == 1", "def test_two():", "    assert f(2) == 2"}},
           {"src/oven.c", {"int oven_heat(int t) {", "    if (t > kMaxHeat)", "        return -1;", "    return 0;", "}"}},
           {"CMakeLists.txt", {"add_test(NAME heat COMMAND heat)"}}}) {
    std::string content;
    for (const auto& line : lines) content += line + "\n";
    PlaybookRepo repo(std::map<std::string, std::string>{{path, content}, {"src/main.c", "int main(void) {\n    return oven_heat(3);\n}\n"}});
    repo.more = [&](const ToolCall& call) -> std::optional<ToolResult> {
      if (call.tool != "git_show") return std::nullopt;
      return CutRewrite(path, lines, 40);
    };
    const Report report = repo.Run("reviewer", "commit deadbee1");
    SCOPED_TRACE(Titles(report) + report.summary);
    EXPECT_THAT(Titles(report), AllOf(Not(HasSubstr("removed")), Not(HasSubstr("registered")), Not(HasSubstr("only lost"))));
    EXPECT_THAT(report.summary, AllOf(HasSubstr("1 file, 40 lines added, 40 removed"), HasSubstr(std::string("not as a whole: ") + path), HasSubstr("Nothing is said of what those may have lost")));
    EXPECT_FALSE(report.complete);
    EXPECT_EQ(report.data["files"].at(0)["added"], 40);
    EXPECT_EQ(report.data["files"].at(0)["read_whole"], false);
  }
}

TEST(PlaybookReviewCut, WhatIsGoneFromAWholeFileMayStandInOneThatWasNotRead) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"tests/test_oven.py", "def test_one():\n    pass\n"}});
  for (const bool all : {true, false}) {
    repo.more = [&](const ToolCall& call) -> std::optional<ToolResult> {
      if (call.tool != "git_show" || call.arguments.contains("path")) return std::nullopt;
      auto result = DiffResult({{"tests/test_oven.py", {"@@ -1,4 +1,2 @@", "-def test_two():", "-    pass", " def test_one():", "     pass"}}});
      if (!all) result.artifacts[0].entries.push_back("tests/test_door.py");
      return result;
    };
    const Report report = repo.Run("reviewer", "commit deadbee1");
    ASSERT_THAT(Titles(report), HasSubstr("A test was removed: tests/test_oven.py"));
    EXPECT_EQ(report.findings[0].confidence, all ? Confidence::kHigh : Confidence::kLow);
    EXPECT_EQ(report.findings[0].detail.find("Not all of the change was read") == std::string::npos, all);
  }
}

TEST(PlaybookReviewCut, AGivenDiffThatBreaksOffIsNotWhole) {
  const std::string head = "--- a/tests/test_oven.py\n+++ b/tests/test_oven.py\n";
  EXPECT_FALSE(ReadUnifiedDiff(head + "@@ -1,2 +1,2 @@\n-def test_one():\n-    pass\n").at(0).whole);
  EXPECT_FALSE(ReadUnifiedDiff(head + "@@ -1,2 +1,2 @@\n-def test_one():\n-    pass\n--- a/b.c\n+++ b/b.c\n@@ -1 +1 @@\n-x\n+y\n").at(0).whole);
  EXPECT_TRUE(ReadUnifiedDiff(head + "@@ -1,2 +1,2 @@\n-def test_one():\n-    pass\n+def test_one():\n+    pass\n").at(0).whole);
  PlaybookRepo repo(std::map<std::string, std::string>{{"tests/test_oven.py", "def test_one():\n    pass\n"}});
  const Report report = repo.Run("reviewer", "review this", head + "@@ -1,2 +1,2 @@\n-def test_one():\n-    pass\n");
  EXPECT_THAT(report.findings, IsEmpty()) << Titles(report);
  EXPECT_THAT(report.summary, HasSubstr("not as a whole: tests/test_oven.py"));
}

TEST(PlaybookReviewCut, FilesThatTheProfileHidesAreCounted) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"a.c", "int x;\n"}});
  for (const bool others : {false, true}) {
    repo.more = [&](const ToolCall& call) -> std::optional<ToolResult> {
      if (call.tool == "git_log") return ResultWith({});
      auto result = others ? DiffResult({{"a.c", {"@@ -0,0 +1 @@", "+int x;"}}}) : DiffResult({});
      result.artifacts[0].facts["hidden"] = 2;
      return result;
    };
    const Report report = repo.Run("reviewer", "HEAD~2..HEAD");
    EXPECT_THAT(report.summary, HasSubstr("Left out: 2 files of it that the profile hides."));
    EXPECT_EQ(report.summary.find("Nothing of HEAD~2..HEAD can be reviewed") != std::string::npos, !others) << report.summary;
    EXPECT_THAT(report.summary, Not(HasSubstr("holds no change")));
    EXPECT_FALSE(report.complete);
    EXPECT_EQ(report.data["hidden"], 2);
  }
}

TEST(PlaybookReviewCut, ItSaysWhichChangeItTookAndWhy) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"a.c", "int x;\n"}});
  repo.more = [](const ToolCall& call) -> std::optional<ToolResult> {
    if (call.tool == "git_diff") return DiffResult({});
    if (call.tool != "git_show") return std::nullopt;
    const std::string commit = call.arguments.value("commit", std::string());
    if (commit != "HEAD" && commit != "v1.2") return agentcore::ToolFailure(agentcore::ToolStatus::kNotFound, commit + " is no revision", "ask git_log");
    return DiffResult({{"a.c", {"@@ -0,0 +1 @@", "+int x;"}}});
  };
  auto summary = [&](const char* goal) { return repo.Run("reviewer", goal).summary; };
  EXPECT_THAT(summary("nosuchrev"), AllOf(HasSubstr("Reviewed the last commit: 1 file"), HasSubstr("taken since `nosuchrev` is no revision here, and the working tree has no changes.")));
  EXPECT_THAT(summary("is this safe?"), AllOf(HasSubstr("Reviewed the last commit: 1 file"), HasSubstr("taken since the goal names no revision, and the working tree has no changes.")));
  EXPECT_THAT(summary("v1.2"), AllOf(HasSubstr("Reviewed commit v1.2: 1 file"), Not(HasSubstr("taken since"))));
  EXPECT_THAT(summary("review the tag `v1.2`"), HasSubstr("Reviewed commit v1.2"));
  EXPECT_THAT(summary("HEAD"), Not(HasSubstr("taken since")));
  for (const char* plain : {"review", "changes", "please review this", "is it safe?", "review the changes", ""}) EXPECT_EQ(GuessReviewRange(plain).kind, ReviewRange::Kind::kDefault) << plain;
}

}  // namespace
}  // namespace paddock::subagents

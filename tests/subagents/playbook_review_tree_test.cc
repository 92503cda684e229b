// What the reviewer says of the tree around a change: who still calls what is gone, and which of its findings it could look up.
#include <gmock/gmock.h>

#include "subagents/playbook/review_checks.h"
#include "subagents/playbook/review_range.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::Not;

using Tree = std::map<std::string, std::string>;
using Diffs = std::map<std::string, std::vector<std::string>>;

Report Review(PlaybookRepo& repo, const Diffs& change, int turns = 20) {
  repo.more = [&](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool != "git_diff" && call.tool != "git_show") return std::nullopt;
    return DiffResult(change);
  };
  return repo.Run("reviewer", "review HEAD~1..HEAD", "", turns);
}

TEST(PlaybookReviewTree, APartOfAnotherNameIsNoCall) {
  const Diffs change = {{"a.h", {"@@ -1,4 +1 @@", "-int size() {", "-  return 1;", "-}", " int x;"}}};
  for (const char* other : {"  set_size(size);\n", "  int size = resize(3);\n", "  a.size(); b->size();\n"}) {
    PlaybookRepo repo(Tree{{"a.h", "int x;\n"}, {"b.cc", other}});
    EXPECT_THAT(Titles(Review(repo, change)), Not(HasSubstr("is still called"))) << other;
  }
  for (const char* call : {"  set_size(size());\n", "  int size = a.size() + size ();\n"}) {
    PlaybookRepo repo(Tree{{"a.h", "int x;\n"}, {"b.cc", call}});
    EXPECT_THAT(Titles(Review(repo, change)), HasSubstr("`size` was removed and is still called: b.cc")) << call;
  }
}

TEST(PlaybookReviewTree, ADefinitionBehindManyUsesIsLeft) {
  std::string uses;
  for (int i = 0; i < 120; ++i) uses += "    reset()\n";
  const Diffs change = {{"a.py", {"@@ -1,3 +1 @@", "-def reset():", "-    pass", " x = 1"}}};
  for (const bool left : {true, false}) {
    PlaybookRepo repo(Tree{{"a.py", "x = 1\n"}, {"a_use.py", uses}, {"z_def.py", left ? "def reset():\n    pass\n" : "x = 2\n"}});
    const Report report = Review(repo, change);
    EXPECT_EQ(Titles(report).find("`reset` was removed and is still called") == std::string::npos, left) << Titles(report);
  }
  // Where it wasn't looked for nothing is said.
  PlaybookRepo repo(Tree{{"a.py", "x = 1\n    reset()\n"}});
  for (int turns : {1, 2}) EXPECT_THAT(Titles(Review(repo, change, turns)), Not(HasSubstr("is still called")));
}

TEST(PlaybookReviewTree, TheWorstAreReadFirst) {
  Tree tree;
  Diffs change;
  for (int i = 10; i < 55; ++i) {
    const std::string path = "a" + std::to_string(i) + ".py";
    tree[path] = i < 50 ? "# TODO: x\n" : "x = eval(y)\n";
    change[path] = {"@@ -0,0 +1 @@", "+" + tree[path].substr(0, tree[path].size() - 1)};
  }
  PlaybookRepo repo(tree);
  Report report = Review(repo, change);
  for (const auto& finding : report.findings) {
    if (finding.severity < Severity::kHigh) continue;
    EXPECT_EQ(finding.evidence.size(), 1u) << finding.title;
  }
  EXPECT_THAT(report.summary, Not(HasSubstr("do not stand in the tree")));
  EXPECT_THAT(report.summary, HasSubstr("9 findings have no citation, since their places were not read"));
  // What was read and stands otherwise is another thing.
  tree["a51.py"] = "y = 1\n";
  PlaybookRepo other(tree);
  report = Review(other, change);
  EXPECT_THAT(report.summary, HasSubstr("1 finding has no citation, since the lines do not stand in the tree"));
  EXPECT_THAT(report.summary, HasSubstr("9 findings have no citation, since their places were not read"));
}

TEST(PlaybookReviewTree, ALongFileIsReadInPieces) {
  Diffs change = {{"a.py", {"@@ -0,0 +1,6000 @@"}}};
  std::string text;
  for (int i = 0; i < 6000; ++i) {
    const std::string line = i % 60 == 0 ? "# TODO: x" : i == 5990 ? "x = eval(y)" : "x = 1";
    text += line + "\n";
    change["a.py"].push_back("+" + line);
  }
  PlaybookRepo repo(Tree{{"a.py", text}});
  int64_t most = 0;
  const Report report = Review(repo, change);
  for (const auto& finding : report.findings) most = std::max<int64_t>(most, static_cast<int64_t>(finding.evidence.size()));
  EXPECT_GT(most, 0);
  EXPECT_THAT(report.summary, Not(HasSubstr("no citation"))) << report.summary;
}

TEST(PlaybookReviewTree, TestsInAnyQuotesHaveNames) {
  for (const char* name : {"'adds two numbers'", "\"adds two numbers\"", "`adds two numbers`"}) {
    FileDiff file{"test/a.test.js", "test/a.test.js", "changed", false, {Hunk{1, 1, {}}}};
    file.hunks[0].lines = {{' ', 1, 1, "import x from 'x'"}, {'-', 2, 0, std::string("it(") + name + ", () => {"}, {'-', 3, 0, "  expect(add(1, 2)).toBe(3)"}, {'-', 4, 0, "})"}};
    const auto claims = ClaimsOfTests({file});
    ASSERT_EQ(claims.size(), 1u) << name;
    EXPECT_THAT(claims[0].title, HasSubstr("A test was removed")) << name;
    EXPECT_THAT(claims[0].detail, HasSubstr("`adds two numbers`")) << name;
    // Other quotes are no other test.
    file.hunks[0].lines.push_back({'+', 0, 2, "it(\"adds two numbers\", async () => {"});
    EXPECT_TRUE(ClaimsOfTests({file}).empty()) << name;
  }
  FileDiff file{"test/a.test.js", "test/a.test.js", "changed", false, {Hunk{1, 1, {{'-', 1, 0, "test(\"doesn't add\", f)"}, {' ', 2, 1, "x()"}}}}};
  ASSERT_EQ(ClaimsOfTests({file}).size(), 1u);
  EXPECT_THAT(ClaimsOfTests({file})[0].detail, HasSubstr("`doesn't add`"));
}

TEST(PlaybookReviewTree, NumbersOfARangeInAnyCase) {
  EXPECT_EQ(ReadReviewRange("the last Two commits").text, "HEAD~2..HEAD");
  EXPECT_EQ(ReadReviewRange("LAST TEN COMMITS").text, "HEAD~10..HEAD");
  EXPECT_EQ(ReadReviewRange("the last 12 commits").text, "HEAD~12..HEAD");
}

}  // namespace
}  // namespace paddock::subagents

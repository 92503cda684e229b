#include <gmock/gmock.h>

#include "agentcore/tools/hidden_names.h"
#include "tests/agentcore/workspace_fixture.h"

namespace paddock::agentcore {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SearchTextTest : public WorkspaceTest {
 protected:
  ToolResult Search(const std::string& pattern, Json more = Json::object()) {
    more["pattern"] = pattern;
    return Run("search_text", more);
  }
  // "path:3,4" for each match.
  static std::vector<std::string> Found(const ToolResult& result) {
    std::vector<std::string> found;
    if (!result.success) found.push_back(result.error);
    for (const auto& artifact : result.artifacts) {
      if (artifact.kind != "excerpt") continue;
      for (int64_t number : artifact.matches) found.push_back(artifact.path + ":" + std::to_string(number));
    }
    return found;
  }
};

TEST_F(SearchTextTest, FindsLinesInAllTextFiles) {
  Write("b/two.txt", "nothing\nthe needle\n");
  Write("a.txt", "needle\nno\nneedle again");
  Write("c.txt", "no\n");
  ToolResult result = Search("needle");
  EXPECT_EQ(result.status, ToolStatus::kOk);
  EXPECT_THAT(Found(result), ElementsAre("a.txt:1", "a.txt:3", "b/two.txt:2"));
  EXPECT_THAT(result.artifacts.at(0).entries, ElementsAre("a.txt", "b/two.txt"));
  EXPECT_THAT(result.artifacts.at(2).lines, ElementsAre("needle again"));
  EXPECT_EQ(Fact(result, "files_searched"), 3);
  EXPECT_EQ(Fact(result, "matches"), 3);
  EXPECT_THAT(Found(Search("needle", {{"path", "b"}})), ElementsAre("b/two.txt:2"));
  EXPECT_THAT(Found(Search("needle", {{"path", "a.txt"}})), ElementsAre("a.txt:1", "a.txt:3"));
  EXPECT_THAT(Found(Search("needle", {{"glob", "b/*"}})), ElementsAre("b/two.txt:2"));
  EXPECT_THAT(Found(Search("needle", {{"glob", ":(icase)B/T[W]O.{TXT,MD}"}})), ElementsAre("b/two.txt:2"));
  ToolResult none = Search("NEEDLE");
  EXPECT_TRUE(none.success);
  EXPECT_THAT(Found(none), IsEmpty());
  EXPECT_FALSE(none.next_actions.empty());
  EXPECT_THAT(Found(Search("NEEDLE", {{"ignore_case", true}, {"limit", 1}})), ElementsAre("a.txt:1"));
}

TEST_F(SearchTextTest, BlocksHoldContextAndMerge) {
  std::string text;
  for (int i = 1; i <= 30; ++i) text += (i == 5 || i == 8 || i == 20 || i == 30 ? "hit " : "line ") + std::to_string(i) + "\n";
  Write("f", text);
  ToolResult result = Search("hit", {{"context", 2}});
  ASSERT_EQ(result.artifacts.size(), 4u);
  EXPECT_EQ(result.artifacts[1].line_start, 3);
  EXPECT_THAT(result.artifacts[1].matches, ElementsAre(5, 8));
  EXPECT_THAT(result.artifacts[1].lines, ElementsAre("line 3", "line 4", "hit 5", "line 6", "line 7", "hit 8", "line 9", "line 10"));
  EXPECT_EQ(result.artifacts[2].line_start, 18);
  EXPECT_THAT(result.artifacts[2].lines, ElementsAre("line 18", "line 19", "hit 20", "line 21", "line 22"));
  EXPECT_THAT(result.artifacts[3].lines, ElementsAre("line 28", "line 29", "hit 30"));
  EXPECT_THAT(Search("hit (5|8)$", {{"context", 1}}).artifacts.at(1).lines.size(), 6u);  // 4-6 and 7-9 touch
  ToolResult top = Search("line 1$", {{"context", 10}});
  EXPECT_EQ(top.artifacts.at(1).line_start, 1);
  EXPECT_EQ(top.artifacts.at(1).lines.size(), 11u);
}

TEST_F(SearchTextTest, MatchesStayWithinOneLine) {
  Write("f", "alpha\nbeta\r\n\ngamma delta\n");
  EXPECT_THAT(Found(Search("alpha\\s+beta")), IsEmpty());
  EXPECT_THAT(Found(Search("[^x]+beta")), IsEmpty());
  EXPECT_THAT(Found(Search("^$")), ElementsAre("f:3"));
  EXPECT_THAT(Found(Search("beta$")), ElementsAre("f:2"));  // CRLF
  EXPECT_THAT(Found(Search("beta\\r")), ElementsAre("f:2"));
  EXPECT_THAT(Found(Search("^gamma")), ElementsAre("f:4"));
  EXPECT_THAT(Found(Search("\\Agamma")), ElementsAre("f:4"));
  EXPECT_THAT(Found(Search("alpha\\z")), ElementsAre("f:1"));
  EXPECT_THAT(Found(Search("(?-m)^beta")), ElementsAre("f:2"));
  EXPECT_THAT(Found(Search("\\s")), ElementsAre("f:2", "f:4"));
  EXPECT_THAT(Found(Search("\\bdelta\\b")), ElementsAre("f:4"));
  EXPECT_THAT(Found(Search("x*")), ElementsAre("f:1", "f:2", "f:3", "f:4"));
  Write("f", "no newline");
  EXPECT_THAT(Found(Search("newline$")), ElementsAre("f:1"));
  EXPECT_THAT(Found(Search("")), ElementsAre(HasSubstr("$.pattern")));
}

TEST_F(SearchTextTest, LiteralPatternsAreTaken) {
  Write("f", "a.b(c)\naxb(c)\n");
  EXPECT_THAT(Found(Search("a.b(c)", {{"literal", true}})), ElementsAre("f:1"));
  EXPECT_THAT(Found(Search("(?m)", {{"literal", true}})), IsEmpty());
}

TEST_F(SearchTextTest, SkipsWhatListFilesSkipsAndCountsIt) {
  Write(".gitignore", "out/\n*.log\n");
  Write(".git/config", "needle\n");
  Write("out/f", "needle\n");
  Write("x.log", "needle\n");
  Write("bin", "needle\0\n"s);
  Write("ok", "needle\n");
  std::filesystem::create_symlink("ok", At("link"));
  std::filesystem::create_symlink(".", At("self"));
  ASSERT_EQ(::mkfifo(At("pipe").c_str(), 0600), 0);
  ToolResult result = Search("needle");
  EXPECT_THAT(Found(result), ElementsAre("ok:1"));
  EXPECT_EQ(Fact(result, "ignored"), 2);
  EXPECT_EQ(Fact(result, "binary"), 1);
  EXPECT_EQ(Fact(result, "special"), 1);
  EXPECT_EQ(Fact(result, "symlinks"), 2);
  EXPECT_THAT(result.output, HasSubstr("binary"));
  EXPECT_THAT(Found(Search("needle", {{"path", "x.log"}})), ElementsAre("x.log:1"));  // named, so wanted
  ExpectFailure(Search("needle", {{"path", "bin"}}), ToolStatus::kUnsupported);
  ExpectFailure(Search("needle", {{"path", "pipe"}}), ToolStatus::kUnsupported);
}

TEST_F(SearchTextTest, IgnoredSearchesAlsoWhatIgnoreRulesLeaveOutAndGitWithoutItsObjects) {
  Write(".gitignore", "out/\n");
  for (const char* path : {".git/config", ".git/objects/pack/p", "out/f", "ok"}) Write(path, "needle\n");
  EXPECT_THAT(Found(Search("needle", {{"ignored", true}})), ElementsAre(".git/config:1", "ok:1", "out/f:1"));
  EXPECT_THAT(Found(Search("needle", {{"ignored", true}, {"path", ".git"}})), ElementsAre(".git/config:1"));
  EXPECT_EQ(Fact(Search("needle", {{"path", ".git"}}), "path_ignored"), true);
  auto hidden = HiddenNames::Parse({"out/"});
  ASSERT_TRUE(hidden);
  context_.hidden = &*hidden;
  EXPECT_THAT(Found(Search("needle", {{"ignored", true}})), ElementsAre(".git/config:1", "ok:1"));
}

TEST_F(SearchTextTest, OtherEncodingsAreSearchedAsTheyAreShown) {
  Write("le", "\xff\xfen\0o\0\n\0n\0e\0\xfc\0\n\0"s);
  Write("bom", "\xef\xbb\xbfne\xc3\xbc\n");
  Write("latin", "ne\xfc\n");
  EXPECT_THAT(Found(Search("^ne\xc3\xbc$")), ElementsAre("bom:1", "le:2"));
  EXPECT_THAT(Found(Search("^ne")), ElementsAre("bom:1", "latin:1", "le:2"));
  ToolResult result = Search("^ne", {{"path", "le"}});
  EXPECT_EQ(result.artifacts.at(1).lines, std::vector<std::string>{Lines(Read("le")).at(1)});
  EXPECT_EQ(result.artifacts.at(1).facts["converted"], true);
}

TEST_F(SearchTextTest, LimitsAreSaid) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "needle\n";
  Write("f", text);
  Write("g", "needle\n");
  ToolResult result = Search("needle", {{"limit", 10}});
  EXPECT_EQ(Found(result).size(), 10u);
  EXPECT_EQ(Fact(result, "truncated"), true);
  EXPECT_FALSE(result.next_actions.empty());
  EXPECT_EQ(Fact(Search("needle", {{"limit", 51}}), "truncated"), false);
  context_.max_output_bytes = 40;
  ToolResult small = Search("needle");
  EXPECT_EQ(Fact(small, "truncated"), true);
  size_t bytes = 0;
  for (const auto& artifact : small.artifacts)
    for (const auto& line : artifact.lines) bytes += line.size();
  EXPECT_LE(bytes, 40u);
  EXPECT_GT(bytes, 0u);
}

TEST_F(SearchTextTest, LongLinesAndLargeFilesAreSearchedInPart) {
  Write("long", std::string(5000, 'a') + "needle" + std::string(20'000, 'b') + "needle2\nneedle\n");
  ToolResult result = Search("needle");
  EXPECT_THAT(Found(result), ElementsAre("long:1", "long:2"));
  EXPECT_THAT(result.artifacts.at(1).cut, ElementsAre(1));
  EXPECT_EQ(result.artifacts.at(1).lines.at(0), std::string(4000, 'a'));
  EXPECT_EQ(Fact(result, "long_lines"), 1);
  EXPECT_THAT(result.output, HasSubstr("a match may lie behind the cut"));
  EXPECT_THAT(Found(Search("needle2")), IsEmpty());
  EXPECT_THAT(Search("needle2").output, HasSubstr("long line"));

  std::string text;
  while (text.size() < 9u << 20) text += "some line of text\n";
  Write("large", text + "needle3\n");
  EXPECT_EQ(Fact(Search("needle3"), "cut_files"), 1);
  std::string sparse(16'384, '\n');
  Write("sparse", sparse);
  ASSERT_EQ(::truncate(At("sparse").c_str(), 1ll << 40), 0);
  EXPECT_THAT(Found(Search("needle4", {{"path", "sparse"}})), IsEmpty());
}

TEST_F(SearchTextTest, ManyMatchesInPiecesKeepTheirNumbers) {
  std::string text;
  std::vector<std::string> expected;
  for (int i = 1; i <= 9000; ++i) {
    text += std::string(i % 90, 'x') + (i % 1000 == 7 ? "needle" : "") + "\n";
    if (i % 1000 == 7) expected.push_back("f:" + std::to_string(i));
  }
  Write("f", text);
  EXPECT_EQ(Found(Search("needle$", {{"context", 3}})), expected);
}

TEST_F(SearchTextTest, PassedDeadlineKeepsWhatWasFound) {
  Write("a", "needle\n");
  Write("b", "needle\n");
  Write("c/d", "needle\n");
  context_.deadline = Deadline::After(std::chrono::nanoseconds(0));
  ToolResult result = Search("needle");
  EXPECT_TRUE(result.success);
  EXPECT_EQ(result.status, ToolStatus::kPartial);
  EXPECT_THAT(Found(result), ElementsAre("a:1"));
  EXPECT_EQ(Fact(result, "complete"), false);
  EXPECT_THAT(result.output, HasSubstr("deadline"));
  EXPECT_FALSE(result.recovery_hint.empty());
  EXPECT_FALSE(result.next_actions.empty());
}

TEST_F(SearchTextTest, HostilePatternsAreBounded) {
  Write("f", std::string(100'000, 'a') + "\n" + std::string(1000, 'a') + "\n");
  ExpectFailure(Search("((a{100}){100}){100}"), ToolStatus::kInvalidArguments);
  ExpectFailure(Search("(a"), ToolStatus::kInvalidArguments);
  EXPECT_THAT(Search("(a").error, HasSubstr("missing"));
  ExpectFailure(Search("(?=a)"), ToolStatus::kInvalidArguments);
  ExpectFailure(Search("a\nb"), ToolStatus::kInvalidArguments);
  ExpectFailure(Search("a\nb", {{"literal", true}}), ToolStatus::kInvalidArguments);
  ExpectFailure(Search("\xff"), ToolStatus::kInvalidArguments);
  EXPECT_TRUE(Search("(a*)*b").success);
  EXPECT_TRUE(Search("(a|aa)+$").success);
  EXPECT_TRUE(Search("(x+x+)+y|(.*){1,20}b").success);
}

TEST_F(SearchTextTest, FailuresExplainThemselves) {
  Write("src/a", "x\n");
  ExpectFailure(Search("x", {{"path", "scr"}}), ToolStatus::kNotFound);
  ExpectFailure(Search("x", {{"path", "/etc"}}), ToolStatus::kDenied);
  ExpectFailure(Search("x", {{"path", "\\q"}}), ToolStatus::kInvalidArguments);
  ExpectFailure(Search("x", {{"glob", "["}}), ToolStatus::kInvalidArguments);
  ExpectFailure(Search("x", {{"context", 11}}), ToolStatus::kInvalidArguments);
  ExpectFailure(Search("x", {{"contxt", 1}}), ToolStatus::kInvalidArguments);
  EXPECT_THAT(Search("x", {{"contxt", 1}}).recovery_hint, HasSubstr("context"));
  context_.root_fd = 9999;
  ExpectFailure(Search("x"), ToolStatus::kFailed);
}

TEST_F(SearchTextTest, ExcerptsAreTheLinesThatReadFileGives) {
  Write("f", "a\r\nneedle\xff \r\n\tb\n");
  ToolResult result = Search("needle", {{"context", 1}});
  EXPECT_EQ(result.artifacts.at(1).lines, Lines(Read("f")));
}

}  // namespace
}  // namespace paddock::agentcore

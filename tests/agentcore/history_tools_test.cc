// The history tools on real repositories: what they say, and that nothing of a repository's own settings has a say.
#include "agentcore/tools/history_tools.h"

#include <gmock/gmock.h>

#include "agentcore/tools/hidden_names.h"
#include "tests/agentcore/git_fixture.h"

namespace paddock::agentcore {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using HistoryTest = GitTest;

TEST_F(HistoryTest, CommitsAreRowsNewestFirst) {
  Write("a.txt", "one\ntwo\n");
  const std::string first = Commit("Begin", 0);
  Write("a.txt", "one\n2\n");
  Write("src/b.txt", "b\n");
  const std::string second = Commit("Change a, add b\n\nWith a body.", 1);
  const ToolResult result = Run("git_log", Json::object());
  ASSERT_TRUE(result.success) << result.error;
  const Artifact& commits = result.artifacts.at(0);
  EXPECT_EQ(commits.kind, "commits");
  EXPECT_EQ(commits.path, ".");
  EXPECT_THAT(commits.lines, ElementsAre(second + "\t2023-11-14T22:14:20Z\tAnn Writer\t2\t2\t1\tChange a, add b", first + "\t2023-11-14T22:13:20Z\tAnn Writer\t1\t2\t0\tBegin"));
  EXPECT_EQ(commits.facts["total"], 2);
  EXPECT_EQ(commits.facts["truncated"], false);
  EXPECT_EQ(commits.facts["next_offset"], nullptr);
  EXPECT_THAT(Lines(Run("git_log", Json{{"path", "src"}})), ElementsAre(HasSubstr("Change a")));
  EXPECT_THAT(Lines(Run("git_log", Json{{"revision", first + ".." + second}})), ElementsAre(HasSubstr("Change a")));
}

TEST_F(HistoryTest, ALongHistoryComesInPieces) {
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(Commit("commit " + std::to_string(i), i));
  const ToolResult page = Run("git_log", Json{{"limit", 2}, {"offset", 1}});
  EXPECT_THAT(Lines(page), ElementsAre(HasSubstr(ids[3]), HasSubstr(ids[2])));
  EXPECT_EQ(Fact(page, "next_offset"), 3);
  EXPECT_EQ(Fact(page, "truncated"), true);
  EXPECT_EQ(Fact(page, "total"), nullptr);
  EXPECT_EQ(Fact(Run("git_log", Json{{"limit", 2}, {"offset", 3}}), "total"), 5);
}

TEST_F(HistoryTest, ChangesCountFilesOverTheCommitsListed) {
  for (int i = 0; i < 3; ++i) {
    Write("often.txt", std::to_string(i) + "\n");
    if (i == 1) Write("once.txt", "x\ny\n");
    Commit("c", i);
  }
  const std::string head = Git({"rev-parse", "HEAD"}).substr(0, 40);
  const ToolResult result = Run("git_log", Json{{"changes", true}});
  ASSERT_EQ(result.artifacts.size(), 2u);
  EXPECT_EQ(result.artifacts[1].kind, "changes");
  EXPECT_THAT(result.artifacts[1].lines, ElementsAre("often.txt\t3\t3\t2\t" + head, HasSubstr("once.txt\t1\t2\t0\t")));
}

TEST_F(HistoryTest, HostileNamesAndMessagesStayInTheirColumns) {
  const std::string odd = "a\tb\n\"c\\\x1b[31m\xff.txt";
  Write(odd, "x\n");
  Write("plain.txt", "x\n");
  Commit("first", 0);
  Write(odd, "y\n");
  Git({"add", "-A"});
  Git({"-c", "user.name=Eve\tTab", "commit", "-q", "--author=Eve\tTab \x1b[2J <e@x>", "-m", "sub\tject \xe2\x80\xae\xff\n\n" + std::string(40, 'f') + "\n"}, 1);
  const ToolResult result = Run("git_log", Json{{"changes", true}});
  ASSERT_TRUE(result.success) << result.error;
  for (const std::string& line : result.artifacts[0].lines) EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 6) << line;
  EXPECT_EQ(result.artifacts[0].lines.size(), 2u);
  EXPECT_THAT(result.artifacts[1].lines, Contains(HasSubstr(PathToText(odd) + "\t2\t")));
  const ToolResult diff = Run("git_diff", Json{{"from", "HEAD~1"}, {"to", "HEAD"}});
  EXPECT_THAT(diff.artifacts.at(0).entries, ElementsAre(PathToText(odd)));
  EXPECT_THAT(diff.artifacts.at(1).lines, ElementsAre("@@ -1 +1 @@", "-x", "+y"));
  EXPECT_TRUE(FromJson<ToolResult>(*ParseJson(DumpJson(ToJson(diff)))).has_value());
  EXPECT_EQ(Run("git_log", Json{{"path", PathToText(odd)}}).artifacts[0].lines.size(), 2u);
  EXPECT_EQ(Find(Run("git_blame", Json{{"path", PathToText(odd)}}), "blame")->lines.size(), 1u);
}

TEST_F(HistoryTest, ADiffHasOneArtifactAFileAndSaysWhatBecameOfIt) {
  Write("changed.txt", "1\n2\n3\n4\n5\n6\n7\n8\n");
  Write("removed.txt", "gone\n");
  Write("moved.txt", std::string(2000, 'm') + "\nmore\n");
  Write("mode.sh", "true\n");
  Write("kind", "file\n");
  Write("image", std::string("\0\1\2", 3));
  Commit("a", 0);
  Write("changed.txt", "1\n2\n3\nfour\n5\n6\n7\n8\n9");
  std::filesystem::remove(At("removed.txt"));
  std::filesystem::rename(At("moved.txt"), At("to here.txt"));
  std::filesystem::permissions(At("mode.sh"), std::filesystem::perms::owner_all);
  std::filesystem::remove(At("kind"));
  std::filesystem::create_symlink("changed.txt", At("kind"));
  Write("image", std::string("\0\1\3", 3));
  Write("new.txt", "@@ -1 +1 @@\ndiff --git a/x b/x\n");
  Commit("b", 1);
  const ToolResult result = Run("git_diff", Json{{"from", "HEAD~1"}, {"to", "HEAD"}, {"context", 1}});
  ASSERT_TRUE(result.success) << result.error;
  EXPECT_EQ(result.artifacts[0].kind, "listing");
  EXPECT_THAT(result.artifacts[0].entries, ElementsAre("changed.txt", "image", "kind", "mode.sh", "new.txt", "removed.txt", "to here.txt"));
  EXPECT_EQ(result.artifacts[0].facts["files"], 7);
  const auto status = [&](const char* path) { return Find(result, "diff", path)->facts["status"].get<std::string>(); };
  EXPECT_THAT(Find(result, "diff", "changed.txt")->lines,
              ElementsAre("@@ -3,3 +3,3 @@", " 3", "-4", "+four", " 5", "@@ -8 +8,2 @@", " 8", "+9", "\\ No newline at end of file"));
  EXPECT_EQ(status("changed.txt"), "changed");
  EXPECT_EQ(Find(result, "diff", "changed.txt")->facts["added"], 2);
  EXPECT_EQ(status("removed.txt"), "removed");
  EXPECT_EQ(status("to here.txt"), "renamed");
  EXPECT_EQ(Find(result, "diff", "to here.txt")->facts["old_path"], "moved.txt");
  EXPECT_EQ(status("mode.sh"), "mode");
  EXPECT_EQ(status("kind"), "type");
  EXPECT_EQ(Find(result, "diff", "kind")->lines.size(), 5u);
  EXPECT_EQ(Find(result, "diff", "image")->facts["binary"], true);
  EXPECT_EQ(status("new.txt"), "added");
  // A file's lines can't pass for the patch's own.
  EXPECT_THAT(Find(result, "diff", "new.txt")->lines, ElementsAre("@@ -0,0 +1,2 @@", "+@@ -1 +1 @@", "+diff --git a/x b/x"));
}

TEST_F(HistoryTest, TheWorkingTreeIsComparedWithHead) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  Write("a.txt", "two\n");
  Write("unknown.txt", "new\n");
  const ToolResult result = Run("git_diff", Json::object());
  EXPECT_THAT(result.artifacts.at(0).entries, ElementsAre("a.txt"));
  EXPECT_THAT(result.artifacts.at(1).lines, ElementsAre("@@ -1 +1 @@", "-one", "+two"));
  EXPECT_EQ(result.artifacts[1].facts["status"], "changed");
  EXPECT_THAT(result.output, HasSubstr("does not know"));
}

TEST_F(HistoryTest, OneCommitWithItsMessage) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  Write("a.txt", "two\n");
  const std::string id = Commit("Say two\n\nBecause.\n\nSigned-off-by: x", 1);
  Git({"tag", "-a", "v1", "-m", "a tag"}, 2);
  for (const std::string& name : {id, std::string("v1"), std::string("HEAD"), id.substr(0, 10)}) {
    const ToolResult result = Run("git_show", Json{{"commit", name}});
    ASSERT_EQ(result.artifacts.size(), 3u) << result.error;
    EXPECT_THAT(result.artifacts[0].lines, ElementsAre(id + "\t2023-11-14T22:14:20Z\tAnn Writer\t1\t1\t1\tSay two"));
    EXPECT_THAT(result.artifacts[0].facts["body"].get<std::string>(), HasSubstr("Because.\n"));
    EXPECT_THAT(result.artifacts[2].lines, ElementsAre("@@ -1 +1 @@", "-one", "+two"));
  }
  // The first commit is compared with nothing.
  EXPECT_THAT(Run("git_show", Json{{"commit", "HEAD~1"}}).artifacts.at(2).lines, ElementsAre("@@ -0,0 +1 @@", "+one"));
}

TEST_F(HistoryTest, AMergeIsShownAgainstItsFirstParent) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  Git({"checkout", "-q", "-b", "side"});
  Write("b.txt", "b\n");
  Commit("b", 1);
  Git({"checkout", "-q", "main"});
  Write("c.txt", "c\n");
  Commit("c", 2);
  Git({"merge", "-q", "--no-edit", "side"}, 3);
  EXPECT_THAT(Run("git_show", Json{{"commit", "HEAD"}}).artifacts.at(1).entries, ElementsAre("b.txt"));
}

TEST_F(HistoryTest, BlameJoinsNeighbouringLines) {
  Write("a.txt", "1\n2\n3\n");
  const std::string first = Commit("first", 0);
  Write("a.txt", "1\n2\nthree\n4\n");
  const std::string second = Commit("second", 1);
  Write("a.txt", "1\n2\nthree\n4\nfive\n");
  const ToolResult result = Run("git_blame", Json{{"path", "a.txt"}});
  EXPECT_THAT(Find(result, "blame", "a.txt")->lines,
              ElementsAre("1\t2\t" + first + "\t2023-11-14T22:13:20Z\tAnn Writer\tfirst", "3\t4\t" + second + "\t2023-11-14T22:14:20Z\tAnn Writer\tsecond",
                          "5\t5\t" + std::string(40, '0') + "\tunknown\t\tnot committed yet"));
  EXPECT_THAT(Find(Run("git_blame", Json{{"path", "a.txt"}, {"line_start", 2}, {"line_end", 3}}), "blame")->lines, ElementsAre(HasSubstr("2\t2\t" + first), HasSubstr("3\t3\t" + second)));
  ExpectFailure(Run("git_blame", Json{{"path", "a.txt"}, {"line_start", 99}}), ToolStatus::kNotFound);
  ExpectFailure(Run("git_blame", Json{{"path", "no.txt"}}), ToolStatus::kNotFound);
}

TEST_F(HistoryTest, RevisionsAreNamesAndNothingElse) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  for (const char* bad : {"-p", "--output=x", "HEAD:a.txt", ":/a", "HEAD^{/x}", "@{1}", "a b", "^HEAD", "a..b..c", "HEAD..-p", "x\n", "*", ""}) {
    ExpectFailure(Run("git_log", Json{{"revision", bad}}), ToolStatus::kInvalidArguments);
    ExpectFailure(Run("git_show", Json{{"commit", bad}}), ToolStatus::kInvalidArguments);
  }
  ExpectFailure(Run("git_diff", Json{{"from", "HEAD~1..HEAD"}}), ToolStatus::kInvalidArguments);
  ExpectFailure(Run("git_log", Json{{"revision", "nowhere"}}), ToolStatus::kNotFound);
  ExpectFailure(Run("git_show", Json{{"commit", "HEAD~7"}}), ToolStatus::kNotFound);
  ExpectFailure(Run("git_log", Json{{"path", "../x"}}), ToolStatus::kDenied);
  // Paths are no patterns.
  EXPECT_TRUE(Lines(Run("git_log", Json{{"path", "*.txt"}})).empty());
  EXPECT_TRUE(Lines(Run("git_log", Json{{"path", ":(top)"}})).empty());
}

TEST_F(HistoryTest, WhatIsHiddenIsHiddenInTheHistoryToo) {
  Write("secrets/key", "k\n");
  Write(".env", "TOKEN=1\n");
  Write("a.txt", "a\n");
  Commit("a", 0);
  const auto hidden = *HiddenNames::Parse({".env", "secrets/"});
  context_.hidden = &hidden;
  const ToolResult log = Run("git_log", Json{{"changes", true}});
  EXPECT_THAT(log.artifacts.at(0).lines, ElementsAre(HasSubstr("\t1\t1\t0\ta")));
  EXPECT_EQ(log.artifacts[0].facts["hidden"], 2);
  EXPECT_THAT(log.artifacts.at(1).lines, ElementsAre(HasSubstr("a.txt")));
  EXPECT_THAT(log.output, HasSubstr("hides"));
  const ToolResult show = Run("git_show", Json{{"commit", "HEAD"}});
  EXPECT_THAT(show.artifacts.at(1).entries, ElementsAre("a.txt"));
  EXPECT_EQ(show.artifacts[1].facts["hidden"], 2);
  EXPECT_THAT(DumpJson(ToJson(show)), Not(HasSubstr("TOKEN")));
  for (const char* path : {".env", "secrets/key", "secrets"}) {
    ExpectFailure(Run("git_blame", Json{{"path", path}}), ToolStatus::kDenied);
    ExpectFailure(Run("git_show", Json{{"commit", "HEAD"}, {"path", path}}), ToolStatus::kDenied);
    ExpectFailure(Run("git_log", Json{{"path", path}}), ToolStatus::kDenied);
  }
  const auto git = *HiddenNames::Parse({".git/"});
  context_.hidden = &git;
  ExpectFailure(Run("git_log", Json::object()), ToolStatus::kDenied);
}

TEST_F(HistoryTest, AFolderThatIsNoRepositoryIsSaidToBeNone) {
  std::filesystem::rename(At(".git"), outer_ + "/elsewhere");
  for (const char* tool : {"git_log", "git_diff"}) ExpectFailure(Run(tool, Json::object()), ToolStatus::kUnsupported);
  Write(".git", "gitdir: " + outer_ + "/elsewhere\n");
  ExpectFailure(Run("git_log", Json::object()), ToolStatus::kUnsupported);
  std::filesystem::remove(At(".git"));
  std::filesystem::create_symlink(outer_ + "/elsewhere", At(".git"));
  ExpectFailure(Run("git_log", Json::object()), ToolStatus::kUnsupported);
}

TEST_F(HistoryTest, NoCommitsYetIsNoFailure) {
  const ToolResult result = Run("git_log", Json::object());
  EXPECT_TRUE(result.success) << result.error;
  EXPECT_EQ(Fact(result, "total"), 0);
}

TEST_F(HistoryTest, NothingIsLeftBehindAndNothingWritten) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  Run("git_log", Json::object());
  Run("git_diff", Json::object());
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(outer_)) names.push_back(entry.path().filename());
  EXPECT_THAT(names, ElementsAre("root"));
}

// What the settings of a repository can start, each with a payload that would make a file. Harmless ones: they are run
// outside of a jail where this test fails.
TEST_F(HistoryTest, TheRepositorysOwnSettingsDoNothing) {
  Write("a.txt", "one\n");
  Write("b.bin", "b\n");
  Write(".gitattributes", "*.txt diff=evil filter=evil\n*.bin -diff\n");
  Commit("a", 0);
  Write("a.txt", "two\n");
  Write("b.bin", "c\n");
  Commit("b", 1);
  Write("a.txt", "three\n");
  const std::string payload = "touch " + outer_ + "/fired; cat";
  const std::pair<const char*, const char*> settings[] = {{"core.fsmonitor", ""},       {"core.pager", ""},          {"pager.log", ""},          {"diff.external", ""},
                                                          {"diff.evil.command", ""},    {"diff.evil.textconv", ""},  {"filter.evil.clean", ""},  {"filter.evil.smudge", ""},
                                                          {"core.sshCommand", ""},      {"gpg.program", ""},         {"core.editor", ""},        {"filter.evil.process", ""}};
  for (const auto& [key, unused] : settings) Git({"config", key, payload});
  Git({"config", "alias.log", "!" + payload});
  Git({"config", "log.showSignature", "true"});
  Git({"config", "filter.evil.required", "true"});
  Git({"config", "core.hooksPath", outer_ + "/hooks"});
  Git({"config", "core.worktree", "/"});
  Git({"config", "include.path", "/nowhere/else"});
  for (const auto& [tool, arguments] : {std::pair{"git_log", Json{{"changes", true}}}, {"git_diff", Json::object()}, {"git_diff", Json{{"from", "HEAD~1"}, {"to", "HEAD"}}},
                                        {"git_show", Json{{"commit", "HEAD"}}}, {"git_blame", Json{{"path", "a.txt"}}}}) {
    const ToolResult result = Run(tool, arguments);
    EXPECT_TRUE(result.success) << tool << ": " << result.error;
    EXPECT_FALSE(std::filesystem::exists(outer_ + "/fired")) << tool;
  }
  const ToolResult diff = Run("git_diff", Json{{"from", "HEAD~1"}, {"to", "HEAD"}});
  // Attributes can't hide what changed.
  EXPECT_THAT(Find(diff, "diff", "b.bin")->lines, ElementsAre("@@ -1 +1 @@", "-b", "+c"));
  EXPECT_THAT(Find(Run("git_diff", Json::object()), "diff", "a.txt")->lines, ElementsAre("@@ -1 +1 @@", "-two", "+three"));
}

TEST_F(HistoryTest, ReplacedAndGraftedCommitsAreShownAsTheyAre) {
  Write("a.txt", "one\n");
  const std::string real = Commit("real", 0);
  Write("a.txt", "two\n");
  const std::string other = Commit("fake", 1);
  Git({"reset", "-q", "--hard", real});
  Git({"replace", real, other});
  Write(".git/info/grafts", real + " " + other + "\n");
  EXPECT_THAT(Lines(Run("git_log", Json::object())), ElementsAre(HasSubstr("\treal")));
}

TEST_F(HistoryTest, AnAlternateThatIsNotThereIsNoHindrance) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  Write(".git/objects/info/alternates", "/nowhere/objects\n../../../elsewhere\n");
  EXPECT_EQ(Lines(Run("git_log", Json::object())).size(), 1u);
}

}  // namespace
}  // namespace paddock::agentcore

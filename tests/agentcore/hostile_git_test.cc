// Repositories that were made to keep the history tools from their answer: things that git would wait for, objects that it breaks
// off at, names that hide.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "agentcore/tools/hidden_names.h"
#include "tests/agentcore/git_fixture.h"

namespace paddock::agentcore {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class HostileGit : public GitTest {
 protected:
  // So that a call which waits fails here, and does not hang.
  HostileGit() { context_.deadline = Deadline::After(std::chrono::seconds(60)); }

  void Fifo(const std::string& path) {
    Folder(std::filesystem::path(path).parent_path());
    std::filesystem::remove(At(path));
    ASSERT_EQ(::mkfifo(At(path).c_str(), 0644), 0) << path;
  }
  ToolResult Soon(const char* tool, const Json& arguments = Json::object()) {
    context_.deadline = Deadline::After(std::chrono::seconds(5));
    return Run(tool, arguments);
  }
  // Each of the tools that look at commits alone.
  void ExpectHistory() {
    EXPECT_TRUE(Soon("git_log").success);
    EXPECT_TRUE(Soon("git_show", Json{{"commit", "HEAD"}}).success);
    EXPECT_TRUE(Soon("git_diff", Json{{"from", "HEAD"}, {"to", "HEAD"}}).success);
  }
  void ExpectNamed(const ToolResult& result, const std::string& path) {
    ExpectFailure(result, ToolStatus::kUnsupported);
    EXPECT_THAT(result.error, HasSubstr("\"" + path + "\""));
  }
};

TEST_F(HostileGit, AFifoWhereGitReadsAFileIsNamedAndNotWaitedFor) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  for (const char* place : {".git/refs/heads/x", ".git/refs/tags/a/b", ".git/packed-refs", ".git/shallow", ".git/index", ".git/commondir", ".git/objects/pack/pack-1.idx",
                            ".git/objects/ab/cdef0123456789abcdef0123456789abcdef01"}) {
    std::filesystem::rename(At(".git"), outer_ + "/kept");
    std::filesystem::copy(outer_ + "/kept", At(".git"), std::filesystem::copy_options::recursive);
    Fifo(place);
    for (const char* tool : {"git_log", "git_diff"}) ExpectNamed(Soon(tool), place);
    ExpectNamed(Soon("git_blame", Json{{"path", "a.txt"}}), place);
    std::filesystem::remove_all(At(".git"));
    std::filesystem::rename(outer_ + "/kept", At(".git"));
  }
  Fifo(".git/HEAD");
  ExpectNamed(Soon("git_log"), ".git/HEAD");
}

TEST_F(HostileGit, AReferenceWithoutEndIsNamed) {
  Commit("a", 0);
  std::filesystem::create_symlink("/dev/zero", At(".git/refs/heads/zero"));
  ExpectNamed(Soon("git_log"), ".git/refs/heads/zero");
  std::filesystem::remove(At(".git/refs/heads/zero"));
  Write(".git/refs/heads/long", "");
  std::filesystem::resize_file(At(".git/refs/heads/long"), uint64_t{1} << 40);
  ExpectNamed(Soon("git_log"), ".git/refs/heads/long");
  std::filesystem::remove(At(".git/refs/heads/long"));
  // A link to a reference is one.
  std::filesystem::create_symlink("main", At(".git/refs/heads/same"));
  EXPECT_EQ(Lines(Soon("git_log", Json{{"revision", "same"}})).size(), 1u);
}

TEST_F(HostileGit, WhatGitNeedNotReadIsNoHindrance) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  for (const char* place : {".git/config", ".git/info/attributes", ".git/info/grafts", ".git/objects/info/alternates", ".git/objects/info/commit-graph", ".git/logs/HEAD"}) Fifo(place);
  ExpectHistory();
  EXPECT_TRUE(Soon("git_diff").success);
  EXPECT_TRUE(Soon("git_blame", Json{{"path", "a.txt"}}).success);
}

TEST_F(HostileGit, AFifoInTheFilesIsNamedWhereTheyAreReadAndNoHindranceElsewhere) {
  Write("src/in/a.txt", "one\n");
  Commit("a", 0);
  Write("src/in/a.txt", "two\n");
  for (const char* place : {".gitattributes", "src/.gitattributes", "src/in/.gitattributes", ".gitmodules", ".mailmap"}) {
    Fifo(place);
    ExpectHistory();
    ExpectNamed(Soon("git_diff"), place);
    ExpectNamed(Soon("git_blame", Json{{"path", "src/in/a.txt"}}), place);
    std::filesystem::remove(At(place));
  }
  EXPECT_TRUE(Soon("git_diff").success);
}

TEST_F(HostileGit, AFifoBesideFilesThatOnlyTheCommitHasIsNamed) {
  Write("gone/a.txt", "one\n");
  Commit("a", 0);
  Git({"rm", "-q", "--cached", "gone/a.txt"});
  Fifo("gone/.gitattributes");
  ExpectNamed(Soon("git_diff"), "gone/.gitattributes");
}

TEST_F(HostileGit, ATrackedFileThatBecameAFifoIsLeftOutAndCounted) {
  Write("a.txt", "one\n");
  Write("b.txt", "one\n");
  Commit("a", 0);
  Write("a.txt", "two\n");
  Fifo("b.txt");
  const ToolResult result = Soon("git_diff");
  EXPECT_THAT(Entries(result), ElementsAre("a.txt"));
  EXPECT_EQ(Fact(result, "unreadable"), 1);
  EXPECT_STREQ(NameOf(result.status), "partial");
  EXPECT_THAT(result.output, HasSubstr("no regular file any more"));
  ExpectFailure(Soon("git_blame", Json{{"path", "b.txt"}}), ToolStatus::kFailed);
}

TEST_F(HostileGit, ASubmoduleInWhichGitWouldWaitIsLeftOutAndCounted) {
  Write("sub/x.txt", "x\n");
  Write("a.txt", "one\n");
  Git({"-C", "sub", "init", "-q", "-b", "main"});
  Git({"-C", "sub", "add", "-A"});
  Git({"-C", "sub", "commit", "-q", "-m", "inside"});
  Commit("a", 0);
  Write("a.txt", "two\n");
  Git({"-C", "sub", "commit", "-q", "--allow-empty", "-m", "inside"}, 1);
  EXPECT_THAT(Entries(Soon("git_diff")), ElementsAre("a.txt", "sub"));
  for (const char* place : {"sub/.git/HEAD", "sub/.git/config", "sub/.git/refs/heads/main"}) {
    std::filesystem::rename(At(place), outer_ + "/kept");
    Fifo(place);
    const ToolResult result = Soon("git_diff");
    EXPECT_THAT(Entries(result), ElementsAre("a.txt")) << place;
    EXPECT_EQ(Fact(result, "unreadable"), 1) << place;
    std::filesystem::rename(outer_ + "/kept", At(place));
  }
}

TEST_F(HostileGit, ObjectsThatCantBeReadDontTakeTheListOfCommitsAway) {
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    Write("a.txt", std::to_string(i) + "\n");
    ids.push_back(Commit("commit " + std::to_string(i), i));
  }
  const std::string blob = Git({"rev-parse", "HEAD~1:a.txt"}).substr(0, 40);
  std::filesystem::remove(At(".git/objects/" + blob.substr(0, 2) + "/" + blob.substr(2)));
  const ToolResult result = Soon("git_log", Json{{"changes", true}});
  ASSERT_TRUE(result.success) << result.error;
  EXPECT_STREQ(NameOf(result.status), "partial");
  ASSERT_EQ(Lines(result).size(), 3u);
  EXPECT_THAT(Lines(result)[0], HasSubstr(ids[2] + "\t2023-11-14T22:15:20Z\tAnn Writer\t-\t-\t-\tcommit 2"));
  EXPECT_EQ(Fact(result, "uncounted"), 3);
  EXPECT_EQ(Fact(result, "total"), 3);
  EXPECT_THAT(result.output, HasSubstr("could not compare"));
  EXPECT_EQ(result.artifacts[1].facts["truncated"], true);
  // What can be counted is.
  const ToolResult first = Soon("git_log", Json{{"offset", 2}});
  EXPECT_THAT(Lines(first), ElementsAre(HasSubstr("\t1\t1\t0\tcommit 0")));
  EXPECT_EQ(Fact(first, "uncounted"), 0);
}

TEST_F(HostileGit, AHugeFileIsBinaryAndNotComparedByLines) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  std::string huge(33u << 20, 'x');
  for (size_t i = 0; i < huge.size(); i += 64) huge[i] = '\n';
  Write("huge.txt", huge);
  Commit("b", 1);
  const ToolResult show = Soon("git_show", Json{{"commit", "HEAD"}});
  EXPECT_EQ(Find(show, "diff", "huge.txt")->facts["binary"], true);
  EXPECT_THAT(Lines(Soon("git_log")), Contains(HasSubstr("\t1\t0\t0\tb")));
}

TEST_F(HostileGit, AHiddenTrackedFileThatMayNotBeReadIsLeftOutOfTheComparison) {
  Write(".env", "TOKEN=1\n");
  Write("a.txt", "one\n");
  Write("closed.txt", "one\n");
  Commit("a", 0);
  Write(".env", "TOKEN=2\n");
  Write("a.txt", "two\n");
  // As the jail's masks are.
  std::filesystem::permissions(At(".env"), std::filesystem::perms::none);
  const auto hidden = *HiddenNames::Parse({".env"});
  context_.hidden = &hidden;
  const ToolResult result = Soon("git_diff");
  ASSERT_TRUE(result.success) << result.error;
  EXPECT_THAT(Entries(result), ElementsAre("a.txt"));
  EXPECT_EQ(Fact(result, "hidden"), 1);
  EXPECT_THAT(result.output, HasSubstr("1 file that the profile hides"));
  EXPECT_THAT(Entries(Soon("git_diff", Json{{"path", "a.txt"}})), ElementsAre("a.txt"));
}

TEST_F(HostileGit, WhatWasRenamedFromAHiddenNameIsHiddenByItsPathToo) {
  const std::string secret = "TOKEN=" + std::string(60, '7') + "\n" + std::string(60, 'm') + "\n";
  Write(".env", secret);
  Write("other.txt", "o\n");
  Commit("a", 0);
  Git({"mv", ".env", "settings.txt"});
  Write("settings.txt", secret.substr(0, secret.size() - 1) + "more\n");
  Write("other.txt", "p\n");
  Commit("b", 1);
  const auto hidden = *HiddenNames::Parse({".env"});
  context_.hidden = &hidden;
  for (const Json& path : {Json("."), Json("settings.txt")})
    for (const auto& [tool, arguments] : {std::pair{"git_show", Json{{"commit", "HEAD"}}}, {"git_diff", Json{{"from", "HEAD~1"}, {"to", "HEAD"}}}, {"git_diff", Json{{"from", "HEAD~1"}}}}) {
      Json with = arguments;
      with["path"] = path;
      const ToolResult result = Soon(tool, with);
      ASSERT_TRUE(result.success) << result.error;
      EXPECT_EQ(Find(result, "listing")->facts["hidden"], 1) << tool << with.dump();
      EXPECT_THAT(Find(result, "listing")->entries, Not(Contains("settings.txt"))) << tool << with.dump();
      EXPECT_THAT(DumpJson(ToJson(result)), Not(HasSubstr("777"))) << tool << with.dump();
    }
  // Under another name it is what it is.
  const auto none = *HiddenNames::Parse({"nothing-of-that-name"});
  context_.hidden = &none;
  EXPECT_THAT(Find(Soon("git_show", Json{{"commit", "HEAD"}, {"path", "settings.txt"}}), "listing")->entries, ElementsAre("settings.txt"));
}

// No descriptor more than those that are open, and up to a few more.
TEST_F(HostileGit, WithoutDescriptorsTheFailureSaysSo) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(0);
  ASSERT_GE(next, 0);
  ::close(next);
  int failed = 0;
  for (int more = 0; more < 8; ++more)
    for (const auto& [tool, arguments] : {std::pair{"git_log", Json::object()}, {"git_diff", Json::object()}, {"git_blame", Json{{"path", "a.txt"}}}, {"read_file", Json{{"path", "a.txt"}}},
                                          {"list_files", Json::object()}, {"outline", Json{{"path", "a.txt"}}}}) {
      rlimit few = before;
      few.rlim_cur = static_cast<rlim_t>(next + more);
      ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
      const ToolResult result = Soon(tool, arguments);
      ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
      if (result.success && result.status == ToolStatus::kOk) continue;
      ++failed;
      EXPECT_THAT(result.error + result.output, HasSubstr("descriptor")) << tool << " with " << more;
    }
  EXPECT_GT(failed, 8);
}

}  // namespace
}  // namespace paddock::agentcore

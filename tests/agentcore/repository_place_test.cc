// Where the history tools find a repository: in .git, where a file of that name leads inside the workspace, in a submodule.
#include <gmock/gmock.h>

#include "agentcore/tools/hidden_names.h"
#include "tests/agentcore/git_fixture.h"

namespace paddock::agentcore {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using RepositoryPlace = GitTest;

TEST_F(RepositoryPlace, AGitFileThatLeadsOutSaysWhereTheHistoryIs) {
  std::filesystem::rename(At(".git"), outer_ + "/elsewhere");
  for (const std::string& target : {outer_ + "/elsewhere", std::string("../elsewhere"), std::string("in/../../elsewhere")}) {
    Write(".git", "gitdir: " + target + "\n");
    const ToolResult result = Run("git_log", Json::object());
    ExpectFailure(result, ToolStatus::kUnsupported);
    EXPECT_THAT(result.error, HasSubstr("main repository"));
    EXPECT_THAT(result.recovery_hint, HasSubstr("main repository"));
  }
  for (const char* text : {"", "gitdir", "gitdir: ", "gitdir: nowhere\n", "x\ngitdir: in\n"}) {
    Write(".git", text);
    ExpectFailure(Run("git_log", Json::object()), ToolStatus::kUnsupported);
  }
}

TEST_F(RepositoryPlace, AGitFolderOfAnotherNameInTheWorkspaceIsUsed) {
  Write("a.txt", "one\n");
  Commit("a", 0);
  std::filesystem::rename(At(".git"), At(".bare"));
  Write(".git", "gitdir: ./.bare\n");
  EXPECT_THAT(Lines(Run("git_log", Json::object())), ElementsAre(HasSubstr("\ta")));
  // Not over a link, which could lead anywhere.
  std::filesystem::rename(At(".bare"), outer_ + "/elsewhere");
  std::filesystem::create_symlink(outer_ + "/elsewhere", At(".bare"));
  ExpectFailure(Run("git_log", Json::object()), ToolStatus::kUnsupported);
}

TEST_F(RepositoryPlace, TheHistoryOfASubmoduleIsThatOfItsOwnRepository) {
  Write("a.txt", "one\n");
  Write("lib/in/x.txt", "x\n");
  Write("lib/in/.env", "TOKEN=1\n");
  Folder(".git/modules");
  Git({"-C", "lib", "init", "-q", "-b", "main", "--separate-git-dir=../.git/modules/lib"});
  Git({"-C", "lib", "add", "-A"});
  Git({"-C", "lib", "commit", "-q", "-m", "inside"}, 1);
  Write("lib/.git", "gitdir: ../.git/modules/lib\n");
  Commit("outside", 0);
  Write("lib/in/x.txt", "y\n");
  const auto hidden = *HiddenNames::Parse({"lib/in/.env"});
  context_.hidden = &hidden;
  for (const char* path : {"lib", "lib/in", "lib/in/x.txt"}) {
    const ToolResult log = Run("git_log", Json{{"path", path}, {"changes", true}});
    EXPECT_THAT(Lines(log), ElementsAre(HasSubstr("\tinside"))) << path << log.error;
    EXPECT_THAT(log.output, HasSubstr("repository in \"lib\""));
    EXPECT_THAT(log.artifacts.at(1).lines, ElementsAre(HasSubstr("lib/in/x.txt\t1\t1\t0"))) << path;
    const ToolResult diff = Run("git_diff", Json{{"path", path}});
    EXPECT_THAT(Entries(diff), ElementsAre("lib/in/x.txt")) << path << diff.error;
    EXPECT_THAT(DumpJson(ToJson(diff)), Not(HasSubstr("TOKEN")));
  }
  EXPECT_THAT(DumpJson(ToJson(Run("git_show", Json{{"commit", "HEAD"}, {"path", "lib"}}))), Not(HasSubstr("TOKEN")));
  EXPECT_EQ(Find(Run("git_blame", Json{{"path", "lib/in/x.txt"}}), "blame")->path, "lib/in/x.txt");
  EXPECT_THAT(Lines(Run("git_log", Json::object())), ElementsAre(HasSubstr("\toutside")));
  ExpectFailure(Run("git_blame", Json{{"path", "lib/in/.env"}}), ToolStatus::kDenied);
}

// By its own name too, whatever folder the second view is laid in.
TEST_F(RepositoryPlace, ASecondViewOfTheRepositoryShowsNothingThatIsHidden) {
  Write("config/a.key", "TOKEN=1\n");
  Write("a.txt", "one\n");
  Commit("a", 0);
  Write("view/.git", "gitdir: ../.git\n");
  const auto hidden = *HiddenNames::Parse({"config/*.key"});
  context_.hidden = &hidden;
  const ToolResult show = Run("git_show", Json{{"commit", "HEAD"}, {"path", "view"}});
  EXPECT_THAT(Find(show, "listing")->entries, ElementsAre("view/a.txt"));
  EXPECT_THAT(DumpJson(ToJson(show)), Not(HasSubstr("TOKEN")));
  EXPECT_THAT(DumpJson(ToJson(Run("git_show", Json{{"commit", "HEAD"}, {"path", "view/config"}}))), Not(HasSubstr("TOKEN")));
}

}  // namespace
}  // namespace paddock::agentcore

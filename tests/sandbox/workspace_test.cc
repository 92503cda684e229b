// Which folders may be a repository. The tests do the same as root and as anybody else.
#include "sandbox/workspace.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace paddock::sandbox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WorkspaceTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "paddock-test-XXXXXX";
    ASSERT_TRUE(mkdtemp(pattern.data()));
    top_ = fs::canonical(pattern);
  }
  void TearDown() override {
    std::error_code ignored;
    if (!closed_.empty()) chmod(closed_.c_str(), 0700);
    fs::remove_all(top_, ignored);
  }
  std::string Folder(const std::string& name) {
    fs::create_directories(top_ + "/" + name);
    return top_ + "/" + name;
  }
  Error Refused(const std::string& path, const WorkspaceRules& rules = {}) {
    auto workspace = ResolveWorkspace(path, rules);
    EXPECT_FALSE(workspace) << path;
    if (workspace) return {};
    EXPECT_EQ(workspace.error().kind, ErrorKind::kInvalid) << workspace.error().message;
    EXPECT_FALSE(workspace.error().hint.empty()) << workspace.error().message;
    return workspace.error();
  }
  std::string PathOf(const std::string& path, const WorkspaceRules& rules = {}) {
    auto workspace = ResolveWorkspace(path, rules);
    EXPECT_TRUE(workspace) << workspace.error().message;
    return workspace ? workspace->path : "";
  }
  std::string top_, closed_;
};

TEST_F(WorkspaceTest, IsAFolderWithItsIdentityAndOwner) {
  const std::string repo = Folder("repo");
  auto workspace = ResolveWorkspace(repo, {});
  ASSERT_TRUE(workspace) << workspace.error().message;
  struct stat info;
  ASSERT_EQ(stat(repo.c_str(), &info), 0);
  EXPECT_EQ(workspace->path, repo);
  EXPECT_EQ(workspace->device, info.st_dev);
  EXPECT_EQ(workspace->inode, info.st_ino);
  EXPECT_EQ(workspace->owner_uid, info.st_uid);
  EXPECT_EQ(workspace->owner_gid, info.st_gid);
}

TEST_F(WorkspaceTest, IsNothingElse) {
  EXPECT_THAT(Refused(top_ + "/none").message, HasSubstr("no such folder"));
  EXPECT_THAT(Refused("").message, HasSubstr("empty"));
  EXPECT_THAT(Refused(std::string("a\0b", 3)).message, HasSubstr("empty"));
  const std::string file = top_ + "/file";
  close(open(file.c_str(), O_CREAT | O_WRONLY, 0644));
  EXPECT_THAT(Refused(file).message, HasSubstr("not a folder"));
  EXPECT_THAT(Refused(file + "/below").message, HasSubstr("no such folder"));
  const std::string fifo = top_ + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0644), 0);
  EXPECT_THAT(Refused(fifo).message, HasSubstr("not a folder"));
  fs::create_symlink(top_ + "/loop", top_ + "/loop");
  EXPECT_THAT(Refused(top_ + "/loop").message, HasSubstr("ELOOP"));
  EXPECT_THAT(Refused("/" + std::string(5000, 'x')).message, HasSubstr("ENAMETOOLONG"));
}

TEST_F(WorkspaceTest, IsReadable) {
  closed_ = Folder("closed");
  ASSERT_EQ(chmod(closed_.c_str(), 0000), 0);
  EXPECT_THAT(Refused(closed_).message, HasSubstr("can't be read"));
  ASSERT_EQ(chmod(closed_.c_str(), 0400), 0);  // may be listed, not entered
  EXPECT_THAT(Refused(closed_).message, HasSubstr("can't be read"));
  ASSERT_EQ(chmod(closed_.c_str(), 0500), 0);
  EXPECT_EQ(PathOf(closed_), closed_);
}

TEST_F(WorkspaceTest, IsNotTheWholeMachine) {
  EXPECT_THAT(Refused("/").message, HasSubstr("the whole machine"));
  EXPECT_THAT(Refused("//../.").message, HasSubstr("the whole machine"));
}

TEST_F(WorkspaceTest, IsNoHomeAndHoldsNone) {
  const std::string home = Folder("homes/ann"), repo = Folder("homes/ann/src/repo");
  const WorkspaceRules rules{{home}, ""};
  EXPECT_THAT(Refused(home, rules).message, HasSubstr("is a home folder"));
  EXPECT_THAT(Refused(home + "/src/..", rules).message, HasSubstr("is a home folder"));
  EXPECT_THAT(Refused(top_ + "/homes", rules).message, HasSubstr("holds the home folder"));
  EXPECT_THAT(Refused(top_, rules).message, HasSubstr("holds the home folder"));
  fs::create_symlink(home, top_ + "/link");
  EXPECT_THAT(Refused(top_ + "/link", rules).message, HasSubstr("is a home folder"));
  EXPECT_EQ(PathOf(repo, rules), repo);
  // A name that only begins alike is another folder.
  EXPECT_EQ(PathOf(Folder("homes/an"), rules), top_ + "/homes/an");
  EXPECT_EQ(PathOf(Folder("homes/annabel"), rules), top_ + "/homes/annabel");
}

TEST_F(WorkspaceTest, IsNoFolderOfTheSystem) {
  for (const char* folder : {"/etc", "/etc/ssl", "/proc", "/proc/sys", "/sys", "/sys/kernel", "/run", "/usr", "/usr/bin", "/bin", "/usr/../etc/.", "/var", "/var/lib", "/dev", "/boot"})
    EXPECT_THAT(Refused(folder).message, HasSubstr("is a folder of the system's")) << folder;
  EXPECT_THAT(Refused("/etc").hint, HasSubstr("--insist /etc"));
  EXPECT_EQ(PathOf("/etc", {{}, "/etc"}), "/etc");
  fs::create_symlink("/etc", top_ + "/mine");
  EXPECT_THAT(Refused(top_ + "/mine").message, HasSubstr("is a folder of the system's"));
  // Sources and what services keep do lie there.
  for (const char* folder : {"/usr/src", "/usr/share/doc", "/srv"}) {
    if (!fs::exists(folder)) continue;
    EXPECT_EQ(PathOf(folder), folder);
  }
}

TEST_F(WorkspaceTest, MayBeInsistedOnByItsOwnName) {
  const std::string home = Folder("ann"), other = Folder("bob");
  EXPECT_EQ(PathOf(home, {{home, other}, home}), home);
  fs::create_symlink(home, top_ + "/link");
  EXPECT_EQ(PathOf(home, {{home}, top_ + "/link"}), home);
  EXPECT_THAT(Refused(home, {{home, other}, other}).message, HasSubstr("is a home folder"));
  EXPECT_THAT(Refused(home, {{home}, top_}).message, HasSubstr("is a home folder"));  // what holds it is another name
  EXPECT_THAT(Refused(home, {{home}, top_ + "/none"}).message, HasSubstr("is a home folder"));
  EXPECT_THAT(Refused(home, {{home}, ""}).hint, HasSubstr("--insist " + home));
}

TEST_F(WorkspaceTest, FollowsSymlinksOnceAndForAll) {
  const std::string repo = Folder("real/repo");
  fs::create_symlink("real", top_ + "/by-name");
  EXPECT_EQ(PathOf(top_ + "/by-name/repo"), repo);
  EXPECT_EQ(PathOf(top_ + "/by-name/../real/./repo/"), repo);
}

TEST_F(WorkspaceTest, MayHaveAnyName) {
  for (const char* name : {"with space", "new\nline", "-rf", "caf\xC3\xA9", "bad \xFF\xC0 bytes", "\x1b[31m", "'\"$(x)`"}) EXPECT_EQ(PathOf(Folder(name)), top_ + "/" + name);
}

TEST_F(WorkspaceTest, ShowsHostileNamesHarmlessly) {
  const std::string message = Refused(top_ + "/\x1b[2J\n\xE2\x80\xAE").message;
  EXPECT_EQ(message.find_first_of("\x1b\n"), std::string::npos);
  EXPECT_THAT(message, HasSubstr("\\u{1B}[2J\\u{A}\\u{202E}"));
}

TEST_F(WorkspaceTest, HomesAreThoseOfTheCallerAndOfRoot) {
  const std::string home = Folder("my home");
  const char* before = getenv("HOME");
  const std::string old = before ? before : "";
  setenv("HOME", home.c_str(), 1);
  EXPECT_THAT(HomeFolders(), testing::Contains(home));
  setenv("HOME", "/", 1);  // of service accounts: refused as / anyway, and must not make every folder a home's
  EXPECT_THAT(HomeFolders(), testing::Not(testing::Contains("/")));
  setenv("HOME", "relative", 1);
  EXPECT_THAT(HomeFolders(), testing::Each(testing::StartsWith("/")));
  before ? setenv("HOME", old.c_str(), 1) : unsetenv("HOME");
}

}  // namespace
}  // namespace paddock::sandbox

// Profiles of several files: names, paths, cycles, and errors that name the file and the line at fault.
#include "sandbox/profile_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "sandbox/profile_json.h"
#include "sandbox/profile_paths.h"

namespace paddock::sandbox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

// A made-up disk: nothing is read but through the callback.
class Chains : public testing::Test {
 protected:
  Chains() {
    files_.own_folder = "/conf/profiles";
    files_.own = {"ours", "team"};
    files_.read = [this](const std::string& path) -> Result<std::string> {
      read_.push_back(path);
      if (auto found = disk_.find(path); found != disk_.end()) return found->second;
      return Fail(ErrorKind::kNotFound, path + ": No such file or directory (ENOENT)");
    };
  }
  static std::string Text(const std::string& name, const std::string& extends, const std::string& more = "") {
    return "{\n\"schema\": \"paddock/profile/1\",\n\"name\": \"" + name + "\",\n\"extends\": \"" + extends + "\"" + (more.empty() ? "" : ",\n" + more) + "\n}\n";
  }
  Profile Good(const std::string& wanted) {
    auto loaded = LoadProfile(wanted, files_);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded ? loaded->profile : Profile{};
  }
  Error Bad(const std::string& wanted) {
    auto loaded = LoadProfile(wanted, files_);
    EXPECT_FALSE(loaded);
    return loaded ? Error{} : loaded.error();
  }
  std::map<std::string, std::string> disk_;
  std::vector<std::string> read_;
  ProfileFiles files_;
};

TEST_F(Chains, ExtendsAnotherOfTheUsersOwn) {
  disk_["/conf/profiles/ours.json"] = Text("ours", "team", R"("limits": {"files": 99})");
  disk_["/conf/profiles/team.json"] = Text("team", "read-only", R"("limits": {"files": 50, "processes": 3})");
  const Profile profile = Good("ours");
  EXPECT_EQ(profile.name, "ours");
  EXPECT_EQ(profile.limits.files, 99);
  EXPECT_EQ(profile.limits.processes, 3);
  EXPECT_EQ(profile.limits.cpu, "60s");
  EXPECT_EQ(profile.filesystem.workspace, WorkspaceAccess::kRead);
}

TEST_F(Chains, APathIsRelativeToTheFileThatItStandsIn) {
  disk_["/a/b/top.json"] = Text("top", "../low.json");
  disk_["/a/low.json"] = Text("anything", "./c/lower.json");
  disk_["/a/c/lower.json"] = Text("lower", "/abs/lowest.json");
  disk_["/abs/lowest.json"] = Text("lowest", "ours");
  disk_["/conf/profiles/ours.json"] = Text("ours", "read-only", R"("limits": {"files": 77})");
  EXPECT_EQ(Good("/a/b/top.json").limits.files, 77);
  disk_["rel/x.json"] = Text("x", "./y.json");
  disk_["rel/y.json"] = Text("y", "base", R"("limits": {"files": 66})");
  EXPECT_EQ(Good("./rel/x.json").limits.files, 66);
}

TEST_F(Chains, ACycleIsPrintedAndNothingIsReadTwice) {
  disk_["/conf/profiles/ours.json"] = Text("ours", "team");
  disk_["/conf/profiles/team.json"] = Text("team", "ours");
  Error error = Bad("ours");
  EXPECT_EQ(error.message, "/conf/profiles/team.json:4: $.extends: a cycle: ours → team → ours");
  EXPECT_FALSE(error.hint.empty());
  EXPECT_EQ(read_.size(), 2u);
  disk_["/x/a.json"] = Text("a", "./a.json");
  EXPECT_EQ(Bad("/x/a.json").message, "/x/a.json:4: $.extends: a cycle: /x/a.json → ./a.json");
  for (int i = 0; i < 20; ++i) disk_["/x/" + std::to_string(i) + ".json"] = Text("n", "./" + std::to_string(i + 1) + ".json");
  EXPECT_THAT(Bad("/x/0.json").message, HasSubstr("more than 8 levels: /x/0.json → ./1.json → "));
}

TEST_F(Chains, AShippedNameStaysTheShippedProfile) {
  files_.own = {"ours", "read-only"};
  disk_["/conf/profiles/read-only.json"] = Text("read-only", "base");
  disk_["/conf/profiles/ours.json"] = Text("ours", "read-only");
  EXPECT_THAT(Bad("read-only").message, HasSubstr("/conf/profiles/read-only.json: \"read-only\" comes with paddock and can't be replaced"));
  EXPECT_THAT(Bad("ours").message, HasSubstr("can't be replaced"));
  // Nor may a file call itself so.
  disk_["/x.json"] = Text("build", "base");
  EXPECT_EQ(Bad("/x.json").message, "/x.json:3: $.name: \"build\" comes with paddock");
}

TEST_F(Chains, AFileOfTheUsersOwnIsCalledAsItsName) {
  disk_["/conf/profiles/ours.json"] = Text("theirs", "base");
  EXPECT_EQ(Bad("ours").message, "/conf/profiles/ours.json:3: $.name: expected \"ours\" as the file is called, got \"theirs\"");
}

TEST_F(Chains, AnErrorOfABaseFileNamesThatFile) {
  disk_["/a/top.json"] = Text("top", "./low.json", R"("limits": {"files": 99})");
  disk_["/a/low.json"] = Text("low", "base", "\"limits\": {\n\"wal\": \"1s\"}");
  EXPECT_THAT(Bad("/a/top.json").message, StartsWith("/a/low.json:6: $.limits: unknown key \"wal\""));
  EXPECT_EQ(Bad("/a/top.json").hint, "did you mean \"wall\"?");
  // Also where only the whole is wrong.
  disk_["/a/low.json"] = Text("low", "base", "\"limits\": {\n\"wall\": \"1 s\"}");
  EXPECT_THAT(Bad("/a/top.json").message, StartsWith("/a/low.json:6: $.limits.wall: \"1 s\": expected a duration"));
  disk_["/a/low.json"] = Text("low", "base", "\"limits\": {\n\n");
  EXPECT_THAT(Bad("/a/top.json").message, StartsWith("/a/low.json:9: column"));
  disk_["/a/low.json"] = Text("low", "base", "\"name\": \"twice\"");
  EXPECT_THAT(Bad("/a/top.json").message, StartsWith("/a/low.json:5: duplicate key: $.name"));
  // What the first file says counts, so that one's fault does no harm... but it is a fault.
  disk_["/a/top.json"] = Text("top", "./low.json", R"("limits": {"wall": "1s"})");
  disk_["/a/low.json"] = Text("low", "base", "\"limits\": {\n\"wall\": 1}");
  EXPECT_THAT(Bad("/a/top.json").message, StartsWith("/a/low.json:6: $.limits.wall: expected a string, got 1"));
  EXPECT_EQ(Bad("/a/top.json").hint, "write a time with its unit, such as \"300s\"");
}

TEST_F(Chains, WhatIsNotThereIsNamed) {
  Error error = Bad("team.json");
  EXPECT_THAT(error.message, HasSubstr("no profile named \"team.json\"; known: base, build, mcp-server, ours, read-only"));
  EXPECT_EQ(error.kind, ErrorKind::kNotFound);
  EXPECT_EQ(Bad("tean").hint, "did you mean \"team\"?");
  EXPECT_THAT(Bad("./team.json").message, HasSubstr("team.json: No such file"));
  disk_["/a.json"] = Text("a", "./b.json");
  EXPECT_EQ(Bad("/a.json").message, "/a.json:4: $.extends: /b.json: No such file or directory (ENOENT)");
  EXPECT_THAT(Bad("syscall-groups").message, HasSubstr("no profile named"));
}

TEST_F(Chains, AWarningOfAShippedFileIsNotTheUsers) {
  disk_["/a.json"] = Text("a", "read-only-tools");
  auto loaded = LoadProfile("/a.json", files_);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(loaded->warnings.empty());  // of its programs some may not be installed
}

class LeadsThroughTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "paddock-through-XXXXXX";
    ASSERT_TRUE(mkdtemp(pattern.data()));
    root_ = fs::canonical(pattern);
    fs::create_directories(root_ / "repo/sub");
    fs::create_directories(root_ / "repository");
    fs::create_directories(root_ / "out");
    std::ofstream(root_ / "out/p.json") << "{}";
    std::ofstream(root_ / "repo/p.json") << "{}";
  }
  void TearDown() override { fs::remove_all(root_); }
  bool Leads(const std::string& path) const { return LeadsThrough((root_ / path).string(), (root_ / "repo").string()); }
  fs::path root_;
};

TEST_F(LeadsThroughTest, SeesTheFolderAnywhereOnTheWay) {
  EXPECT_FALSE(Leads("out/p.json"));
  EXPECT_FALSE(Leads("repository/p.json"));
  EXPECT_FALSE(Leads("missing/p.json"));
  EXPECT_TRUE(Leads("repo/p.json"));
  EXPECT_TRUE(Leads("repo/missing.json"));
  EXPECT_TRUE(Leads("out/../repo/sub/p.json"));
  EXPECT_TRUE(Leads("repo/sub/../../out/p.json"));
  EXPECT_TRUE(Leads("repo"));
}

TEST(LeadsThrough, BeginsInTheCurrentFolder) {
  EXPECT_TRUE(LeadsThrough("x.json", "."));
  EXPECT_TRUE(LeadsThrough("x.json", ".."));
  EXPECT_TRUE(LeadsThrough("./a/../x.json", "."));
  EXPECT_FALSE(LeadsThrough("x.json", "/proc"));
}

TEST_F(LeadsThroughTest, FollowsLinksInAndOutAgain) {
  fs::create_symlink("../repo/p.json", root_ / "out/in.json");
  fs::create_symlink(root_ / "out/p.json", root_ / "repo/away.json");
  fs::create_symlink(root_ / "repo/away.json", root_ / "out/round.json");
  fs::create_symlink("out", root_ / "elsewhere");
  fs::create_symlink("loop", root_ / "loop");
  EXPECT_TRUE(Leads("out/in.json"));
  EXPECT_TRUE(Leads("out/round.json"));  // ends outside, but the repository says where
  EXPECT_FALSE(Leads("elsewhere/p.json"));
  EXPECT_TRUE(Leads("loop"));  // can't be told
  // The folder may be named through a link itself.
  fs::create_symlink("repo", root_ / "alias");
  EXPECT_TRUE(LeadsThrough((root_ / "repo/p.json").string(), (root_ / "alias").string()));
  EXPECT_FALSE(LeadsThrough((root_ / "out/p.json").string(), (root_ / "no-such-folder").string()));
}

}  // namespace
}  // namespace paddock::sandbox

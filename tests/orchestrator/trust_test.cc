// What the user trusted is kept privately, and only what is kept whole counts.
#include "orchestrator/session/trust.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "orchestrator/delegation/carry_over.h"

namespace paddock::orchestrator {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct TrustTest : testing::Test {
  TrustTest() {
    std::string name = fs::temp_directory_path() / "paddock-trust-XXXXXX";
    home = ::mkdtemp(name.data());
    state = home + "/state";
  }
  ~TrustTest() override {
    std::error_code ignored;
    fs::remove_all(home, ignored);
  }
  static Trust Of(const std::string& repository) {
    Trust trust;
    trust.repository = repository;
    trust.added_ms = 5;
    subagents::ForeignDefinition file;
    file.path = ".claude/agents/x.md";
    file.text = "text";
    trust.files = {file};
    trust.digest = DigestOf(trust.files);
    return trust;
  }
  std::string OnlyFile() const {
    std::string found;
    for (const auto& entry : fs::directory_iterator(state + "/paddock/trust")) found = entry.path();
    return found;
  }
  static mode_t Mode(const std::string& path) {
    struct stat info {};
    return ::lstat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
  }
  std::string home, state;
};

TEST_F(TrustTest, IsKeptByThePathOfTheRepository) {
  auto none = LoadTrust(state, "/src/a");
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  EXPECT_FALSE(fs::exists(state)) << "looking makes nothing";
  const mode_t old_mask = ::umask(0);
  ASSERT_TRUE(SaveTrust(state, "/src/a", Of("/src/a")));
  ::umask(old_mask);
  EXPECT_EQ(Mode(state + "/paddock/trust"), 0700u);
  EXPECT_EQ(Mode(OnlyFile()), 0600u);
  auto kept = LoadTrust(state, "/src/a");
  ASSERT_TRUE(kept && *kept);
  EXPECT_EQ(ToJson(**kept), ToJson(Of("/src/a")));
  EXPECT_FALSE(*LoadTrust(state, "/src/b"));
  EXPECT_EQ(ListTrusts(state)->trusts.size(), 1u);
  EXPECT_TRUE(*RemoveTrust(state, "/src/a"));
  EXPECT_FALSE(*RemoveTrust(state, "/src/a"));
  EXPECT_FALSE(*LoadTrust(state, "/src/a"));
}

TEST_F(TrustTest, WhatIsDamagedOrOpenToOthersIsNoTrust) {
  ASSERT_TRUE(SaveTrust(state, "/src/a", Of("/src/a")));
  const std::string file = OnlyFile();
  fs::permissions(file, fs::perms(0666));
  EXPECT_THAT(LoadTrust(state, "/src/a").error().message, HasSubstr("can be written by others"));
  fs::permissions(file, fs::perms(0600));
  std::ofstream(file) << "{";
  EXPECT_EQ(LoadTrust(state, "/src/a").error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(ListTrusts(state)->damaged, 1u);
  ASSERT_TRUE(SaveTrust(state, "/src/a", Of("/src/other")));
  EXPECT_THAT(LoadTrust(state, "/src/a").error().message, HasSubstr("another repository"));
  fs::remove(file);
  std::ofstream(home + "/elsewhere") << DumpJson(ToJson(Of("/src/a")));
  fs::create_symlink(home + "/elsewhere", file);
  EXPECT_EQ(LoadTrust(state, "/src/a").error().kind, ErrorKind::kDenied);
  fs::remove_all(state + "/paddock/trust");
  fs::create_directory(home + "/shared");
  fs::create_symlink(home + "/shared", state + "/paddock/trust");
  EXPECT_EQ(LoadTrust(state, "/src/a").error().kind, ErrorKind::kDenied);
  EXPECT_FALSE(SaveTrust(state, "/src/a", Of("/src/a")));
}

}  // namespace
}  // namespace paddock::orchestrator

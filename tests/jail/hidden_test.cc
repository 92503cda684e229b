// What a profile hides shows nothing to a program in a jail, by whatever name or way it asks.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "subagents/cell_abi.h"
#include "tests/jail/program_harness.h"

namespace paddock::sandbox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

static_assert(std::string_view(subagents::kBlankFilePath) == kBlankFile && std::string_view(subagents::kBlankFolderPath) == kBlankFolder);

class HiddenFromPrograms : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    // What can only be read by its owner is as hidden: nothing here rests on modes.
    Write(".env", 0644);
    Write("secrets/key", 0644);
    Write("odd\xff\n\\name", 0644);
    std::filesystem::create_hard_link(folder_.path() + "/.env", folder_.path() + "/copy");
    request_.hidden = {".env", "copy", "secrets", "odd\xff\n\\name"};
  }
  void Write(const std::string& name, mode_t mode) const {
    const std::string path = folder_.path() + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << "SECRET\n";
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
  }
  static std::string Reading(const std::string& more = "") {
    return ProfileText(R"("filesystem": {"root": "minimal", "workspace": "read", "hide": [".env"], "tmp": "16M", "proc": "full")" + more + R"(}, "exec": "any",
      "syscalls": {"allow": ["@build"], "report": true}, "limits": {"wall": "60s", "memory": "1G", "processes": 64, "files": 256, "file_size": "16M"},
      "env": {"set": {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}})");
  }
  Ran Shell(const std::string& profile, const std::string& script) { return Run(profile, {"sh", "-c", script}); }
};

TEST_F(HiddenFromPrograms, NoNameAndNoDetourReadsIt) {
  for (const char* path : {".env", "copy", "secrets/key", "secrets", "/proc/self/root/workspace/.env", "/proc/self/cwd/copy", "/proc/1/root/workspace/.env", "/workspace/secrets/../.env", "odd*name"}) {
    Ran ran = Shell(Reading(), std::string("cat ") + path + " 2>&1; ls secrets 2>&1");
    ASSERT_FALSE(ran.refused) << ran.refused->message;
    EXPECT_THAT(ran.out, Not(HasSubstr("SECRET"))) << path;
    EXPECT_THAT(ran.out, HasSubstr("Permission denied")) << path << ran.out;
    EXPECT_THAT(ran.out, Not(HasSubstr("key\n"))) << path;
  }
}

TEST_F(HiddenFromPrograms, NothingTakesTheCoverAway) {
  Ran ran = Shell(Reading(), "chmod 777 .env; umount .env; mv .env /tmp/x; rm -f .env; ln .env /tmp/y; mount --bind /tmp .; unshare -Urm umount /workspace/.env; cat .env /tmp/x /tmp/y; cat file");
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_EQ(ran.out, "hello\n") << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(".env: Permission denied"));
}

TEST_F(HiddenFromPrograms, APrivateCopyLeavesThemOutWithoutAWord) {
  std::string profile = Building();
  profile.replace(profile.find("\"workspace_size\""), 0, "\"hide\": [\".env\"], ");
  Ran ran = Shell(profile, "ls -a; cat /.original/.env /.original/secrets/key");
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_EQ(ran.out, ".\n..\nfile\n");
  EXPECT_EQ(ran.report, "");
  EXPECT_THAT(ran.err, HasSubstr("No such file"));  // only the copier ever saw the original
}

TEST_F(HiddenFromPrograms, TheWorkspaceShownByAnotherPathIsCoveredToo) {
  std::string profile = Reading(", \"read\": [\"" + folder_.path() + "\"]");
  profile.replace(profile.find("16M"), 3, "0");  // the folder lies in /tmp
  // Closed to root's jails, which are nobody: what they can't reach need not be covered.
  for (mode_t mode : {0700, 0755}) {
    ASSERT_EQ(chmod(folder_.path().c_str(), mode), 0);
    Ran ran = Shell(profile, "cd " + folder_.path() + " && cat file; cat " + folder_.path() + "/.env " + folder_.path() + "/copy " + folder_.path() + "/secrets/key");
    ASSERT_FALSE(ran.refused) << ran.refused->message;
    if (mode == 0755) {
      EXPECT_EQ(ran.out, "hello\n");
    }
    EXPECT_THAT(ran.out, Not(HasSubstr("SECRET")));
    EXPECT_THAT(ran.err, HasSubstr("Permission denied"));
  }
}

TEST_F(HiddenFromPrograms, AThousandPathsAreCovered) {
  request_.hidden->clear();
  for (int i = 0; i < 1000; ++i) {
    Write("many/" + std::to_string(i) + ".key", 0644);
    request_.hidden->push_back("many/" + std::to_string(i) + ".key");
  }
  Write("many/seen", 0644);
  Ran ran = Shell(Reading(), "cat many/* 2>/dev/null");
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_EQ(ran.out, "SECRET\n");
}

TEST_F(HiddenFromPrograms, WhatIsGoneIsNotMissedAndALinkInItsPlaceIsRefused) {
  request_.hidden->push_back("gone");
  Ran ran = Shell(Reading(), "cat file");
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_EQ(ran.out, "hello\n");
  ASSERT_EQ(symlink("file", (folder_.path() + "/gone").c_str()), 0);
  ran = Shell(Reading(), "cat file");
  ASSERT_TRUE(ran.refused);
  EXPECT_THAT(ran.refused->message + ran.refused->hint, HasSubstr("gone"));
}

TEST_F(HiddenFromPrograms, TheReceiptCountsThem) {
  auto profile = ParseProfile(Reading(), "test.json");
  ASSERT_TRUE(profile) << profile.error().message;
  profile_ = *profile;
  request_.profile = &profile_;
  request_.workspace = &workspace_;
  request_.argv = {"true"};
  request_.hidden->push_back("gone");
  auto built = BuildProgramPlan(request_, ThisCaller());
  ASSERT_TRUE(built) << built.error().message;
  std::vector<UniqueFd> passed;
  for (size_t i = 0; i < built->plan.descriptors.size(); ++i) passed.emplace_back(open("/dev/null", O_RDWR | O_CLOEXEC));
  auto jail = launcher().StartJail(built->plan, std::move(passed), Soon());
  ASSERT_TRUE(jail) << jail.error().message;
  auto started = jail->WaitStarted(Soon());
  ASSERT_TRUE(started) << started.error().message;
  auto receipt = ReadReceipt(jail->payload_pid(), jail->payload_pidfd(), profile_, *built, *ReadBaseline(),
                             {{Layer::kLandlock, jail->landlock_witness()}, {Layer::kSeccomp, jail->seccomp_witness()}}, true);
  ASSERT_TRUE(receipt) << receipt.error().message;
  EXPECT_TRUE(CheckReceipt(*receipt));
  EXPECT_THAT(receipt->notes, Contains(HasSubstr("4 paths are hidden, as the profile asks; 1 more had gone, or can't be reached")));
  EXPECT_THAT(receipt->notes, Not(Contains(HasSubstr("other mount"))));
  request_.hidden.reset();
  EXPECT_FALSE(BuildProgramPlan(request_, ThisCaller()));
}

}  // namespace
}  // namespace paddock::sandbox

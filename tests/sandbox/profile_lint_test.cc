// Profiles that contradict themselves: each is refused at its line with what to write instead, before anything runs.
#include "sandbox/profile_lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "sandbox/profile_json.h"

namespace paddock::sandbox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

// A profile for programs, with `more` over it, from line 3 on.
std::string File(const std::string& more) {
  return "{\"schema\": \"paddock/profile/1\", \"name\": \"mine\",\n\"extends\": \"build\",\n" + more + "}";
}
LoadedProfile Good(const std::string& more) {
  auto loaded = ParseProfile(File(more), "mine.json", {});
  EXPECT_TRUE(loaded) << more << "\n" << loaded.error().message;
  return loaded ? *loaded : LoadedProfile{};
}
// What is wrong, without the place, which must be on line `line`.
std::string Bad(const std::string& more, int line = 3) {
  auto loaded = ParseProfile(File(more), "mine.json", {});
  EXPECT_FALSE(loaded) << more;
  if (loaded) return "";
  const std::string place = "mine.json:" + std::to_string(line) + ": ";
  EXPECT_THAT(loaded.error().message, StartsWith(place));
  EXPECT_FALSE(loaded.error().hint.empty()) << loaded.error().message;
  return loaded.error().message.substr(std::min(place.size(), loaded.error().message.size()));
}

class LintedPaths : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "paddock-lint-XXXXXX";
    ASSERT_TRUE(mkdtemp(pattern.data()));
    root_ = fs::canonical(pattern);
    fs::create_directories(root_ / "image/usr/bin");
    std::ofstream(root_ / "file") << "x";
    std::ofstream(root_ / "image/usr/bin/tool") << "x";
    std::ofstream(root_ / "tool") << "x";
    fs::permissions(root_ / "tool", fs::perms(0755));
  }
  void TearDown() override { fs::remove_all(root_); }
  std::string Path(const std::string& name) const { return root_ / name; }
  fs::path root_;
};

TEST_F(LintedPaths, AnImageNeedsTheRootAndTheRootAnImage) {
  EXPECT_THAT(Bad(R"("filesystem": {"root": "image"})"), HasSubstr("$.filesystem.root: \"image\" without a path"));
  EXPECT_THAT(Bad("\"filesystem\": {\"image\": \"" + Path("image") + "\"}"), HasSubstr("$.filesystem.image: an image, but the root is \"minimal\""));
  EXPECT_EQ(Good("\"filesystem\": {\"root\": \"image\", \"image\": \"" + Path("image") + "\"}").profile.filesystem.image, Path("image"));
  auto image = [&](const std::string& path) { return Bad("\"filesystem\": {\"root\": \"image\",\n\"image\": \"" + path + "\"}", 4); };
  EXPECT_THAT(image(Path("missing")), HasSubstr("is not there"));
  EXPECT_THAT(image(Path("file")), HasSubstr("is not a folder"));
  EXPECT_THAT(image("images/debian"), HasSubstr("expected an absolute path"));
  EXPECT_THAT(image("~/debian"), HasSubstr("expected an absolute path"));
  EXPECT_THAT(image(Path("image/../image")), HasSubstr("without . and .."));
  EXPECT_THAT(image("/"), HasSubstr("is everything there is"));
}

TEST_F(LintedPaths, WhatIsShownIsThereAndNoWayOut) {
  auto read = [](const std::string& path) { return "\"filesystem\": {\"tmp\": \"0\", \"read\": [\"/usr\",\n\"" + path + "\"]}"; };
  EXPECT_EQ(Good(read(Path("image"))).profile.filesystem.read.size(), 2u);
  EXPECT_EQ(Good(read(Path("file"))).profile.filesystem.read.size(), 2u);
  for (const char* way : {"/proc", "/proc/self/root", "/sys/fs", "/dev", "/run"}) EXPECT_THAT(Bad(read(way), 4), HasSubstr("$.filesystem.read[1]")) << way;
  EXPECT_THAT(Bad(read("/"), 4), HasSubstr("is everything there is"));
  EXPECT_THAT(Bad(read("usr/share"), 4), HasSubstr("expected an absolute path"));
  EXPECT_THAT(Bad(read(Path("a/../file")), 4), HasSubstr("without . and .."));
  EXPECT_THAT(Bad(read(Path("missing")), 4), HasSubstr("is not there"));
  EXPECT_THAT(Bad(read(Path("image/")), 4), HasSubstr("slashes"));
  // A link is where it leads.
  fs::create_symlink("/", root_ / "all");
  fs::create_symlink("/proc", root_ / "kernel");
  EXPECT_THAT(Bad(read(Path("all")), 4), HasSubstr("is everything there is"));
  EXPECT_THAT(Bad(read(Path("kernel")), 4), HasSubstr("is in /proc"));
}

TEST_F(LintedPaths, NoHomeFolderIsShownAsAWhole) {
  const char* before = getenv("HOME");
  const std::string home = before ? before : "";
  fs::create_directories(root_ / "homes/ann/.ssh");
  fs::create_directories(root_ / "homes/ann/library");
  setenv("HOME", Path("homes/ann").c_str(), 1);
  auto read = [&](const std::string& name) { return "\"filesystem\": {\"tmp\": \"0\", \"read\": [\"" + Path(name) + "\"]}"; };
  EXPECT_THAT(Bad(read("homes/ann")), HasSubstr("is a home folder or holds one"));
  EXPECT_THAT(Bad(read("homes")), HasSubstr("is a home folder or holds one"));
  EXPECT_TRUE(Good(read("homes/ann/library")).warnings.empty());
  const LoadedProfile keys = Good(read("homes/ann/.ssh"));
  ASSERT_EQ(keys.warnings.size(), 1u);
  EXPECT_EQ(keys.warnings[0].place, "mine.json:3");
  EXPECT_THAT(keys.warnings[0].message, HasSubstr("holds keys"));
  before ? setenv("HOME", home.c_str(), 1) : unsetenv("HOME");
}

TEST_F(LintedPaths, ListedProgramsAreNamesOrPathsOfPrograms) {
  const std::string list = R"("syscalls": {"allow": ["@tools-read-only"]}, "network": {"loopback": false}, )";
  EXPECT_EQ(Good(list + "\"exec\": [\"cat\", \"" + Path("tool") + "\"]").profile.exec.mode, ExecRules::Mode::kList);
  EXPECT_THAT(Bad(list + R"("exec": ["bin/tool"])"), HasSubstr("$.exec[0]: \"bin/tool\": expected a bare name or an absolute path"));
  EXPECT_THAT(Bad(list + "\"exec\": [\"" + Path("file") + "\"]"), HasSubstr("is not a program"));
  EXPECT_THAT(Bad(list + "\"exec\": [\"" + Path("missing") + "\"]"), HasSubstr("is not there"));
  EXPECT_THAT(Bad(list + R"("exec": ["/usr/bin/../bin/cat"])"), HasSubstr("without . and .."));
  const std::string image = list + "\"filesystem\": {\"root\": \"image\", \"image\": \"" + Path("image") + "\"}, ";
  EXPECT_EQ(Good(image + R"("exec": ["/usr/bin/tool", "tool"])").warnings.size(), 0u);
  EXPECT_THAT(Bad(image + R"("exec": ["/usr/bin/other"])"), HasSubstr("is no program of the image"));
  const LoadedProfile missing = Good(list + R"("exec": ["cat", "no-such-program-here"])");
  ASSERT_EQ(missing.warnings.size(), 1u);
  EXPECT_THAT(missing.warnings[0].message, HasSubstr("$.exec[1]: \"no-such-program-here\" is not installed"));
}

TEST_F(LintedPaths, AnInterpreterMakesTheListAny) {
  const std::string list = R"("syscalls": {"allow": ["@tools-read-only"]}, "network": {"loopback": false}, )";
  for (const char* one : {"sh", "python3.11", "env"}) {
    const LoadedProfile loaded = Good(list + "\"exec\": [\"cat\",\n\"" + one + "\"]");
    EXPECT_EQ(loaded.profile.exec.mode, ExecRules::Mode::kAny) << one;
    EXPECT_TRUE(loaded.profile.exec.programs.empty());
    ASSERT_EQ(loaded.warnings.size(), 1u) << one;
    EXPECT_EQ(loaded.warnings[0].place, "mine.json:4");
    EXPECT_THAT(loaded.warnings[0].message, HasSubstr("$.exec[1]: \"" + std::string(one) + "\" runs whatever it is told: with it the list is \"any\"; write \"exec\": \"any\", or take it out"));
  }
  // By whatever name.
  fs::create_symlink("/bin/sh", root_ / "harmless");
  EXPECT_EQ(Good(list + "\"exec\": [\"" + Path("harmless") + "\"]").profile.exec.mode, ExecRules::Mode::kAny);
  // Then it needs a root that has programs.
  EXPECT_THAT(Bad(list + R"("filesystem": {"root": "cell-only"}, "exec": ["cat", "sh"])"), HasSubstr("$.exec: any program, but with the root \"cell-only\" there is none"));
}

TEST(IsInterpreter, KnowsThemByNameVersionAndPath) {
  for (const char* one : {"sh", "/bin/bash", "dash", "zsh", "python3", "python3.11", "/usr/bin/python", "perl5.36.0", "ruby3.1", "node", "awk", "gawk-5.2", "mawk", "lua5.4", "php8.2",
                          "gdb", "env", "xargs", "find", "make", "busybox", "ld.so", "/lib64/ld-linux-x86-64.so.2", "ld-2.36.so", "ld-musl-x86_64.so.1", "tclsh8.6", "qemu-x86_64-static", "valgrind"})
    EXPECT_TRUE(IsInterpreter(one)) << one;
  for (const char* one : {"git", "rg", "cat", "sha256sum", "ls", "ctags", "ld", "ld.bfd", "od", "jq", "", "/", "b2sum", "findmnt", "timeout", "makeinfo", "perldoc"}) EXPECT_FALSE(IsInterpreter(one)) << one;
}

TEST(ProfileLint, AnErrorIsInTheUsersFileNotInTheShippedOne) {
  // "exec" stands in build, which comes with paddock; the root that contradicts it is the file's own.
  auto loaded = ParseProfile(File(R"("filesystem": {"root": "cell-only"})"), "mine.json", {});
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, testing::MatchesRegex("mine.json:3: \\$.exec: any program, but with the root \"cell-only\" there is none"));
  EXPECT_THAT(loaded.error().hint, HasSubstr("\"root\": \"minimal\""));
}

TEST(ProfileLint, CallsMustAllowWhatIsPromised) {
  const std::string none = R"("syscalls": {"allow": ["@program"]}, "filesystem": {"workspace": "read", "tmp": "0"}, "network": {"loopback": false}, )";
  EXPECT_THAT(Bad(none + R"("exec": "any")"), HasSubstr("$.exec: programs may be started, but the system calls allow no execve"));
  EXPECT_THAT(Bad(R"("syscalls": {"allow": ["@tools-read-only"]})", 3), HasSubstr("$.network.loopback: a network, but the system calls allow no socket"));
  EXPECT_THAT(Bad(R"("syscalls": {"allow": ["@program"]}, "exec": "none", "network": {"loopback": false})"), HasSubstr("$.filesystem.workspace: an overlay, but the system calls allow no writing"));
  EXPECT_THAT(Bad(R"("syscalls": {"allow": ["@program"]}, "exec": "none", "network": {"loopback": false}, "filesystem": {"workspace": "read"})"),
              HasSubstr("$.filesystem.tmp: a private /tmp, but the system calls allow no writing"));
}

TEST(ProfileLint, AListWithAWayRoundItIsWarnedOfWhereItCanBeTakenOut) {
  const LoadedProfile loaded = Good("\"exec\": [\"cat\"], \"syscalls\": {\"allow\": [\"@build\",\n\"memfd_create\", \"execveat\"]}");
  ASSERT_EQ(loaded.warnings.size(), 2u);
  EXPECT_EQ(loaded.warnings[0].place, "mine.json:4");
  EXPECT_THAT(loaded.warnings[0].message, HasSubstr("$.syscalls.allow[1]: memfd_create could start programs that are not listed: it is denied all the same"));
  EXPECT_THAT(loaded.warnings[1].message, HasSubstr("execveat could start"));
  // Nobody can take a call out of a group, least of all out of a shipped profile's.
  EXPECT_TRUE(Good(R"("exec": ["cat"])").warnings.empty());
  EXPECT_TRUE(Good(R"("exec": ["cat"], "syscalls": {"allow": ["@build"]})").warnings.empty());
}

TEST(ProfileLint, SizesMustFitEachOther) {
  EXPECT_THAT(Bad(R"("limits": {"file_size": "0"})"), HasSubstr("$.limits.file_size: 0: no file may be written, but the workspace is an overlay"));
  EXPECT_THAT(Bad(R"("filesystem": {"workspace": "read"}, "limits": {"file_size": "0"})"), HasSubstr("but there is a private /tmp"));
  EXPECT_THAT(Bad(R"("filesystem": {"workspace_size": "0"})"), HasSubstr("$.filesystem.workspace_size: an overlay with no room"));
  EXPECT_THAT(Bad(R"("limits": {"memory": "3M"})"), HasSubstr("$.limits.memory: \"3M\" is too little"));
  EXPECT_EQ(Good(R"("limits": {"memory": "2G"})").warnings.size(), 0u);
  const LoadedProfile large = Good("\"filesystem\": {\n\"tmp\": \"5G\",\n\"workspace_size\": \"6G\"}");
  ASSERT_EQ(large.warnings.size(), 2u);
  EXPECT_EQ(large.warnings[0].place, "mine.json:5");
  EXPECT_EQ(large.warnings[1].place, "mine.json:4");
  EXPECT_THAT(large.warnings[1].message, HasSubstr("$.filesystem.tmp: larger than the memory"));
}

TEST(ProfileLint, WhatIsHiddenIsSomeFiles) {
  for (const char* all : {"*", "**", "/", "./", "**/*", "."}) EXPECT_THAT(Bad("\"filesystem\": {\"hide\": [\"" + std::string(all) + "\"]}"), HasSubstr("hides the whole repository")) << all;
  const LoadedProfile hiding = Good(R"("filesystem": {"hide": [".env", "secrets/"]})");
  ASSERT_EQ(hiding.warnings.size(), 1u);
  EXPECT_THAT(hiding.warnings[0].message, HasSubstr("$.filesystem.hide: where there is a history (.git), what was ever committed is in it too"));
  for (const char* history : {".git", ".git/", "**/.git", "/.git/", ".g*", ".*"})
    EXPECT_TRUE(Good("\"filesystem\": {\"hide\": [\".env\", \"" + std::string(history) + "\"]}").warnings.empty()) << history;
}

TEST(ProfileLint, NamesWithADotAreSomeFiles) {
  for (const char* some : {".*", "*.*", ".?*", "*/.*"}) EXPECT_EQ(Good("\"filesystem\": {\"hide\": [\"" + std::string(some) + "\"]}").profile.filesystem.hide.size(), 1u) << some;
}

TEST_F(LintedPaths, NothingIsShownBelowAPrivateTmp) {
  std::string folder = "/tmp/paddock-lint-XXXXXX";
  ASSERT_TRUE(mkdtemp(folder.data()));
  const std::string read = "\"read\": [\"/usr\",\n\"" + folder + "\"]";
  EXPECT_THAT(Bad("\"filesystem\": {" + read + "}", 4), HasSubstr("is in the host's /tmp, but the jail has a private one"));
  EXPECT_EQ(Good("\"filesystem\": {\"tmp\": \"0\", " + read + "}").profile.filesystem.read.size(), 2u);
  fs::remove(folder);
}

TEST(ProfileLint, TheEnvironmentIsKeptOrSetButNeverChoosesCode) {
  EXPECT_THAT(Bad(R"("env": {"keep": ["TZ", "HOME"]})"), HasSubstr("$.env.keep[1]: \"HOME\" is kept and set"));
  EXPECT_THAT(Bad(R"("env": {"keep": ["LD_PRELOAD"]})"), HasSubstr("lets the caller's surroundings choose what runs"));
  EXPECT_THAT(Bad(R"("env": {"keep": ["GIT_SSH_COMMAND"]})"), HasSubstr("choose what runs"));
  EXPECT_EQ(Good(R"("env": {"set": {"LD_PRELOAD": "/usr/lib/x.so"}})").profile.env.set.size(), 1u);
  EXPECT_THAT(Bad(R"("env": {"keep": ["A=b"]})"), HasSubstr("is no name of a variable"));
  EXPECT_THAT(Bad(R"("env": {"keep": [""]})"), HasSubstr("is no name of a variable"));
  EXPECT_THAT(Bad(R"("env": {"set": {"A=b": "c"}})"), HasSubstr("is no name of a variable"));
  EXPECT_THAT(Bad(R"("env": {"set": {"A\u0000": "c"}})"), HasSubstr("is no name of a variable"));
  EXPECT_THAT(Bad(R"("env": {"set": {"A": "b\u0000c"}})"), HasSubstr("a value with a NUL byte"));
  const LoadedProfile warned = Good(R"("env": {"keep": ["GITHUB_TOKEN", "LC_*"], "set": {}})");
  ASSERT_EQ(warned.warnings.size(), 2u);
  EXPECT_THAT(warned.warnings[0].message, HasSubstr("may hold a key"));
  EXPECT_THAT(warned.warnings[1].message, HasSubstr("is no pattern"));
}

TEST(ProfileLint, TheSecondFilterIsForCells) {
  EXPECT_THAT(Bad(R"("require": ["seccomp", "seccomp_second"])"), HasSubstr("$.require: seccomp_second is a cell's own doing"));
  auto alone = ParseProfile(R"({"schema": "paddock/profile/1", "name": "p", "filesystem": {"root": "host"}, "exec": "any", "syscalls": {"allow": ["@build"]}})", "p.json");
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_EQ(std::count(alone->require.begin(), alone->require.end(), Layer::kSeccompSecond), 0);
  EXPECT_EQ(std::count(alone->require.begin(), alone->require.end(), Layer::kSeccomp), 1);
}

}  // namespace
}  // namespace paddock::sandbox

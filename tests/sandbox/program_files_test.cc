// What a program needs to start, found on the host: the program, its loader and libraries, and what must be covered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "sandbox/command.h"
#include "sandbox/elf.h"
#include "sandbox/host_sockets.h"
#include "sandbox/root_view.h"

namespace paddock::sandbox {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

class ProgramFiles : public testing::Test {
 protected:
  ProgramFiles() {
    std::string pattern = std::filesystem::temp_directory_path() / "paddock-test-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    old_path_ = getenv("PATH");
  }
  ~ProgramFiles() override {
    setenv("PATH", old_path_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  std::string Write(const std::string& name, const std::string& text, mode_t mode = 0755) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }
  std::string folder_, old_path_;
};

TEST_F(ProgramFiles, LoaderAndLibrariesOfAProgramAreFound) {
  auto files = NeededFiles("/usr/bin/cat");
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(*files, Contains(Field(&NeededFile::name, HasSubstr("ld-linux"))));
  EXPECT_THAT(*files, Contains(Field(&NeededFile::name, HasSubstr("/libc.so.6"))));
  for (const NeededFile& one : *files) EXPECT_FALSE(std::filesystem::is_symlink(one.file)) << one.file;
}

TEST_F(ProgramFiles, CutOrOddElfFilesAreRefusedNotBelieved) {
  std::ifstream whole("/usr/bin/cat", std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(whole)), {});
  for (size_t size : {0, 3, 63, 64, 100, 500, 700}) {
    const std::string path = Write("cut", bytes.substr(0, size));
    EXPECT_FALSE(ReadElf(path)) << size;
  }
  std::string many = bytes;
  many[56] = many[57] = '\xff';  // e_phnum
  EXPECT_FALSE(ReadElf(Write("many", many)));
  EXPECT_FALSE(ReadElf(Write("text", "no program\n")));
  ASSERT_EQ(mkfifo((folder_ + "/pipe").c_str(), 0644), 0);
  EXPECT_FALSE(ReadElf(folder_ + "/pipe"));
}

TEST_F(ProgramFiles, InterpreterOfAScriptIsReadAsTheKernelDoes) {
  EXPECT_EQ(ScriptInterpreter(Write("a", "#!/bin/sh\necho")).value_or("?"), "/bin/sh");
  EXPECT_EQ(ScriptInterpreter(Write("b", "#! /usr/bin/env python3\n")).value_or("?"), "/usr/bin/env");
  EXPECT_EQ(ScriptInterpreter(Write("c", "#!/bin/sh\r\n")).value_or("?"), "/bin/sh");
  EXPECT_EQ(ScriptInterpreter(Write("d", "echo\n")).value_or("?"), "");
  EXPECT_EQ(ScriptInterpreter(Write("e", "#!\n")).value_or("?"), "");
}

TEST_F(ProgramFiles, OnlyWhatRootAloneCanChangeIsInstalledByRoot) {
  EXPECT_TRUE(InstalledByRoot(std::filesystem::canonical("/usr/bin/cat")));
  EXPECT_FALSE(InstalledByRoot(Write("mine", "x")));  // below a folder that all may write to, whoever owns it
  EXPECT_FALSE(InstalledByRoot("/usr/bin/no-such-file"));
  EXPECT_FALSE(InstalledByRoot("/usr/bin"));
}

TEST_F(ProgramFiles, CommandsAreLookedUpInAbsoluteFoldersOfPathOnly) {
  Write("tool", "x");
  Write("closed", "x", 0644);
  setenv("PATH", (".:" + folder_).c_str(), 1);
  EXPECT_EQ(FindCommand("tool").value().file, std::filesystem::canonical(folder_ + "/tool"));
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  setenv("PATH", ".::", 1);
  EXPECT_EQ(FindCommand("tool").error().sys_errno, ENOENT);
  EXPECT_EQ(FindCommand("./tool").value().file, std::filesystem::canonical(folder_ + "/tool"));
  std::filesystem::current_path(before);
  setenv("PATH", (folder_ + ":/nonexistent").c_str(), 1);
  EXPECT_EQ(FindCommand("closed").error().sys_errno, EACCES);
  EXPECT_EQ(FindCommand(folder_).error().sys_errno, EACCES);
  EXPECT_EQ(FindCommand("").error().sys_errno, ENOENT);
}

TEST_F(ProgramFiles, SocketNamesAreTakenFromTheKernelsTable) {
  EXPECT_THAT(SocketNames("Num       RefCount Protocol Flags    Type St Inode Path\n"
                          "00000000: 00000002 00000000 00010000 0001 01 16001 /run/a b/sock\n"
                          "00000000: 00000003 00000000 00000000 0001 03 16002\n"
                          "00000000: 00000002 00000000 00010000 0001 01 16003 @abstract\n"
                          "00000000: 00000002 00000000 00010000 0001 01 16004 /run/a b/sock\n"
                          "00000000: 00000002 00000000 00010000 0001 01 16005 relative"),
              ElementsAre("/run/a b/sock"));
  EXPECT_TRUE(SocketNames("").empty());
}

TEST_F(ProgramFiles, RootViewMakesEachPlaceOnceAndParentsFirst) {
  RootView view;
  view.File("/a/b/c", "text");
  view.Folder("/a/b");
  view.Link("/a/b/c", "elsewhere");
  ASSERT_TRUE(view.Bind("/usr", "/usr", {}));
  view.Folder("/usr/inside");  // in the mount already
  EXPECT_FALSE(view.Bind("/no/such/place", "/x", {}));
  Plan plan;
  view.MoveTo(&plan);
  std::vector<std::string> paths;
  for (const NodeOp& node : plan.nodes) paths.push_back(node.path);
  EXPECT_THAT(paths, testing::IsSupersetOf({"/a", "/a/b", "/a/b/c", "/usr", "/witness"}));
  EXPECT_THAT(paths, Not(Contains("/usr/inside")));
  EXPECT_EQ(std::count(paths.begin(), paths.end(), "/a/b/c"), 1);
  EXPECT_TRUE(plan.own_root);
  EXPECT_LT(std::find(paths.begin(), paths.end(), "/a") - paths.begin(), std::find(paths.begin(), paths.end(), "/a/b") - paths.begin());
}

}  // namespace
}  // namespace paddock::sandbox

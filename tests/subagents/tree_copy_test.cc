// The private copy of a workspace: whole, and without what can't be copied.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/unique_fd.h"
#include "subagents/cell/tree_copy.h"

namespace paddock::subagents {
namespace {

namespace fs = std::filesystem;

class TreeCopy : public testing::Test {
 protected:
  TreeCopy() {
    std::string pattern = fs::temp_directory_path() / "paddock-test-XXXXXX";
    top_ = mkdtemp(pattern.data());
    from_ = top_ / "from";
    to_ = top_ / "to";
    fs::create_directory(from_);
    fs::create_directory(to_);
  }
  ~TreeCopy() override {
    std::error_code ignored;
    fs::remove_all(top_, ignored);
  }
  TreeCopyResult Copy() { return CopyTree(from_.c_str(), to_.c_str()); }
  static std::string Text(const fs::path& path) {
    std::ifstream file(path);
    return std::string((std::istreambuf_iterator<char>(file)), {});
  }
  fs::path top_, from_, to_;
};

TEST_F(TreeCopy, BytesModesTimesLinksAndEmptyFolders) {
  fs::create_directories(from_ / "a/empty");
  std::ofstream(from_ / "a/run") << "#!/bin/sh\n";
  chmod((from_ / "a/run").c_str(), 0751);
  chmod((from_ / "a/empty").c_str(), 0500);
  fs::create_symlink("../nowhere", from_ / "a/link");
  fs::create_hard_link(from_ / "a/run", from_ / "second");
  std::ofstream(from_ / "odd\n\xff name") << "x";
  const timespec times[2] = {{1000, 0}, {123456789, 500}};
  utimensat(AT_FDCWD, (from_ / "a/run").c_str(), times, 0);
  const TreeCopyResult result = Copy();
  EXPECT_EQ(result.error, 0);
  EXPECT_EQ(result.left_out, 0u) << result.first_left_out;
  EXPECT_EQ(Text(to_ / "a/run"), "#!/bin/sh\n");
  EXPECT_EQ(Text(to_ / "odd\n\xff name"), "x");
  struct stat info, second;
  ASSERT_EQ(stat((to_ / "a/run").c_str(), &info), 0);
  ASSERT_EQ(stat((to_ / "second").c_str(), &second), 0);
  EXPECT_EQ(info.st_mode & 07777, 0751u);
  EXPECT_EQ(info.st_mtim.tv_sec, 123456789);
  EXPECT_EQ(info.st_ino, second.st_ino);
  ASSERT_EQ(stat((to_ / "a/empty").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0500u);
  EXPECT_EQ(fs::read_symlink(to_ / "a/link"), "../nowhere");
}

TEST_F(TreeCopy, SetUserIdBitsAreNotTaken) {
  std::ofstream(from_ / "suid") << "x";
  ASSERT_EQ(chmod((from_ / "suid").c_str(), 06755), 0);
  ASSERT_EQ(Copy().error, 0);
  struct stat info;
  ASSERT_EQ(stat((to_ / "suid").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0755u);
}

TEST_F(TreeCopy, HolesStayHoles) {
  UniqueFd file(open((from_ / "sparse").c_str(), O_CREAT | O_WRONLY, 0644));
  ASSERT_EQ(pwrite(file.get(), "end", 3, 4 << 20), 3);
  ASSERT_EQ(Copy().error, 0);
  struct stat info;
  ASSERT_EQ(stat((to_ / "sparse").c_str(), &info), 0);
  EXPECT_EQ(info.st_size, (4 << 20) + 3);
  EXPECT_LT(info.st_blocks, 1000);
  EXPECT_EQ(Text(to_ / "sparse").substr(4 << 20), "end");
}

TEST_F(TreeCopy, SpecialFilesAreLeftOutAndDoNotHang) {
  ASSERT_EQ(mkfifo((from_ / "fifo").c_str(), 0644), 0);
  std::ofstream(from_ / "file") << "x";
  const TreeCopyResult result = Copy();
  EXPECT_EQ(result.error, 0);
  EXPECT_EQ(result.left_out, 1u);
  EXPECT_EQ(result.first_left_out, "fifo");
  EXPECT_TRUE(fs::exists(to_ / "file"));
}

TEST_F(TreeCopy, FoldersWithoutEndAreLeftOut) {
  fs::path deep = from_;
  for (int i = 0; i < 260; ++i) deep /= "d";
  fs::create_directories(deep);
  const TreeCopyResult result = Copy();
  EXPECT_EQ(result.error, 0);
  EXPECT_EQ(result.left_out, 1u);
}

// A newcomer mounted proc and sysfs inside a repository: all that they say of the host was in the copy.
TEST_F(TreeCopy, AFileSystemOfTheKernelsOwnGivesUpTheCopy) {
  for (const char* of_kernel : {"/proc/self/fdinfo", "/sys/kernel"}) {
    const TreeCopyResult result = CopyTree(of_kernel, to_.c_str());
    EXPECT_TRUE(result.shows_host) << of_kernel;
    EXPECT_NE(result.error, 0) << of_kernel;
    EXPECT_TRUE(fs::is_empty(to_)) << of_kernel;
  }
}

}  // namespace
}  // namespace paddock::subagents

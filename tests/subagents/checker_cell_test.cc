// A checker cell over pipes, on a folder of the test's own.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "cell_under_test.h"

namespace paddock::subagents {
namespace {

class CheckerCell : public testing::Test {
 protected:
  CheckerCell() {
    std::string name = std::filesystem::temp_directory_path() / "paddock-checker-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    options_.workspace = folder_.c_str();
  }
  ~CheckerCell() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, std::string_view bytes) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
  }
  void StartCell() {
    cell_.emplace(options_);
    TaskFrame task;
    task.kind = CellKind::kChecker;
    cell_->Start(task);
  }
  RangeFrame Ask(const std::string& path, int64_t first, int64_t last) {
    if (!cell_) StartCell();
    cell_->Say("cite", CiteFrame{++n_, path, first, last});
    auto range = cell_->Hear<RangeFrame>("range");
    EXPECT_EQ(range.n, n_);
    if (range.status != "ok") {
      EXPECT_EQ(range.bytes, "");
    }
    return range;
  }

  std::string folder_;
  CellOptions options_;
  std::optional<CellUnderTest> cell_;
  int64_t n_ = 0;
};

TEST_F(CheckerCell, ReturnsTheRawBytesOfTheLines) {
  Write("a.txt", "one\r\ntw\xFFo\nthree");
  auto range = Ask("a.txt", 1, 3);
  EXPECT_EQ(range.status, "ok");
  EXPECT_EQ(BytesFromWire(range.bytes), "one\r\ntw\xFFo\nthree");
  EXPECT_TRUE(range.lines.empty());
  struct stat info;
  ASSERT_EQ(::stat((folder_ + "/a.txt").c_str(), &info), 0);
  EXPECT_EQ(range.changed_ns, info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec);
  EXPECT_EQ(BytesFromWire(Ask("a.txt", 2, 2).bytes), "tw\xFFo\n");
}

TEST_F(CheckerCell, ReadsNamesInPathText) {
  Write("new\nline\xFF", "x\n");
  EXPECT_EQ(Ask("new\\nline\\xff", 1, 1).status, "ok");
}

TEST_F(CheckerCell, SendsTheShownLinesWhereTheyAreNotTheBytes) {
  Write("bom.txt", "\xEF\xBB\xBFone\ntwo\n");
  EXPECT_THAT(Ask("bom.txt", 1, 1).lines, testing::ElementsAre("one"));
  EXPECT_TRUE(Ask("bom.txt", 2, 2).lines.empty());
  Write("utf16.txt", std::string_view("\xFF\xFEh\0i\0\n\0", 8));
  EXPECT_THAT(Ask("utf16.txt", 1, 1).lines, testing::ElementsAre("hi"));
}

TEST_F(CheckerCell, SaysWhyThereIsNothing) {
  Write("a.txt", "one\ntwo\n");
  Write("empty", "");
  Write("binary", std::string("\x7F" "ELF\0\0\0\0", 8) + std::string(100, '\0'));
  ASSERT_EQ(::mkfifo((folder_ + "/fifo").c_str(), 0600), 0);
  std::filesystem::create_directory(folder_ + "/folder");
  std::filesystem::create_symlink("/etc/passwd", folder_ + "/way-out");
  std::filesystem::create_symlink("loop", folder_ + "/loop");
  EXPECT_EQ(Ask("a.txt", 3, 3).status, "no_lines");
  EXPECT_EQ(Ask("a.txt", 2, 1).status, "no_lines");
  EXPECT_EQ(Ask("empty", 1, 1).status, "no_lines");
  EXPECT_EQ(Ask("missing", 1, 1).status, "no_file");
  EXPECT_EQ(Ask("bad\\escape", 1, 1).status, "no_file");
  EXPECT_EQ(Ask("binary", 1, 1).status, "not_text");
  EXPECT_EQ(Ask("fifo", 1, 1).status, "not_text");
  EXPECT_EQ(Ask("folder", 1, 1).status, "not_text");
  EXPECT_EQ(Ask("way-out", 1, 1).status, "denied");
  EXPECT_EQ(Ask("../../etc/passwd", 1, 1).status, "denied");
  EXPECT_NE(Ask("loop", 1, 1).status, "ok");
  // And is alive after all that.
  EXPECT_EQ(Ask("a.txt", 1, 1).status, "ok");
  EXPECT_EQ(cell_->Exit(), 0);
}

TEST_F(CheckerCell, AnswersInTimeForASparseTerabyte) {
  Write("sparse", "one\n");
  ASSERT_EQ(::truncate((folder_ + "/sparse").c_str(), 1ll << 40), 0);
  auto started = std::chrono::steady_clock::now();
  EXPECT_NE(Ask("sparse", 2, 2).status, "ok");
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(10));
}

TEST_F(CheckerCell, BoundsARangeThatIsTooLong) {
  Write("long", std::string(2u << 20, 'a') + "\n");
  EXPECT_EQ(Ask("long", 1, 1).status, "too_long");
  Write("wide", std::string(500'000, '\x01'));
  EXPECT_NE(Ask("wide", 1, 1).status, "");  // text or not, its frame fits
}

TEST_F(CheckerCell, EndsAtFramesOfOtherCells) {
  StartCell();
  cell_->SayLine(R"({"type":"cite","n":1,"path":"a","line_start":0,"line_end":1})");
  cell_->Hear<FaultFrame>("fault");
  EXPECT_EQ(cell_->Wait(), kExitProtocol);
}

}  // namespace
}  // namespace paddock::subagents

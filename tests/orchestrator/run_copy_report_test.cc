#include "orchestrator/run/copy_report.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace paddock::orchestrator {
namespace {

TEST(RunCopyReport, SaysWhatIsMissingAndWhyThereIsNoCopy) {
  const CopyReport report = ReadCopyReport("left_out 5000000000 27 a b\ncopy 28 /workspace/big file\n");
  EXPECT_EQ(report.left_out, 5'000'000'000u);
  EXPECT_EQ(report.first_left_out, "a b");
  EXPECT_EQ(report.first_why, EFBIG);
  EXPECT_EQ(report.error, ENOSPC);
  EXPECT_EQ(report.error_path, "/workspace/big file");
  EXPECT_FALSE(report.shows_host);
  const CopyReport host = ReadCopyReport("shows_host a b\n");
  EXPECT_TRUE(host.shows_host);
  EXPECT_EQ(host.error_path, "a b");
  EXPECT_EQ(ReadCopyReport("").error, 0);
  EXPECT_EQ(ReadCopyReport("copy 28 \n").error, ENOSPC) << "a path may be empty";
}

TEST(RunCopyReport, OddBytesCountForNothing) {
  for (const char* odd : {"copy 28 x", "copy\n", "copy \n", "copy 28\n", "copy 28x y\n", "copy x y\n", "copy -1", "copy 99999999999 x\n", "copying 1 x\n", "left_out -1 x\n", "left_out 1\n", "\n\n"}) {
    const CopyReport report = ReadCopyReport(odd);
    EXPECT_EQ(report.error, 0) << odd;
    EXPECT_EQ(report.left_out, 0u) << odd;
    EXPECT_TRUE(report.error_path.empty() && report.first_left_out.empty()) << odd;
  }
}

}  // namespace
}  // namespace paddock::orchestrator

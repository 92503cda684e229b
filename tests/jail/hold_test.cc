// Any program can be started in a jail, held before exec until the parent has looked, and then let go.
#include <sys/wait.h>

#include "tests/jail/jail_harness.h"

namespace paddock::sandbox {
namespace {

class HoldTest : public JailTest {
 protected:
  // A program that is no cell: it has one filter and says 0 on descriptor 4.
  Result<Cell> StartHeld() {
    std::erase(profile_.require, Layer::kSeccompSecond);
    PlanRequest request;
    request.profile = &profile_;
    request.workspace = &workspace_;
    request.program = BinFolder() + "/inmate";
    request.argv = {"inmate", "started"};
    request.descriptors = {0, 1, 2, 3, 4, 5};
    request.second_filter = false;
    request.hold = true;
    built_ = TRY(BuildPlan(request, ThisCaller()));
    return Start(built_);
  }
  BuiltPlan built_;
};

TEST_F(HoldTest, HeldProgramHasEveryLayerAndRunsOnlyAfterGo) {
  auto cell = StartHeld();
  ASSERT_TRUE(cell) << cell.error().message;
  auto baseline = ReadBaseline();
  auto receipt = ReadReceipt(cell->jail.payload_pid(), cell->jail.payload_pidfd(), profile_, built_, *baseline,
                             {{Layer::kLandlock, cell->jail.landlock_witness()}, {Layer::kSeccomp, cell->jail.seccomp_witness()}}, true);
  ASSERT_TRUE(receipt) << receipt.error().message;
  EXPECT_TRUE(CheckReceipt(*receipt)) << CheckReceipt(*receipt).error().message;

  // It has said nothing, though it has been ready to for as long as the receipt took.
  pollfd out{cell->from.get(), POLLIN, 0};
  EXPECT_EQ(poll(&out, 1, 0), 0);
  ASSERT_TRUE(cell->jail.Go());
  FrameReader reader(cell->from.get(), 64);
  auto said = reader.Next(Soon());
  ASSERT_TRUE(said) << said.error().message;
  EXPECT_EQ(*said, "0");
  EXPECT_TRUE(EndedByPidfd(cell->jail.end_fd(), Soon()));
  JailEnd end = cell->jail.Stop();
  EXPECT_EQ(end.kind, EndKind::kExited);
  EXPECT_EQ(end.code, 0);
}

TEST_F(HoldTest, ProgramThatIsNeverLetGoNeverRuns) {
  auto cell = StartHeld();
  ASSERT_TRUE(cell) << cell.error().message;
  EXPECT_EQ(cell->jail.Stop().kind, EndKind::kKilled);
  FrameReader reader(cell->from.get(), 64);
  auto said = reader.Next(Soon());
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error().kind, ErrorKind::kClosed);
}

TEST_F(HoldTest, KilledProgramIsReportedWithItsSignal) {
  auto cell = StartHeld();
  ASSERT_TRUE(cell) << cell.error().message;
  ASSERT_TRUE(SignalByPidfd(cell->jail.payload_pidfd(), SIGKILL));
  EXPECT_TRUE(EndedByPidfd(cell->jail.end_fd(), Soon()));
  JailEnd end = cell->jail.Stop();
  EXPECT_EQ(end.kind, EndKind::kSignaled);
  EXPECT_EQ(end.code, SIGKILL);
}

TEST_F(HoldTest, JailEndsByItsOwnClock) {
  std::erase(profile_.require, Layer::kSeccompSecond);
  profile_.limits.wall = "1s";  // starting the jail is within it, and processors may be slow
  auto cell = StartHeld();
  ASSERT_TRUE(cell) << cell.error().message;
  EXPECT_TRUE(EndedByPidfd(cell->jail.end_fd(), Soon()));
  EXPECT_EQ(cell->jail.Stop().kind, EndKind::kDeadline);
}

TEST_F(HoldTest, JailEndsWithItsLauncher) {
  auto cell = StartHeld();
  ASSERT_TRUE(cell) << cell.error().message;
  ASSERT_TRUE(SignalByPidfd(launcher().process().pidfd(), SIGKILL));
  EXPECT_TRUE(EndedByPidfd(cell->jail.end_fd(), Soon()));
  EXPECT_TRUE(EndedByPidfd(cell->jail.payload_pidfd(), Soon()));
  EXPECT_EQ(cell->jail.Stop().kind, EndKind::kLauncherDead);
  // And no further jail can be asked for.
  auto next = StartHeld();
  ASSERT_FALSE(next);
  EXPECT_NE(next.error().message.find("launcher is dead"), std::string::npos) << next.error().message;
}

TEST_F(HoldTest, FirstProcessOfTheJailCanNotBeReadByItsUser) {
  // A process that is not dumpable belongs to root in /proc (proc(5)), whoever asks.
  auto cell = StartHeld();
  ASSERT_TRUE(cell) << cell.error().message;
  auto stat_of = [](pid_t pid) {
    FILE* file = fopen(("/proc/" + std::to_string(pid) + "/stat").c_str(), "re");
    int parent = -1;
    if (file && fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = -1;
    if (file) fclose(file);
    return parent;
  };
  const pid_t init = stat_of(cell->jail.payload_pid());
  ASSERT_GT(init, 1);
  struct stat info;
  ASSERT_EQ(stat(("/proc/" + std::to_string(init) + "/environ").c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, 0u);
}

}  // namespace
}  // namespace paddock::sandbox

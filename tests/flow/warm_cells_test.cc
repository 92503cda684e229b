// Cells that are built ahead: each serves once, only for what it was built for, and none is left.
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <set>

#include "agentcore/model/scripted.h"
#include "base/child_process.h"
#include "base/text.h"
#include "orchestrator/broker/channel.h"
#include "orchestrator/delegation/cell_starter.h"
#include "orchestrator/delegation/investigation.h"
#include "sandbox/profile_json.h"
#include "subagents/builtin.h"
#include "subagents/frames.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using orchestrator::CellStarter;
using orchestrator::StartedCell;
using orchestrator::WarmBounds;
using std::chrono::milliseconds;

constexpr char kScript[] = R"({"schema": "paddock/script/1", "turns": [
  {"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]},
  {"report": {"summary": "It is a thing.", "findings": [{"title": "t", "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]}]}}]})";

class Warm : public FlowTest {
 protected:
  Warm() {
    signal(SIGPIPE, SIG_IGN);
    auto made = CellStarter::Make(ProgramsFolder());
    EXPECT_TRUE(made) << made.error().message;
    if (made) starter_ = *std::move(made);
    profile_ = *sandbox::ShippedProfile("read-only");
    workspace_ = *sandbox::ResolveWorkspace(Path("repo"), {});
  }
  ~Warm() override {
    starter_.reset();
    EXPECT_TRUE(NothingLeft());
  }

  std::expected<StartedCell, orchestrator::StartFailure> Start() { return starter_->Start({.profile = &profile_, .workspace = &workspace_}, Soon()); }
  static Deadline Soon() { return Deadline::After(kHang); }
  orchestrator::WarmCells& Pool() { return starter_->warm(); }
  // The first line of README.md, as a checker in the cell sees it.
  std::string FirstLine(StartedCell* cell) {
    orchestrator::CellChannel channel({cell->to.get(), cell->from.get(), cell->jail.end_fd()}, -1, subagents::kMaxFrameBytes, nullptr);
    subagents::TaskFrame task;
    task.kind = subagents::CellKind::kChecker;
    channel.Send(subagents::EncodeFrame("task", task));
    channel.Send(subagents::EncodeFrame("cite", subagents::CiteFrame{1, "README.md", 1, 1}));
    auto frame = subagents::DecodeFrame(channel.Wait(Soon()).text);
    auto range = frame ? FromJson<subagents::RangeFrame>(frame->body) : std::unexpected(frame.error());
    return range ? BytesFromWire(range->bytes) : range.error().message;
  }

  std::unique_ptr<CellStarter> starter_;
  sandbox::Profile profile_;
  sandbox::Workspace workspace_;
};

TEST_F(Warm, IsBuiltAheadForWhatWasAskedForAndServesOnce) {
  starter_->KeepWarm();
  auto cold = Start();
  ASSERT_TRUE(cold) << cold.error().error.message;
  EXPECT_FALSE(cold->warm);
  std::set<pid_t> pids{cold->jail.payload_pid()};
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(Pool().WaitFor(std::min<size_t>(static_cast<size_t>(i) + 1, 8), Soon()));
    auto cell = Start();
    ASSERT_TRUE(cell) << cell.error().error.message;
    EXPECT_TRUE(cell->warm);
    EXPECT_TRUE(pids.insert(cell->jail.payload_pid()).second) << "the same process again";
    EXPECT_EQ(cell->receipt.layers.size(), cold->receipt.layers.size());
    EXPECT_EQ(FirstLine(&*cell), "# Thing\n");
  }
}

TEST_F(Warm, NothingIsBuiltWhereNothingIsKept) {
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(Start()->warm);
  EXPECT_EQ(Pool().waiting(), 0u);
}

TEST_F(Warm, ShowsWhatTheFolderHoldsWhenTheTaskBegins) {
  starter_->KeepWarm();
  ASSERT_TRUE(Start());
  ASSERT_TRUE(Pool().WaitFor(1, Soon()));
  Write("repo/README.md", "# Another\n");
  auto cell = Start();
  ASSERT_TRUE(cell && cell->warm);
  EXPECT_EQ(FirstLine(&*cell), "# Another\n");
}

TEST_F(Warm, IsNotTakenForAnotherFolderAtTheSamePath) {
  starter_->KeepWarm();
  ASSERT_TRUE(Start());
  ASSERT_TRUE(Pool().WaitFor(1, Soon()));
  fs::rename(Path("repo"), Path("moved"));
  Write("repo/README.md", "# Another\n");
  auto stale = Start();
  ASSERT_FALSE(stale) << "served by a cell of the folder that was there before";
  EXPECT_EQ(stale.error().kind, "setup_error");
  workspace_ = *sandbox::ResolveWorkspace(Path("repo"), {});
  auto fresh = Start();
  ASSERT_TRUE(fresh) << fresh.error().error.message;
  EXPECT_FALSE(fresh->warm);
  EXPECT_EQ(FirstLine(&*fresh), "# Another\n");
}

TEST_F(Warm, IsNotTakenForAnotherPlan) {
  starter_->KeepWarm();
  ASSERT_TRUE(Start());
  ASSERT_TRUE(Pool().WaitFor(1, Soon()));
  profile_.limits.files = 100;
  auto cell = Start();
  ASSERT_TRUE(cell);
  EXPECT_FALSE(cell->warm);
}

TEST_F(Warm, OfAProfileThatHidesFilesThereIsNone) {
  starter_->KeepWarm();
  profile_.filesystem.hide = {".env"};
  const std::vector<std::string> nothing;
  for (int i = 0; i < 2; ++i) {
    auto cell = starter_->Start({.profile = &profile_, .workspace = &workspace_, .hidden = &nothing}, Soon());
    ASSERT_TRUE(cell) << cell.error().error.message;
    EXPECT_FALSE(cell->warm);
  }
  EXPECT_EQ(Pool().waiting(), 0u);
}

TEST_F(Warm, OneThatDiesWhileItWaitsIsReplaced) {
  starter_->KeepWarm({.pause = milliseconds(1)});
  ASSERT_TRUE(Start());
  ASSERT_TRUE(Pool().WaitFor(1, Soon()));
  const auto waiting = ProcessesNamed(getpid(), "cell");
  ASSERT_EQ(waiting.size(), 1u);
  ASSERT_GT(waiting[0], 1);
  UniqueFd pidfd(static_cast<int>(syscall(SYS_pidfd_open, waiting[0], 0)));
  ASSERT_TRUE(pidfd);
  kill(waiting[0], SIGKILL);
  ASSERT_TRUE(EndedByPidfd(pidfd.get(), Soon()));
  // Noticed by the pool already or not: what is handed out is never the dead one.
  auto cell = Start();
  ASSERT_TRUE(cell) << cell.error().error.message;
  EXPECT_NE(cell->jail.payload_pid(), waiting[0]);
  EXPECT_EQ(FirstLine(&*cell), "# Thing\n");
  EXPECT_TRUE(Pool().WaitFor(2, Soon()));
}

TEST_F(Warm, AreSoManyAndNoMore) {
  starter_->KeepWarm({.cells = 3});
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(Start());
  EXPECT_TRUE(Pool().WaitFor(3, Soon()));
  const auto of_memory = static_cast<int64_t>(2.5 * static_cast<double>(Pool().cell_kb()));
  EXPECT_GT(of_memory, 0);
  starter_->KeepWarm({.cells = 0});
  EXPECT_TRUE(Pool().WaitFor(0, Soon()));
  starter_->KeepWarm({.cells = 8, .memory_kb = of_memory});
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(Start());
  EXPECT_TRUE(Pool().WaitFor(2, Soon()));
  EXPECT_EQ(ProcessesNamed(getpid(), "cell").size(), 2u);
}

TEST_F(Warm, EndWhenNothingIsAskedForAnyMore) {
  starter_->KeepWarm({.idle = milliseconds(3000)});
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(Start());
  ASSERT_TRUE(Pool().WaitFor(2, Soon()));
  EXPECT_TRUE(Pool().WaitFor(0, Soon()));
  auto again = Start();
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->warm);
  EXPECT_TRUE(Pool().WaitFor(1, Soon()));
}

TEST_F(Warm, ServesAnInvestigationAndItsChecker) {
  starter_->KeepWarm();
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(Start());
  ASSERT_TRUE(Pool().WaitFor(2, Soon()));
  struct NoEvents : orchestrator::EventSink {
    void Record(const std::string&, Json) override {}
  } events;
  FramePool pool(orchestrator::kLargeFrames);
  orchestrator::Investigation in;
  in.ticket.id = "test";
  in.ticket.goal = "what is this?";
  in.definition = *subagents::BuiltinDefinition("explorer", {});
  in.profile = profile_;
  in.workspace = workspace_;
  in.tools = in.definition.tools;
  agentcore::ScriptedModel model(*agentcore::ParseScript(kScript, "script"));
  in.model = &model;
  in.starter = starter_.get();
  in.events = &events;
  in.pool = &pool;
  const auto ticket = orchestrator::Investigate(in);
  EXPECT_EQ(StatusOf(ticket), "completed") << ticket.ending.detail;
  EXPECT_EQ(ticket.citations_verified, 1);
}

TEST_F(Warm, DieWithAParentThatIsKilled) {
  starter_.reset();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto starter = CellStarter::Make(ProgramsFolder());
    if (!starter) _exit(1);
    (*starter)->KeepWarm();
    for (int i = 0; i < 3; ++i)
      if (!(*starter)->Start({.profile = &profile_, .workspace = &workspace_}, Soon())) _exit(2);
    if (!(*starter)->warm().WaitFor(3, Soon())) _exit(3);
    (void)!write(ends[1], "w", 1);
    pause();
  }
  ASSERT_GT(child, 1);
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 1) << "the child could not keep cells";
  close(ends[0]);
  EXPECT_EQ(ProcessesNamed(child, "cell").size(), 3u);
  kill(child, SIGKILL);
  EXPECT_TRUE(NothingLeft());
}

// Builds fail one after the other, each after a pause twice as long.
TEST(WarmCells, AreNotBuiltBusilyWhereNoneCanBe) {
  std::mutex mutex;
  std::condition_variable more;
  std::vector<Deadline::Clock::time_point> tries;
  orchestrator::WarmCells cells([&](const orchestrator::WarmPlan&, int) -> std::expected<StartedCell, orchestrator::StartFailure> {
    std::lock_guard lock(mutex);
    tries.push_back(Deadline::Clock::now());
    more.notify_all();
    return std::unexpected(orchestrator::StartFailure{});
  });
  cells.Keep({.pause = milliseconds(20)});
  EXPECT_FALSE(cells.Take({}));
  std::unique_lock lock(mutex);
  ASSERT_TRUE(more.wait_for(lock, kHang, [&] { return tries.size() >= 5; }));
  for (size_t i = 1; i < tries.size(); ++i) EXPECT_GE(tries[i] - tries[i - 1], milliseconds(20 << (i - 1)));
}

// One that was built ahead keeps the whole of its time: pid 1's clock begins with the task.
TEST_F(Warm, TheJailsOwnClockBeginsWhenToldSo) {
  profile_.limits.wall = "3s";
  auto cell = Start();
  ASSERT_TRUE(cell);
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(EndedByPidfd(cell->jail.payload_pidfd(), Deadline::After(milliseconds(1800)))) << "ended by the clock that began before";
    EXPECT_TRUE(cell->jail.RestartClock());
  }
  EXPECT_TRUE(EndedByPidfd(cell->jail.payload_pidfd(), Soon()));
  EXPECT_EQ(cell->jail.Stop().kind, sandbox::EndKind::kDeadline);
}

}  // namespace
}  // namespace paddock::flow

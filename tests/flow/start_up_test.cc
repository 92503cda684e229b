// The time before a cell may be spoken to: it can be cut short at any moment, and whatever is in the launcher's
// place, the result does not take longer than it must and says what is wrong.
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kAtOnce{2500};  // ordinarily 20 ms; the machine may be busy

class StartUp : public FlowTest {
 protected:
  // A folder with paddock and its cell, and `script` in the launcher's place.
  std::string WithLauncher(const std::string& script) {
    const std::string folder = Path("bin");
    fs::create_directory(folder);
    for (const char* name : {"paddock", "paddock-cell"}) fs::copy_file(ProgramsFolder() + "/" + name, folder + "/" + name);
    Write("bin/paddock-jail", "#!/bin/sh\n" + script + "\n");
    fs::permissions(folder + "/paddock-jail", fs::perms(0755));
    return folder;
  }
  subagents::ResultTicket FailedWith(const std::string& script, std::vector<std::string> more = {}) {
    outcome_ = Perform(Investigate(std::move(more), WithLauncher(script)));
    EXPECT_EQ(outcome_.status, 3) << outcome_.out << outcome_.err;
    return TicketOf(outcome_);
  }
  Outcome outcome_;
};

// SIGINT waited for the start's own ten seconds once.
TEST_F(StartUp, CtrlCWhileTheLauncherIsNotReady) {
  PaddockRun run(Investigate({}, WithLauncher("exec sleep 600")));
  ASSERT_TRUE(run.WaitForLine("jail for"));
  const auto at = std::chrono::steady_clock::now();
  run.Signal(SIGINT);
  const Outcome outcome = run.Finish();
  EXPECT_LT(std::chrono::steady_clock::now() - at, kAtOnce);
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "cancelled") << outcome.out;
  EXPECT_EQ(outcome.status, 130);
}

TEST_F(StartUp, CtrlCWhileAJailIsBuilt) {
  PaddockRun run(Investigate({}, WithLauncher("exec '" + ProgramsFolder() + "/deaf_launcher' '" + Path("asked") + "'")));
  // It has taken the request for a jail, and nothing comes of it.
  ASSERT_TRUE(run.WaitForLine("jail for"));
  for (const Deadline deadline = Deadline::After(kHang); !fs::exists(Path("asked"));) ASSERT_FALSE(deadline.passed());
  const auto at = std::chrono::steady_clock::now();
  run.Signal(SIGINT);
  const Outcome outcome = run.Finish();
  EXPECT_LT(std::chrono::steady_clock::now() - at, kAtOnce);
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "cancelled") << outcome.out;
  EXPECT_EQ(outcome.status, 130);
}

TEST_F(StartUp, LauncherThatMakesNoJailIsNamed) {
  const auto ticket = FailedWith("exec '" + ProgramsFolder() + "/deaf_launcher' '" + Path("asked") + "'", {"--timeout", "1s"});
  EXPECT_LT(outcome_.took, milliseconds(1000) + kAtOnce);
  EXPECT_EQ(ticket.ending.kind, "timeout");
  EXPECT_THAT(ticket.ending.detail, testing::HasSubstr("the jail was not made in time"));
}

TEST_F(StartUp, LauncherThatIsSilentIsNamed) {
  const auto ticket = FailedWith("exec sleep 600", {"--timeout", "1s"});
  EXPECT_LT(outcome_.took, milliseconds(1000) + kAtOnce);
  EXPECT_EQ(ticket.ending.kind, "timeout");
  EXPECT_THAT(ticket.ending.detail, testing::HasSubstr("launcher did not say"));
  EXPECT_THAT(ticket.ending.hint, testing::HasSubstr("paddock-jail beside paddock is its own"));
}

TEST_F(StartUp, LauncherThatIsStoppedIsNamed) {
  const auto ticket = FailedWith("kill -STOP $$");
  EXPECT_LT(outcome_.took, milliseconds(3000) + kAtOnce);  // two seconds of patience
  EXPECT_THAT(ticket.ending.detail, testing::HasSubstr("launcher is stopped"));
  EXPECT_THAT(ticket.ending.hint, testing::HasSubstr("who stopped paddock-jail"));
}

TEST_F(StartUp, LauncherThatIsLetGoOnIsWaitedFor) {
  PaddockRun run(Investigate({}, WithLauncher("kill -STOP $$; exec '" + ProgramsFolder() + "/paddock-jail'")));
  ASSERT_TRUE(run.WaitForLine("jail for"));
  pid_t launcher = 0;
  for (std::string state; state != "T";) {
    const auto launchers = ProcessesNamed(run.pid(), "paddock-jail");
    if (launchers.empty()) continue;
    launcher = launchers[0];
    std::ifstream stat("/proc/" + std::to_string(launcher) + "/stat");
    stat >> state >> state >> state;
  }
  ASSERT_EQ(kill(launcher, SIGCONT), 0);
  const Outcome outcome = run.Finish();
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "completed") << outcome.out << outcome.err;
}

// "A quieter machine" was the advice once.
TEST_F(StartUp, ProgramThatIsNoLauncherIsNamed) {
  const auto ticket = FailedWith("echo hello >&0; exec sleep 600");
  EXPECT_LT(outcome_.took, kAtOnce);
  EXPECT_THAT(ticket.ending.detail, testing::HasSubstr("bin/paddock-jail speaks another language"));
  EXPECT_THAT(ticket.ending.hint, testing::HasSubstr("install or build both again"));
}

TEST_F(StartUp, LauncherThatEndsIsNamedWithItsStatus) {
  auto ticket = FailedWith("exit 3");
  EXPECT_EQ(ticket.ending.kind, "launcher_dead");
  EXPECT_THAT(ticket.ending.detail, testing::HasSubstr("exit status 3"));
  EXPECT_THAT(ticket.ending.hint, testing::HasSubstr("install or build both again"));
  fs::remove_all(Path("bin"));
  ticket = FailedWith("kill -SYS $$");
  EXPECT_THAT(ticket.ending.detail, testing::HasSubstr("killed by SIGSYS"));
}

// The evidence could not be checked, and the result was half a minute late.
TEST_F(StartUp, LauncherThatIsStoppedLaterDelaysTheResultLittle) {
  PaddockRun run(Investigate({"--model", Script(R"([{"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]},
      {"delay_ms": 1000, "report": {"summary": "found", "findings": [{"title": "It is a thing", "evidence":
      [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]}]}}])")}));
  ASSERT_TRUE(run.WaitForLine("read_file")) << run.err();
  const auto launchers = ProcessesNamed(run.pid(), "paddock-jail");
  ASSERT_FALSE(launchers.empty());
  ASSERT_EQ(kill(launchers[0], SIGSTOP), 0);
  const Outcome outcome = run.Finish();
  const auto ticket = TicketOf(outcome);
  EXPECT_LT(outcome.took, milliseconds(1000 + 2500 + 3000) + kAtOnce);
  EXPECT_EQ(ticket.summary, "found") << outcome.out;
  EXPECT_EQ(ticket.citations_verified, 0);
  EXPECT_THAT(outcome.out, testing::HasSubstr("the launcher is stopped"));
}

}  // namespace
}  // namespace paddock::flow

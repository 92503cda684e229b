// Signals that `paddock run` gets.
#include <signal.h>

#include "tests/flow/run_command_fixture.h"

namespace paddock::flow {
namespace {

class RunCommandSignals : public RunCommandTest {
 protected:
  static constexpr char kTrap[] = "trap 'echo got it; exit 9' TERM HUP QUIT INT; echo ready >&2; while :; do sleep 0.1; done";
};

TEST_F(RunCommandSignals, ArePassedOn) {
  for (int number : {SIGTERM, SIGHUP, SIGQUIT, SIGINT}) {
    PaddockRun run(Run({"sh", "-c", kTrap}));
    ASSERT_TRUE(run.WaitForLine("ready"));
    run.Signal(number);
    const Outcome outcome = run.Finish();
    EXPECT_EQ(outcome.status, 9) << number;
    EXPECT_EQ(outcome.out, "got it\n") << number;
    EXPECT_EQ(outcome.err.find("paddock"), std::string::npos) << outcome.err;  // the shell itself tells of its children's end
  }
}

// The others of its process group are a script that nobody would wake. The shell around that one makes it a group that can be stopped.
TEST_F(RunCommandSignals, StopAndContinueAreItsOwnWithoutATerminal) {
  Write("repo/script", "until_is() { for i in {1..5000}; do grep -q \"$1\" \"$2\" && return; done; echo \"$2 has no $1\"; exit 1; }\n"
                       "\"$P\" run sh -c 'echo ready; exec sleep 100' </dev/null >out & p=$!\n"
                       "until_is ready out\n"
                       "kill -TSTP $p; until_is '^State:.*T' /proc/$p/status\n"
                       "echo on; kill -CONT $p; kill -TERM $p; wait $p; echo $?\n");
  const Outcome outcome = Perform(Shell("exec bash -c 'set -m; bash script; kill -KILL %% 2>/dev/null'"));
  EXPECT_EQ(outcome.out, "on\n143\n") << outcome.err;
}

TEST_F(RunCommandSignals, EndAProgramThatDoesNotCatchThem) {
  PaddockRun run(Run({"sh", "-c", "echo ready >&2; exec sleep 100"}));
  ASSERT_TRUE(run.WaitForLine("ready"));
  run.Signal(SIGTERM);
  EXPECT_EQ(run.Finish().status, 143);
}

TEST_F(RunCommandSignals, EndTheJailWhenTheProgramGoesOn) {
  PaddockRun run(Run({"sh", "-c", "trap '' TERM; echo ready >&2; sleep 100; sleep 100"}));
  ASSERT_TRUE(run.WaitForLine("ready"));
  run.Signal(SIGTERM);
  const Outcome outcome = run.Finish();
  EXPECT_EQ(outcome.status, 143);
  EXPECT_EQ(outcome.err, "ready\npaddock: ended after SIGTERM\n");
  EXPECT_LT(outcome.took, std::chrono::seconds(30));
}

TEST_F(RunCommandSignals, EndTheJailAtOnceTheSecondTime) {
  PaddockRun run(Run({"sh", "-c", "trap 'echo again >&2' TERM; echo ready >&2; while :; do sleep 0.3; done"}));
  ASSERT_TRUE(run.WaitForLine("ready"));
  // Two at one moment are one wish: so one more each time that the program has answered, until it can't any more.
  int answers = 0;
  do run.Signal(SIGTERM);
  while (run.WaitForLine("again", ++answers));
  const Outcome outcome = run.Finish();
  EXPECT_EQ(outcome.status, 143);
  EXPECT_LT(outcome.took, std::chrono::milliseconds(4900)) << "that was patience";
}

TEST_F(RunCommandSignals, ThatKillPaddockLeaveNothing) {
  PaddockRun run(Run({"sh", "-c", "echo ready >&2; sleep 100 & setsid sleep 100 & sleep 100"}));
  ASSERT_TRUE(run.WaitForLine("ready"));
  run.Signal(SIGKILL);
  EXPECT_EQ(run.Finish().status, 137);
}  // the fixture waits for whatever is left

}  // namespace
}  // namespace paddock::flow

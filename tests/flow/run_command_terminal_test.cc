// `paddock run` and `paddock shell` on a terminal: this test is the person at its other end.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "tests/flow/run_command_fixture.h"
#include "tests/flow/screen.h"

namespace paddock::flow {
namespace {

class RunCommandTerminal : public RunCommandTest {
 protected:
  // The outer shell of a person with job control.
  Command Bash() const {
    Command command = Shell("");
    command.environment["PS1"] = "outer$ ";
    command.environment["TERM"] = "dumb";
    command.argv = {"/bin/bash", "--norc", "--noprofile", "--noediting", "-i"};
    return command;
  }
};

TEST_F(RunCommandTerminal, IsOneOfTheJailsOwn) {
  Screen screen(Run({"sh", "-c", "tty; stty size; test -t 0 && test -t 1 && test -t 2 && echo all; echo x >/dev/tty; exit 4"}));
  EXPECT_TRUE(screen.See("/dev/pts/0\r\n")) << screen.seen();
  EXPECT_TRUE(screen.See("33 99\r\n")) << screen.seen();
  EXPECT_TRUE(screen.See("all\r\n")) << screen.seen();
  EXPECT_TRUE(screen.See("x\r\n")) << screen.seen();
  EXPECT_EQ(screen.Finish(), 4);
  EXPECT_TRUE(screen.IsAsBefore());
}

TEST_F(RunCommandTerminal, SendsCtrlCToTheProgram) {
  Screen screen(Run({"sh", "-c", "trap 'echo interrupted; exit 5' INT; echo ready; while :; do sleep 0.1; done"}));
  ASSERT_TRUE(screen.See("ready")) << screen.seen();
  screen.Type("\x03");
  EXPECT_TRUE(screen.See("interrupted")) << screen.seen();
  EXPECT_EQ(screen.Finish(), 5);
}

TEST_F(RunCommandTerminal, SendsCtrlBackslashToTheProgram) {
  Screen screen(Run({"sh", "-c", "echo ready; exec sleep 100"}));
  ASSERT_TRUE(screen.See("ready")) << screen.seen();
  screen.Type("\x1c");
  EXPECT_EQ(screen.Finish(), 131);
}

TEST_F(RunCommandTerminal, TellsOfItsNewSize) {
  Screen screen(Run({"bash", "-c", "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.1; done"}));
  ASSERT_TRUE(screen.See("ready")) << screen.seen();
  screen.Resize(44, 111);
  EXPECT_TRUE(screen.See("44 111")) << screen.seen();
  EXPECT_EQ(screen.Finish(), 0);
}

TEST_F(RunCommandTerminal, IsPutBackWhateverEndsTheRun) {
  for (int number : {SIGTERM, SIGHUP, SIGUSR1, SIGALRM, SIGSEGV}) {
    Screen screen(Run({"sh", "-c", "stty -echo; echo ready; exec sleep 100"}));
    ASSERT_TRUE(screen.See("ready")) << screen.seen();
    EXPECT_FALSE(screen.IsAsBefore());
    kill(screen.pid(), number);
    EXPECT_EQ(screen.Finish(), 128 + number);
    EXPECT_TRUE(screen.IsAsBefore()) << number;
  }
}

TEST_F(RunCommandTerminal, HasJobControlInTheShell) {
  Command command = Run({});
  command.argv[1] = "shell";
  Screen screen(command);
  screen.Type("PS1='in''ner> '\n");
  ASSERT_TRUE(screen.See("inner> ")) << screen.seen();
  screen.Type("sh -c 'echo up; exec sleep 100'\n");
  ASSERT_TRUE(screen.See("up\r\n")) << screen.seen();
  screen.Type("\x1a");
  EXPECT_TRUE(screen.See("Stopped")) << screen.seen();
  screen.Type("kill -CONT %1; kill %1; wait; echo gone''ness\n");
  EXPECT_TRUE(screen.See("goneness")) << screen.seen();
  screen.Type("exit 6\n");
  EXPECT_EQ(screen.Finish(), 6);
  EXPECT_EQ(screen.seen().find("no job control"), std::string::npos) << screen.seen();
}

TEST_F(RunCommandTerminal, StopsAndGoesOnWithTheProgram) {
  Screen screen(Bash());
  ASSERT_TRUE(screen.See("outer$ ")) << screen.seen();
  // One process: a shell that is in the middle of vfork(2) as its child is stopped does not stop, in a jail or not.
  screen.Type("\"$P\" run sh -c 'echo rea''dy; exec cat'\n");
  ASSERT_TRUE(screen.See("ready\r\n")) << screen.seen();
  screen.Type("\x1a");
  EXPECT_TRUE(screen.See("Stopped")) << screen.seen();
  ASSERT_TRUE(screen.See("outer$ "));
  screen.Type("fg\n");
  ASSERT_TRUE(screen.See("fg\r\n"));
  screen.Type("typed\n");
  EXPECT_TRUE(screen.See("typed\r\ntyped\r\n")) << screen.seen();
  screen.Type("\x04");
  ASSERT_TRUE(screen.See("outer$ ")) << screen.seen();
  screen.Type("exit 0\n");
  EXPECT_EQ(screen.Finish(), 0);
}

// To a job in the background the terminal has the settings of a shell that reads a line: they must not become the program's.
TEST_F(RunCommandTerminal, ReadsWholeLinesWhenItWasStartedInTheBackground) {
  Command bash = Bash();
  std::erase(bash.argv, "--noediting");
  Screen screen(bash);
  ASSERT_TRUE(screen.See("outer$ ")) << screen.seen();
  screen.Type("\"$P\" run sh -c 'echo rea''dy; exec cat' &\n");
  ASSERT_TRUE(screen.See("ready")) << screen.seen();
  screen.Type("fg\n");
  ASSERT_TRUE(screen.See("exec cat'\r\n")) << screen.seen();
  screen.Type("one\n");
  EXPECT_TRUE(screen.See("one\r\none\r\n")) << screen.seen();
  screen.Type("\x04");
  ASSERT_TRUE(screen.See("outer$ ")) << screen.seen();
  screen.Type("exit 0\n");
  EXPECT_EQ(screen.Finish(), 0);
}

TEST_F(RunCommandTerminal, RunsInTheBackgroundAndLeavesTheTerminalAlone) {
  Screen screen(Bash());
  ASSERT_TRUE(screen.See("outer$ ")) << screen.seen();
  screen.Type("\"$P\" run sh -c 'echo back''ground; exit 3' &\n");
  EXPECT_TRUE(screen.See("background")) << screen.seen();
  screen.Type("wait $!; echo status $?\n");
  EXPECT_TRUE(screen.See("status 3")) << screen.seen();
  screen.Type("exit 0\n");
  EXPECT_EQ(screen.Finish(), 0);
}

}  // namespace
}  // namespace paddock::flow

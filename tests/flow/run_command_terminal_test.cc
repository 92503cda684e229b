// `paddock run` and `paddock shell` on a terminal: this test is the person at its other end.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/child_process.h"
#include "tests/flow/run_command_fixture.h"

namespace paddock::flow {
namespace {

// A terminal with a program on it, which leads the session.
class Screen {
 public:
  explicit Screen(const Command& command) {
    NothingLeft();  // this process reaps what outlives the program
    master_.reset(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    unlockpt(master_.get());
    char name[64] = "";
    ptsname_r(master_.get(), name, sizeof name);
    slave_.reset(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    Resize(33, 99);
    tcgetattr(slave_.get(), &before_);
    std::vector<std::string> words;
    for (const auto& [key, value] : command.environment) words.push_back(key + "=" + value);
    std::vector<char*> argv, environment;
    for (const std::string& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
    for (const std::string& word : words) environment.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    environment.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      sigset_t none;
      sigemptyset(&none);
      sigprocmask(SIG_SETMASK, &none, nullptr);
      setsid();
      ioctl(slave_.get(), TIOCSCTTY, 0);
      for (int fd : {0, 1, 2}) dup2(slave_.get(), fd);
      if (chdir(command.folder.c_str()) == 0) execve(argv[0], argv.data(), environment.data());
      _exit(127);
    }
  }
  ~Screen() {
    if (pid_ > 0) {
      ADD_FAILURE() << "not finished; seen so far: " << seen_;
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    EXPECT_TRUE(NothingLeft());
  }
  pid_t pid() const { return pid_; }
  void Type(std::string_view keys) { EXPECT_EQ(write(master_.get(), keys.data(), keys.size()), static_cast<ssize_t>(keys.size())); }
  void Resize(unsigned short rows, unsigned short columns) {
    const winsize size{rows, columns, 0, 0};
    ioctl(master_.get(), TIOCSWINSZ, &size);
  }
  // Until `text` is on the screen, behind what earlier calls found.
  bool See(const std::string& text) {
    const Deadline deadline = Deadline::After(kHang);
    for (;;) {
      if (size_t at = seen_.find(text, looked_); at != std::string::npos) {
        looked_ = at + text.size();
        return true;
      }
      pollfd wait{master_.get(), POLLIN, 0};
      if (poll(&wait, 1, deadline.poll_ms()) <= 0) return false;
      char chunk[4096];
      const ssize_t n = read(master_.get(), chunk, sizeof chunk);
      if (n <= 0) return false;
      seen_.append(chunk, static_cast<size_t>(n));
    }
  }
  int Finish() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  bool IsAsBefore() const {
    termios now{};
    tcgetattr(slave_.get(), &now);
    return now.c_lflag == before_.c_lflag && now.c_iflag == before_.c_iflag && now.c_oflag == before_.c_oflag;
  }
  const std::string& seen() const { return seen_; }

 private:
  UniqueFd master_, slave_;
  termios before_{};
  pid_t pid_ = -1;
  std::string seen_;
  size_t looked_ = 0;
};

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

#include "orchestrator/run/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "base/unique_fd.h"

namespace paddock::orchestrator {
namespace {

class Terminal : public testing::Test {
 protected:
  void SetUp() override {
    master_.reset(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    ASSERT_TRUE(master_);
    ASSERT_EQ(unlockpt(master_.get()), 0);
    char name[64];
    ASSERT_EQ(ptsname_r(master_.get(), name, sizeof name), 0);
    name_ = name;
    slave_.reset(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    ASSERT_TRUE(slave_);
  }
  tcflag_t LocalFlags() const {
    termios settings{};
    tcgetattr(slave_.get(), &settings);
    return settings.c_lflag;
  }
  // In a session of its own whose controlling terminal is the test's.
  int InSession(const std::function<int()>& body) const {
    const pid_t child = fork();
    if (child == 0) {
      setsid();
      ioctl(slave_.get(), TIOCSCTTY, 0);
      _exit(body());
    }
    int status = 0;
    waitpid(child, &status, WUNTRACED);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + (WIFSIGNALED(status) ? WTERMSIG(status) : WSTOPSIG(status));
  }

  UniqueFd master_, slave_;
  std::string name_;
};

TEST_F(Terminal, IsRawForAWhile) {
  const tcflag_t before = LocalFlags();
  {
    OuterTerminal terminal(slave_.get(), slave_.get());
    terminal.MakeRaw();
    EXPECT_EQ(LocalFlags() & (ICANON | ECHO | ISIG), 0u);
    terminal.Restore();
    EXPECT_EQ(LocalFlags(), before);
    terminal.MakeRaw();
  }
  EXPECT_EQ(LocalFlags(), before);
}

TEST_F(Terminal, IsPutBackByTheHandlerOfASignal) {
  const tcflag_t before = LocalFlags();
  OuterTerminal terminal(slave_.get(), slave_.get());
  terminal.MakeRaw();
  ASSERT_NE(LocalFlags(), before);
  RestoreTerminalInHandler();
  EXPECT_EQ(LocalFlags(), before);
}

TEST_F(Terminal, OfAnotherJobIsLeftAlone) {
  const tcflag_t before = LocalFlags();
  // A job in the background: its own group is not the terminal's.
  const int status = InSession([&] {
    const pid_t job = fork();
    if (job == 0) {
      setpgid(0, 0);
      OuterTerminal terminal(slave_.get(), slave_.get());
      if (terminal.foreground()) _exit(1);
      terminal.MakeRaw();
      _exit(terminal.raw() ? 2 : LocalFlags() == before ? 0 : 3);
    }
    int ended = 0;
    waitpid(job, &ended, WUNTRACED);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 4;  // stopped by SIGTTOU
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Terminal, GivesItsSettingsAndSize) {
  const winsize size{33, 99, 0, 0};
  ASSERT_EQ(ioctl(master_.get(), TIOCSWINSZ, &size), 0);
  termios settings{};
  tcgetattr(slave_.get(), &settings);
  settings.c_cc[VERASE] = 'h' - 'a' + 1;
  tcsetattr(slave_.get(), TCSANOW, &settings);

  UniqueFd inner(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  OuterTerminal terminal(slave_.get(), slave_.get());
  terminal.GiveSettings(inner.get());
  terminal.GiveSize(inner.get());
  winsize got{};
  ASSERT_EQ(ioctl(inner.get(), TIOCGWINSZ, &got), 0);
  EXPECT_EQ(got.ws_row, 33);
  EXPECT_EQ(got.ws_col, 99);
  termios inner_settings{};
  tcgetattr(inner.get(), &inner_settings);
  EXPECT_EQ(inner_settings.c_cc[VERASE], 'h' - 'a' + 1);
}

}  // namespace
}  // namespace paddock::orchestrator

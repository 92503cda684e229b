// A terminal, seen by the person at its other end.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/unique_fd.h"
#include "tests/flow/run.h"

namespace paddock::flow {

// A terminal with a program on it, which leads the session.
class Screen {
 public:
  explicit Screen(const Command& command, unsigned short columns = 99) {
    NothingLeft();  // this process reaps what outlives the program
    master_.reset(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    unlockpt(master_.get());
    char name[64] = "";
    ptsname_r(master_.get(), name, sizeof name);
    slave_.reset(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    Resize(33, columns);
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

}  // namespace paddock::flow

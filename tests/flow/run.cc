#include "tests/flow/run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/child_process.h"
#include "base/frame_pipe.h"

namespace paddock::flow {
namespace {

// Once, before anything is started.
void BecomeSubreaper() {
  static const bool done = [] {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, nullptr);  // taken by sigtimedwait
    return true;
  }();
  (void)done;
}

bool TakeAll(int fd, std::string* into) {
  char chunk[65536];
  ssize_t n = read(fd, chunk, sizeof chunk);
  if (n > 0) into->append(chunk, static_cast<size_t>(n));
  return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

[[noreturn]] void Become(const Command& command, char* const* argv, char* const* environment, int in, int out, int err) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  if (command.largest_file) {
    rlimit limit{*command.largest_file, *command.largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);  // the write fails (EFBIG), as it does on a full disk
  }
  if (chdir(command.folder.c_str()) == 0) execve(argv[0], argv, environment);
  _exit(127);
}

}  // namespace

PaddockRun::PaddockRun(const Command& command) : started_(std::chrono::steady_clock::now()) {
  BecomeSubreaper();
  auto in = MakePipe(), out = MakePipe(), err = MakePipe();
  EXPECT_TRUE(in && out && err);
  std::vector<std::string> words;
  for (const auto& [name, value] : command.environment) words.push_back(name + "=" + value);
  std::vector<char*> argv, environment;
  for (const std::string& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
  for (const std::string& word : words) environment.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  environment.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) Become(command, argv.data(), environment.data(), in->read.get(), out->write.get(), err->write.get());
  pidfd_.reset(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  (void)!write(in->write.get(), command.input.data(), command.input.size());
  out_ = std::move(out->read);
  // A ticket is longer than this pipe: its first bytes are seen while paddock waits to write the others.
  fcntl(out_.get(), F_SETPIPE_SZ, 4096);
  err_ = std::move(err->read);
}

PaddockRun::~PaddockRun() {
  if (pid_ > 0) {
    ADD_FAILURE() << "the run was not finished: " << outcome_.err;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (!NothingLeft()) ADD_FAILURE() << "processes of the run still exist";
}

void PaddockRun::Signal(int number) const { (void)SignalByPidfd(pidfd_.get(), number); }

void PaddockRun::LookAtPeak() {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> outcome_.peak_kb;
}

bool PaddockRun::Pump(const Deadline& deadline) {
  if (!out_ && !err_) return false;
  pollfd wait[2] = {{out_ ? out_.get() : -1, POLLIN, 0}, {err_ ? err_.get() : -1, POLLIN, 0}};
  if (poll(wait, 2, deadline.poll_ms()) <= 0) return !deadline.passed();
  if (wait[0].revents) LookAtPeak();
  if (wait[0].revents && !TakeAll(out_.get(), &outcome_.out)) out_.reset();
  if (wait[1].revents && !TakeAll(err_.get(), &outcome_.err)) err_.reset();
  return true;
}

bool PaddockRun::WaitForLine(const std::string& text, int count) {
  const Deadline deadline = Deadline::After(kHang);
  for (;;) {
    int seen = 0;
    for (size_t begin = 0, end; (end = outcome_.err.find('\n', begin)) != std::string::npos; begin = end + 1)
      if (std::string_view(outcome_.err).substr(begin, end - begin).find(text) != std::string_view::npos && ++seen == count) return true;
    if (!Pump(deadline)) return false;
  }
}

Outcome PaddockRun::Finish() {
  const Deadline deadline = Deadline::After(kHang);
  // Output ends when every process that holds it is gone: a jail must not.
  while (Pump(deadline)) {
  }
  if (!EndedByPidfd(pidfd_.get(), deadline)) {
    ADD_FAILURE() << "paddock hangs: " << outcome_.err;
    Signal(SIGKILL);
  }
  int status = 0;
  rusage usage{};
  while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  outcome_.most_peak_kb = usage.ru_maxrss;
  pid_ = -1;
  outcome_.killed = WIFSIGNALED(status);
  outcome_.status = outcome_.killed ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  outcome_.took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started_);
  return outcome_;
}

bool NothingLeft(const Deadline& deadline) {
  BecomeSubreaper();
  for (;;) {
    pid_t ended = waitpid(-1, nullptr, WNOHANG | __WALL);
    if (ended < 0 && errno == ECHILD) return true;
    if (ended > 0) continue;
    if (deadline.passed()) return false;
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    auto left = deadline.left().value_or(std::chrono::seconds(1));
    timespec span{left.count() / 1'000'000'000, left.count() % 1'000'000'000};
    sigtimedwait(&child, nullptr, &span);
  }
}

std::vector<pid_t> ProcessesNamed(pid_t ancestor, const std::string& name) {
  std::vector<pid_t> found, todo{ancestor};
  while (!todo.empty()) {
    const pid_t pid = todo.back();
    todo.pop_back();
    const std::string process = "/proc/" + std::to_string(pid);
    std::string comm;
    std::getline(std::ifstream(process + "/comm"), comm);
    if (comm == name) found.push_back(pid);
    std::error_code ignored;
    for (const auto& task : std::filesystem::directory_iterator(process + "/task", ignored)) {
      std::ifstream children(task.path() / "children");
      for (pid_t child; children >> child;) todo.push_back(child);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace paddock::flow

// An anonymous pipe as standard input: what is not read stays, and nothing can be written back into it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "base/frame_pipe.h"
#include "orchestrator/run/pipe_input.h"

namespace paddock::orchestrator {
namespace {

class PipeInputTest : public testing::Test {
 protected:
  PipeInputTest() {
    signal(SIGPIPE, SIG_IGN);
    (void)SetNonBlocking(program_.write.get());
    fcntl(program_.write.get(), F_SETPIPE_SZ, 1);
    (void)SetNonBlocking(program_.read.get());
    (void)SetNonBlocking(caller_.read.get());
    input_.emplace(UniqueFd(fcntl(caller_.read.get(), F_DUPFD_CLOEXEC, 3)), std::move(program_.write), UniqueFd(fcntl(program_.read.get(), F_DUPFD_CLOEXEC, 3)));
  }
  void Say(const std::string& text) { ASSERT_EQ(write(caller_.write.get(), text.data(), text.size()), static_cast<ssize_t>(text.size())); }
  static std::string Read(int fd, size_t most) {
    std::string text(most, '\0');
    const ssize_t n = read(fd, text.data(), most);
    text.resize(n > 0 ? static_cast<size_t>(n) : 0);
    return text;
  }
  bool ready() {
    pollfd wait = input_->wait();
    return poll(&wait, 1, 0) > 0 && wait.revents;
  }
  Pipe caller_ = *MakePipe(), program_ = *MakePipe();
  std::optional<PipeInput> input_;
};

TEST_F(PipeInputTest, WhatTheProgramDoesNotReadStaysForTheNextReader) {
  Say("abcdef");
  ASSERT_TRUE(ready());
  input_->Step();
  EXPECT_FALSE(ready()) << "one piece at a time";
  EXPECT_EQ(Read(program_.read.get(), 2), "ab");
  input_->Settle();
  EXPECT_EQ(Read(caller_.read.get(), 100), "cdef");
}

TEST_F(PipeInputTest, EverythingArrivesInOrderAndThenTheEnd) {
  std::string sent, got;
  for (int round = 0; round < 20; ++round) {
    const std::string text(3000, static_cast<char>('a' + round));
    Say(text);
    sent += text;
    for (int i = 0; i < 6 && ready(); ++i) {
      input_->Step();
      got += Read(program_.read.get(), 65536);
    }
  }
  caller_.write.reset();
  for (int i = 0; i < 10 && ready(); ++i) {
    input_->Step();
    got += Read(program_.read.get(), 65536);
  }
  EXPECT_EQ(got, sent);
  EXPECT_EQ(input_->wait().fd, -1) << "its end was passed on";
}

TEST_F(PipeInputTest, ProgramThatWritesIntoItsInputSpeaksToItselfAlone) {
  Say("one\n");
  input_->Step();
  UniqueFd again(open(("/proc/self/fd/" + std::to_string(program_.read.get())).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  ASSERT_TRUE(again);
  EXPECT_EQ(Read(program_.read.get(), 100), "one\n");
  ASSERT_EQ(write(again.get(), "rm -r x\n", 8), 8);
  input_->Settle();
  EXPECT_EQ(Read(caller_.read.get(), 100).find("rm"), std::string::npos);
}

}  // namespace
}  // namespace paddock::orchestrator

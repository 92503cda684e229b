#include "orchestrator/run/relay.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <numeric>

#include "base/frame_pipe.h"

namespace paddock::orchestrator {
namespace {

class Relay : public testing::Test {
 protected:
  void SetUp() override {
    signal(SIGPIPE, SIG_IGN);
    jail_ = *MakePipe();
    ASSERT_TRUE(SetNonBlocking(jail_.read.get()));
  }
  static std::string EveryByte(size_t size) {
    std::string bytes(size, '\0');
    std::iota(bytes.begin(), bytes.end(), '\0');
    return bytes;
  }
  static std::string TakeAll(int fd) {
    std::string all;
    char chunk[65536];
    for (ssize_t n; (n = read(fd, chunk, sizeof chunk)) > 0;) all.append(chunk, static_cast<size_t>(n));
    return all;
  }
  // Steps while something is ready at once.
  static Status Run(OutputRelay* relay) {
    while (!relay->done()) {
      pollfd wait = relay->wait();
      if (poll(&wait, 1, 0) <= 0) return {};
      TRY(relay->Step());
    }
    return {};
  }
  static void Run(InputRelay* relay) {
    while (!relay->done()) {
      pollfd wait = relay->wait();
      if (poll(&wait, 1, 0) <= 0) return;
      relay->Step();
    }
  }
  void Program(std::string_view bytes) { ASSERT_EQ(write(jail_.write.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size())); }
  static UniqueFd File(std::string_view content) {
    char name[] = "/tmp/paddock-relay-XXXXXX";
    UniqueFd file(mkostemp(name, O_CLOEXEC));
    unlink(name);
    EXPECT_EQ(write(file.get(), content.data(), content.size()), static_cast<ssize_t>(content.size()));
    lseek(file.get(), 0, SEEK_SET);
    return file;
  }

  Pipe jail_;
  OutputBudget budget_;
};

TEST_F(Relay, OfOutputKeepsEveryByte) {
  Pipe caller = *MakePipe();
  OutputRelay relay(std::move(jail_.read), OutputSink(caller.write.get()), &budget_);
  const std::string bytes = EveryByte(40'000);
  Program(bytes);
  jail_.write.reset();
  ASSERT_TRUE(Run(&relay));
  EXPECT_TRUE(relay.done());
  EXPECT_EQ(relay.total(), 40'000u);
  caller.write.reset();
  EXPECT_EQ(TakeAll(caller.read.get()), bytes);
}

TEST_F(Relay, OfOutputWaitsForASlowReaderAndNeverBlocks) {
  Pipe caller = *MakePipe();
  OutputRelay relay(std::move(jail_.read), OutputSink(caller.write.get()), &budget_);
  // More than both pipes hold: with a write that blocks, this test would hang.
  std::string got;
  const std::string bytes = EveryByte(65'536);
  for (int i = 0; i < 4; ++i) {
    Program(bytes);
    ASSERT_TRUE(Run(&relay));
    if (i == 0) continue;
    char chunk[65536];
    const ssize_t n = read(caller.read.get(), chunk, sizeof chunk);
    ASSERT_GT(n, 0);
    got.append(chunk, static_cast<size_t>(n));
    ASSERT_TRUE(Run(&relay));
  }
  jail_.write.reset();
  SetNonBlocking(caller.read.get()).value();
  while (!relay.done()) {
    got += TakeAll(caller.read.get());
    ASSERT_TRUE(Run(&relay));
  }
  got += TakeAll(caller.read.get());
  EXPECT_EQ(got, bytes + bytes + bytes + bytes);
}

TEST_F(Relay, LeavesTheCallersBlockingModeAlone) {
  for (const bool non_blocking : {false, true}) {
    Pipe caller = *MakePipe();
    if (non_blocking) SetNonBlocking(caller.write.get()).value();
    const int before = fcntl(caller.write.get(), F_GETFL);
    Pipe jail = *MakePipe();
    ASSERT_TRUE(SetNonBlocking(jail.read.get()));
    OutputRelay relay(std::move(jail.read), OutputSink(caller.write.get()), &budget_);
    const std::string bytes = EveryByte(65'536);
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(write(jail.write.get(), bytes.data(), bytes.size()), 65'536);
      ASSERT_TRUE(Run(&relay));  // the second time the caller's pipe is full
    }
    EXPECT_EQ(fcntl(caller.write.get(), F_GETFL), before);
    EXPECT_FALSE(relay.done());
    relay.GiveUp();
    EXPECT_TRUE(relay.done());
    EXPECT_TRUE(relay.truncated());
  }
}

TEST_F(Relay, OfOutputGoesToASocket) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  UniqueFd caller(ends[0]), reader(ends[1]);
  OutputRelay relay(std::move(jail_.read), OutputSink(caller.get()), &budget_);
  std::string sent, bytes = EveryByte(60'000);
  SetNonBlocking(jail_.write.get()).value();
  for (int i = 0; i < 40; ++i) {  // until it is full: nothing blocks
    const ssize_t n = write(jail_.write.get(), bytes.data(), bytes.size());
    if (n > 0) sent.append(bytes.data(), static_cast<size_t>(n));
    ASSERT_TRUE(Run(&relay));
  }
  jail_.write.reset();
  SetNonBlocking(reader.get()).value();
  std::string got;
  while (!relay.done()) {
    got += TakeAll(reader.get());
    ASSERT_TRUE(Run(&relay));
  }
  got += TakeAll(reader.get());
  EXPECT_EQ(got, sent);
  EXPECT_EQ(fcntl(caller.get(), F_GETFL) & O_NONBLOCK, 0);
}

TEST_F(Relay, WithoutAReaderClosesTheProgramsPipe) {
  Pipe caller = *MakePipe();
  caller.read.reset();
  OutputRelay relay(std::move(jail_.read), OutputSink(caller.write.get()), &budget_);
  Program("for nobody");
  EXPECT_TRUE(Run(&relay));  // no error
  EXPECT_TRUE(relay.done());
  EXPECT_EQ(write(jail_.write.get(), "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
}

TEST_F(Relay, SaysThatADiskIsFull) {
  UniqueFd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  OutputRelay relay(std::move(jail_.read), OutputSink(full.get()), &budget_);
  Program("text");
  auto ran = Run(&relay);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().sys_errno, ENOSPC);
  EXPECT_TRUE(relay.done());
}

TEST_F(Relay, DropsWhatIsBeyondTheSharedBudgetAndReadsOn) {
  Pipe caller = *MakePipe(), other_jail = *MakePipe();
  ASSERT_TRUE(SetNonBlocking(other_jail.read.get()));
  budget_.left = 15;
  OutputRelay out(std::move(jail_.read), OutputSink(caller.write.get()), &budget_);
  OutputRelay err(std::move(other_jail.read), std::nullopt, &budget_, 100);
  Program("0123456789");
  ASSERT_TRUE(Run(&out));
  ASSERT_EQ(write(other_jail.write.get(), "abcdefghij", 10), 10);
  ASSERT_TRUE(Run(&err));
  for (int i = 0; i < 100; ++i) {
    Program(EveryByte(65'536));
    ASSERT_TRUE(Run(&out));
  }
  jail_.write.reset();
  ASSERT_TRUE(Run(&out));
  EXPECT_TRUE(out.done());
  EXPECT_TRUE(out.truncated());
  EXPECT_TRUE(err.truncated());
  EXPECT_EQ(err.kept(), "abcde");
  EXPECT_EQ(out.total(), 10u + 100u * 65'536u);
  EXPECT_EQ(budget_.dropped, 5u + 100u * 65'536u);
  caller.write.reset();
  EXPECT_EQ(TakeAll(caller.read.get()), "0123456789");
}

TEST_F(Relay, ToMemoryKeepsItsShareAndCountsAll) {
  OutputRelay relay(std::move(jail_.read), std::nullopt, &budget_, 7);
  Program("0123456789");
  jail_.write.reset();
  ASSERT_TRUE(Run(&relay));
  EXPECT_EQ(relay.kept(), "0123456");
  EXPECT_TRUE(relay.truncated());
  EXPECT_EQ(relay.total(), 10u);
  EXPECT_EQ(budget_.dropped, 0u);
}

TEST_F(Relay, OfInputGivesAFileItsPositionBack) {
  UniqueFd file = File("first\nsecond\nthird\n");
  lseek(file.get(), 6, SEEK_SET);
  UniqueFd program(fcntl(jail_.read.get(), F_DUPFD_CLOEXEC, 0));
  SetNonBlocking(jail_.write.get()).value();
  InputRelay relay(InputSource(file.get()), std::move(jail_.write), std::move(jail_.read));
  Run(&relay);
  EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 6) << "moved before it was known how far";
  char line[7];
  ASSERT_EQ(read(program.get(), line, 7), 7);
  EXPECT_EQ(std::string(line, 7), "second\n");
  relay.SetBack();
  EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 13);
}

TEST_F(Relay, OfInputFromALargeFileStopsWhereThePipeIsFull) {
  const std::string bytes = EveryByte(300'000);
  UniqueFd file = File(bytes);
  UniqueFd program(fcntl(jail_.read.get(), F_DUPFD_CLOEXEC, 0));
  SetNonBlocking(jail_.write.get()).value();
  InputRelay relay(InputSource(file.get()), std::move(jail_.write), std::move(jail_.read));
  std::string got(100'000, '\0');
  for (size_t at = 0; at < got.size();) {
    Run(&relay);
    const ssize_t n = read(program.get(), got.data() + at, got.size() - at);
    ASSERT_GT(n, 0);
    at += static_cast<size_t>(n);
  }
  EXPECT_EQ(got, bytes.substr(0, 100'000));
  EXPECT_FALSE(relay.done());
  relay.SetBack();
  EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 100'000);
}

TEST_F(Relay, OfInputEndsWithItsSourceOrItsReader) {
  Pipe caller = *MakePipe();
  SetNonBlocking(jail_.write.get()).value();
  {
    InputRelay relay(InputSource(caller.read.get()), std::move(jail_.write));
    ASSERT_EQ(write(caller.write.get(), "in", 2), 2);
    Run(&relay);
    EXPECT_FALSE(relay.done());
    caller.write.reset();
    Run(&relay);
    EXPECT_TRUE(relay.done());
    EXPECT_TRUE(relay.source_ended());
    SetNonBlocking(jail_.read.get()).value();
    EXPECT_EQ(TakeAll(jail_.read.get()), "in");
  }
  Pipe more = *MakePipe(), closed = *MakePipe();
  SetNonBlocking(closed.write.get()).value();
  closed.read.reset();
  InputRelay relay(InputSource(more.read.get()), std::move(closed.write));
  ASSERT_EQ(write(more.write.get(), "x", 1), 1);
  Run(&relay);
  EXPECT_TRUE(relay.done());
  EXPECT_FALSE(relay.source_ended());
}

}  // namespace
}  // namespace paddock::orchestrator

#include "base/frame_pipe.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include <thread>

namespace paddock {
namespace {

Deadline Soon() { return Deadline::After(std::chrono::seconds(20)); }
Deadline Now() { return Deadline::After({}); }

class FramePipeTest : public testing::Test {
 protected:
  void SetUp() override {
    signal(SIGPIPE, SIG_IGN);
    auto pipe = MakePipe();
    ASSERT_TRUE(pipe);
    pipe_ = *std::move(pipe);
  }
  // Raw bytes into the pipe; they must fit it.
  void Put(std::string_view bytes) {
    ASSERT_TRUE(SetNonBlocking(pipe_.write.get()));
    ASSERT_EQ(write(pipe_.write.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  // The same from a thread, as much as the reader takes.
  std::jthread Flood(std::string bytes) {
    return std::jthread([this, bytes = std::move(bytes)] {
      (void)SetNonBlocking(pipe_.write.get());
      for (std::string_view rest = bytes; !rest.empty();) {
        ssize_t n = write(pipe_.write.get(), rest.data(), rest.size());
        if (n > 0) rest.remove_prefix(static_cast<size_t>(n));
        else if (errno == EPIPE) return;
        pollfd wait{pipe_.write.get(), POLLOUT, 0};
        poll(&wait, 1, 1000);
      }
    });
  }
  Pipe pipe_;
};

TEST_F(FramePipeTest, HandsOutFramesInOrder) {
  FrameReader reader(pipe_.read.get(), 1024);
  Put("one\n\n\ntwo\nthr");
  EXPECT_EQ(*reader.Next(Soon()), "one");
  EXPECT_EQ(*reader.Next(Soon()), "two");
  auto none = reader.Next(Now());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::kTimeout);
  Put("ee\n");
  EXPECT_EQ(*reader.Next(Soon()), "three");
}

TEST_F(FramePipeTest, TellsTheEndAndKeepsWhatCameBefore) {
  FrameReader reader(pipe_.read.get(), 1024);
  Put("last\nhalf");
  pipe_.write.reset();
  EXPECT_EQ(*reader.Next(Soon()), "last");
  auto end = reader.Next(Soon());
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().kind, ErrorKind::kClosed);
}

TEST_F(FramePipeTest, TakesAFrameOfItsLargestSizeAndNoLarger) {
  constexpr size_t kMost = 1000;
  FrameReader reader(pipe_.read.get(), kMost);
  Put(std::string(kMost, 'a') + "\n");
  EXPECT_EQ(reader.Next(Soon())->size(), kMost);
  Put(std::string(kMost + 1, 'b'));
  auto large = reader.Next(Soon());
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, ErrorKind::kLimit);
}

TEST_F(FramePipeTest, StopsAHundredMegabytesWithoutHoldingThem) {
  FramePool pool(1);
  FrameReader reader(pipe_.read.get(), 1u << 20, &pool);
  auto flood = Flood(std::string(100u << 20, 'x'));
  auto large = reader.Next(Soon());
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, ErrorKind::kLimit);
  EXPECT_EQ(pool.taken(), 1);
  pipe_.read.reset();  // the writer ends by EPIPE
}

TEST_F(FramePipeTest, ReadersShareOnePool) {
  auto other_pipe = MakePipe();
  ASSERT_TRUE(other_pipe);
  FramePool pool(0);
  {
    FrameReader first(pipe_.read.get(), 1u << 20, &pool);
    Put(std::string(1000, 'a') + "\n");
    EXPECT_EQ(first.Next(Soon())->size(), 1000u) << "small ones need no place";
    FrameReader second(other_pipe->read.get(), 1u << 20, &pool);
    const std::string bytes(64u << 10, 'b');
    std::jthread writer([&] {
      (void)SetNonBlocking(other_pipe->write.get());
      for (int i = 0; i < 8; ++i) {
        if (write(other_pipe->write.get(), bytes.data(), bytes.size()) < 0 && errno == EPIPE) return;
        pollfd wait{other_pipe->write.get(), POLLOUT, 0};
        poll(&wait, 1, 1000);
      }
    });
    auto starved = second.Next(Soon());
    ASSERT_FALSE(starved);
    EXPECT_EQ(starved.error().kind, ErrorKind::kLimit);
    EXPECT_TRUE(second.starved());
    EXPECT_TRUE(pool.wanted());
    other_pipe->read.reset();
  }
  EXPECT_FALSE(pool.wanted());
}

// Within one read, with its newline, and with a frame before it that is still to be had.
TEST_F(FramePipeTest, AFrameThatIsTooLongIsRefusedHoweverItComes) {
  FrameReader reader(pipe_.read.get(), 4);
  Put("abcd\nabcde\nabc\n");
  EXPECT_EQ(reader.Fill().error().kind, ErrorKind::kLimit);
  EXPECT_EQ(reader.Pop(), "abcd");
  EXPECT_EQ(reader.Pop(), std::nullopt);
  EXPECT_EQ(reader.Fill().error().kind, ErrorKind::kLimit);
  EXPECT_EQ(reader.Pop(), std::nullopt);
}

TEST(FramePool, GivesNoMoreThanItHas) {
  FramePool pool(2);
  EXPECT_TRUE(pool.TakePlace());
  EXPECT_TRUE(pool.TakePlace());
  EXPECT_FALSE(pool.TakePlace());
  pool.GivePlace();
  EXPECT_TRUE(pool.TakePlace());
}

TEST_F(FramePipeTest, WritesNoLongerThanItsDeadlineToOneWhoDoesNotRead) {
  ASSERT_TRUE(SetNonBlocking(pipe_.write.get()));
  auto stuck = WriteFrame(pipe_.write.get(), std::string(4u << 20, 'x'), Deadline::After(std::chrono::milliseconds(20)));
  ASSERT_FALSE(stuck);
  EXPECT_EQ(stuck.error().kind, ErrorKind::kTimeout);
}

TEST_F(FramePipeTest, WritingToOneWhoIsGoneIsAnErrorAndNoSignal) {
  pipe_.read.reset();
  auto gone = WriteFrame(pipe_.write.get(), "x", Soon());
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().kind, ErrorKind::kClosed);
}

TEST_F(FramePipeTest, ALargeFrameGoesThroughWhole) {
  ASSERT_TRUE(SetNonBlocking(pipe_.write.get()));
  const std::string frame(3u << 20, 'y');
  std::jthread writer([&] { EXPECT_TRUE(WriteFrame(pipe_.write.get(), frame, Soon())); });
  FrameReader reader(pipe_.read.get(), 8u << 20);
  auto got = reader.Next(Soon());
  ASSERT_TRUE(got);
  EXPECT_TRUE(*got == frame);
}

TEST_F(FramePipeTest, OneFillTakesABoundedAmount) {
  FrameReader reader(pipe_.read.get(), 8u << 20);
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "{\"type\":\"event\"}\n";
  auto flood = Flood(lines);
  size_t frames = 0;
  while (frames < 20'000) {
    pollfd wait{reader.fd(), POLLIN, 0};
    ASSERT_GT(poll(&wait, 1, 20'000), 0);
    ASSERT_TRUE(reader.Fill());
    size_t now = 0;
    while (reader.Pop()) ++now;
    EXPECT_LE(now, (256u << 10) / 16);
    frames += now;
  }
  EXPECT_EQ(frames, 20'000u);
}

TEST_F(FramePipeTest, BothEndsCloseAtExec) {
  EXPECT_TRUE(fcntl(pipe_.read.get(), F_GETFD) & FD_CLOEXEC);
  EXPECT_TRUE(fcntl(pipe_.write.get(), F_GETFD) & FD_CLOEXEC);
}

}  // namespace
}  // namespace paddock

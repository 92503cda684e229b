#include "base/readable_any.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include "base/frame_pipe.h"

namespace paddock {
namespace {

bool Readable(int fd) {
  pollfd wait{fd, POLLIN, 0};
  return poll(&wait, 1, 0) == 1;
}

TEST(ReadableAny, IsReadableWhenOneOfThemIs) {
  Pipe a = *MakePipe(), b = *MakePipe();
  auto any = ReadableAny({a.read.get(), -1, b.read.get()});
  ASSERT_TRUE(any);
  EXPECT_FALSE(Readable(any->get()));
  ASSERT_EQ(write(b.write.get(), "x", 1), 1);
  EXPECT_TRUE(Readable(any->get()));
  char c;
  ASSERT_EQ(read(b.read.get(), &c, 1), 1);
  EXPECT_FALSE(Readable(any->get()));
}

TEST(ReadableAny, SeesThatAReaderIsGone) {
  Pipe pipe = *MakePipe();
  auto any = ReadableAny({}, pipe.write.get());
  ASSERT_TRUE(any);
  EXPECT_FALSE(Readable(any->get())) << "though it can be written";
  pipe.read.reset();
  EXPECT_TRUE(Readable(any->get()));
}

TEST(ReadableAny, OfAFileThereIsNothingToTell) {
  UniqueFd file(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  auto any = ReadableAny({}, file.get());
  ASSERT_TRUE(any) << any.error().message;
  EXPECT_FALSE(Readable(any->get()));
}

}  // namespace
}  // namespace paddock

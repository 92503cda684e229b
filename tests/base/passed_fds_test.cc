#include "base/passed_fds.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>

namespace paddock {
namespace {

struct Sockets {
  UniqueFd a, b;
};
Sockets Pair() {
  int ends[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

ino_t InodeOf(int fd) {
  struct stat info {};
  EXPECT_EQ(fstat(fd, &info), 0);
  return info.st_ino;
}

TEST(PassedFds, ComeInOrderAndCloseAtExec) {
  const Sockets sockets = Pair(), one = Pair();
  const int sent[] = {one.a.get(), one.b.get()};
  ASSERT_EQ(SendWithFds(sockets.a.get(), "hello", 5, sent), 5);
  char bytes[16];
  std::vector<UniqueFd> fds;
  ASSERT_EQ(ReceiveWithFds(sockets.b.get(), bytes, sizeof bytes, &fds), 5);
  ASSERT_EQ(fds.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(InodeOf(fds[i].get()), InodeOf(sent[i]));
    EXPECT_NE(fcntl(fds[i].get(), F_GETFD) & FD_CLOEXEC, 0);
  }
}

TEST(PassedFds, AreAsManyAsFitAndNoMore) {
  const Sockets sockets = Pair();
  std::vector<int> sent(kMostPassedFds, sockets.a.get());
  ASSERT_EQ(SendWithFds(sockets.a.get(), "x", 1, sent), 1);
  char byte;
  std::vector<UniqueFd> fds;
  ASSERT_EQ(ReceiveWithFds(sockets.b.get(), &byte, 1, &fds), 1);
  EXPECT_EQ(fds.size(), kMostPassedFds);
  sent.push_back(sockets.a.get());
  EXPECT_EQ(SendWithFds(sockets.a.get(), "x", 1, sent), -1);
  EXPECT_EQ(errno, EINVAL);
}

TEST(PassedFds, NoMessageAndTheEndAreToldApart) {
  Sockets sockets = Pair();
  char byte;
  std::vector<UniqueFd> fds;
  EXPECT_EQ(ReceiveWithFds(sockets.b.get(), &byte, 1, &fds, MSG_DONTWAIT), -1);
  EXPECT_EQ(errno, EAGAIN);
  ASSERT_EQ(send(sockets.a.get(), "x", 1, 0), 1);
  EXPECT_EQ(ReceiveWithFds(sockets.b.get(), &byte, 1, &fds), 1) << "a message with nothing beside it";
  sockets.a.reset();
  EXPECT_EQ(ReceiveWithFds(sockets.b.get(), &byte, 1, &fds), 0);
  EXPECT_TRUE(fds.empty());
  const int sent[] = {sockets.b.get()};
  EXPECT_EQ(SendWithFds(sockets.b.get(), "x", 1, sent), -1);
  EXPECT_EQ(errno, EPIPE);
}

}  // namespace
}  // namespace paddock

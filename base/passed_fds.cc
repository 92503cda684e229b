#include "base/passed_fds.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace paddock {

ssize_t SendWithFds(int socket, const void* bytes, size_t size, std::span<const int> fds) {
  if (fds.empty() || fds.size() > kMostPassedFds) return errno = EINVAL, -1;
  iovec data{const_cast<void*>(bytes), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMostPassedFds)] = {};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = CMSG_SPACE(fds.size_bytes());
  cmsghdr* rights = CMSG_FIRSTHDR(&header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(fds.size_bytes());
  std::memcpy(CMSG_DATA(rights), fds.data(), fds.size_bytes());
  ssize_t n = 0;
  do {
    n = sendmsg(socket, &header, MSG_NOSIGNAL);
  } while (n < 0 && errno == EINTR);
  return n;
}

ssize_t ReceiveWithFds(int socket, void* bytes, size_t size, std::vector<UniqueFd>* fds, int flags) {
  iovec data{bytes, size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMostPassedFds)];
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t n = 0;
  do {
    n = recvmsg(socket, &header, flags | MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n < 0) return n;
  for (cmsghdr* item = CMSG_FIRSTHDR(&header); item; item = CMSG_NXTHDR(&header, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = 0; at + sizeof(int) <= item->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(item) + at, sizeof fd);
      fds->emplace_back(fd);
    }
  }
  return n;
}

}  // namespace paddock

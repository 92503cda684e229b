#include "base/readable_any.h"

#include <sys/epoll.h>

#include <cerrno>

namespace paddock {

Result<UniqueFd> ReadableAny(std::initializer_list<int> fds, int written_fd) {
  UniqueFd any(::epoll_create1(EPOLL_CLOEXEC));
  if (!any) return FailErrno("epoll_create1");
  for (int fd : fds) {
    epoll_event event{};
    event.events = EPOLLIN;
    if (fd >= 0 && ::epoll_ctl(any.get(), EPOLL_CTL_ADD, fd, &event) < 0) return FailErrno("epoll_ctl");
  }
  epoll_event gone{};  // EPOLLERR and EPOLLHUP come unasked (epoll_ctl(2))
  if (written_fd >= 0 && ::epoll_ctl(any.get(), EPOLL_CTL_ADD, written_fd, &gone) < 0 && errno != EPERM) return FailErrno("epoll_ctl");
  return any;
}

}  // namespace paddock

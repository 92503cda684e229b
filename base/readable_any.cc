#include "base/readable_any.h"

#include <sys/epoll.h>

namespace paddock {

Result<UniqueFd> ReadableAny(std::initializer_list<int> fds) {
  UniqueFd any(::epoll_create1(EPOLL_CLOEXEC));
  if (!any) return FailErrno("epoll_create1");
  for (int fd : fds) {
    epoll_event event{};
    event.events = EPOLLIN;
    if (fd >= 0 && ::epoll_ctl(any.get(), EPOLL_CTL_ADD, fd, &event) < 0) return FailErrno("epoll_ctl");
  }
  return any;
}

}  // namespace paddock

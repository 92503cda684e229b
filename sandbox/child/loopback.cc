#include "sandbox/child/loopback.h"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>

#include "base/unique_fd.h"
#include "sandbox/child/report.h"

namespace paddock::sandbox::child {

void RaiseLoopback(const Plan& plan) {
  if (!plan.loopback) return;
  UniqueFd any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{"lo", {}};
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (!any || ioctl(any.get(), SIOCSIFFLAGS, &request) < 0) Die(Stage::kSession, errno, "loopback");
}

}  // namespace paddock::sandbox::child

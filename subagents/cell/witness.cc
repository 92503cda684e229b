#include "subagents/cell/witness.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "subagents/cell_abi.h"

namespace paddock::subagents {
namespace {

int OpenError(const char* path) {
  int fd = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return errno;
  ::close(fd);
  return 0;
}

int CallError(long number) { return ::syscall(number) < 0 ? errno : 0; }

}  // namespace

std::array<Denial, 3> TryDenials() {
  return {Denial{kLayerLandlock, kActionLandlock, OpenError(kWitnessPath)},
          Denial{kLayerSeccomp, kActionSeccomp, CallError(SYS_getpgrp)},
          Denial{kLayerSeccompSecond, kActionSeccompSecond, CallError(SYS_getppid)}};
}

}  // namespace paddock::subagents

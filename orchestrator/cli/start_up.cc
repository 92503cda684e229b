#include "orchestrator/cli/start_up.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/memory.h"

namespace paddock::orchestrator {

void TidyUp() {
  KeepMemorySmall();
  // The lowest number that is free is taken, so in this order each gets its own.
  for (int fd = 0; fd <= 2; ++fd)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd) _exit(4);
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
}

}  // namespace paddock::orchestrator

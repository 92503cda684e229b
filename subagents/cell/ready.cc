#include "subagents/cell/ready.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace paddock::subagents {

bool SendReady(int fd, std::span<const Denial> denials) {
  char line[1024];
  size_t used = 0;
  auto print = [&](const char* format, auto... values) {
    int n = std::snprintf(line + used, sizeof line - used, format, values...);
    used = n < 0 ? sizeof line : used + static_cast<size_t>(n);
    return used < sizeof line;
  };
  // Layer and action are constants of witness.h that need no escapes.
  bool fits = print("%s", R"({"type":"ready","witness":[)");
  const char* comma = "";
  for (const Denial& denial : denials) {
    fits = fits && print(R"(%s{"layer":"%s","action":"%s","error":%d})", comma, denial.layer, denial.action, denial.error);
    comma = ",";
  }
  fits = fits && print("%s", "]}\n");
  if (!fits) return false;
  // Shorter than PIPE_BUF, so it is written whole or not at all.
  for (;;) {
    ssize_t n = ::write(fd, line, used);
    if (n == static_cast<ssize_t>(used)) return true;
    if (n >= 0 || (errno != EINTR && errno != EAGAIN)) return false;
    pollfd wait{fd, POLLOUT, 0};
    if (errno == EAGAIN) ::poll(&wait, 1, -1);
  }
}

}  // namespace paddock::subagents

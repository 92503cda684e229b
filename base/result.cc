#include "base/result.h"

#include <cstring>

namespace paddock {

std::string ErrnoName(int err) {
  const char* name = strerrorname_np(err);
  return name ? name : "errno " + std::to_string(err);
}

namespace {

// What mends an error whatever the call was.
const char* UsualHint(int err) {
  switch (err) {
    case EMFILE: return "allow this process more open files (ulimit -n)";
    case ENFILE: return "the machine's limit of open files is reached: see sysctl fs.file-max";
    case ENOMEM: return "no memory is left, or a limit of it was reached (ulimit -v, the memory limit of this cgroup)";
    case ENOSPC:
    case EDQUOT: return "make room on that disk";
    case EFBIG: return "allow larger files (ulimit -f)";
    default: return "";
  }
}

}  // namespace

std::unexpected<Error> FailErrno(std::string_view what, int err, std::string hint) {
  const char* text = strerrordesc_np(err);
  std::string message(what);
  message += ": ";
  message += text ? text : "unknown error";
  message += " (" + ErrnoName(err) + ")";
  // No other way mends a lack of descriptors, whatever was to be opened.
  if (hint.empty() || err == EMFILE || err == ENFILE) hint = UsualHint(err);
  return std::unexpected(Error{ErrorKind::kSystem, std::move(message), std::move(hint), err});
}

}  // namespace paddock

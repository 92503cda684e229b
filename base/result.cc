#include "base/result.h"

#include <cstring>

namespace paddock {

std::string ErrnoName(int err) {
  const char* name = strerrorname_np(err);
  return name ? name : "errno " + std::to_string(err);
}

std::unexpected<Error> FailErrno(std::string_view what, int err, std::string hint) {
  const char* text = strerrordesc_np(err);
  std::string message(what);
  message += ": ";
  message += text ? text : "unknown error";
  message += " (" + ErrnoName(err) + ")";
  return std::unexpected(Error{ErrorKind::kSystem, std::move(message), std::move(hint), err});
}

}  // namespace paddock

// Errors are values. A Result<T> is a T or an Error that says what failed, where, and what to do next.
//
// TRY(expr) unwraps a Result or returns its error from the enclosing function. No exception crosses a
// file: the file that calls a throwing library catches there and returns an Error.
#pragma once

#include <cerrno>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace paddock {

enum class ErrorKind {
  kInvalid,   // bad input: what, where, what was expected (exit 2)
  kNotFound,  // a named thing does not exist
  kDenied,    // permission, policy or a sandbox layer said no
  kLimit,     // a bound was reached
  kTimeout,   // a deadline passed
  kClosed,    // the other side is gone
  kProtocol,  // the other side broke the protocol
  kCancelled, // somebody asked us to stop
  kSystem,    // a system call failed: sys_errno says how
  kInternal,  // a bug of ours
};

struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;  // what failed, with the path or value
  std::string hint;     // what to do next; may be empty
  int sys_errno = 0;    // errno, where a system call failed
};

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> Fail(ErrorKind kind, std::string message, std::string hint = {}) {
  return std::unexpected(Error{kind, std::move(message), std::move(hint), 0});
}

// "open /x: No such file or directory (ENOENT)". `err` defaults to errno at the call. Limits of the machine
// have a hint of their own.
std::unexpected<Error> FailErrno(std::string_view what, int err = errno, std::string hint = {});

// "EPERM" for EPERM; "errno 4000" for a number that has no name.
std::string ErrnoName(int err);

}  // namespace paddock

#define PADDOCK_JOIN2(a, b) a##b
#define PADDOCK_JOIN(a, b) PADDOCK_JOIN2(a, b)
#define PADDOCK_TRY(expr, result)                                   \
  ({                                                                \
    auto result = (expr);                                           \
    if (!result) return std::unexpected(std::move(result).error()); \
    std::move(result).value();                                      \
  })
#define TRY(expr) PADDOCK_TRY((expr), PADDOCK_JOIN(try_result_, __COUNTER__))

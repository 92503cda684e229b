// What an inmate may be asked to do wrong. Each is harmless where it succeeds: it happens in a jail with
// some layers off, on a folder of the test's own.
#pragma once

#include <span>

namespace paddock::inmates {

struct Misdeed {
  const char* name;
  int (*commit)(const char* argument);  // 0 when it succeeded, else errno
};

std::span<const Misdeed> Misdeeds();

}  // namespace paddock::inmates

// The system calls of this architecture, sorted by number: as libseccomp knew them when paddock was built.
#pragma once

#include <cstdint>
#include <string_view>

namespace paddock::sandbox {

struct SystemCall {
  uint32_t number;
  std::string_view name;
};
extern const SystemCall kSystemCalls[];
extern const unsigned kSystemCallCount;

}  // namespace paddock::sandbox

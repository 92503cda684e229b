// What the jail blocked: one denied system call, as pid 1 reported it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace paddock::sandbox {

struct Violation {
  uint32_t number = 0;                  // of the system call
  std::array<uint64_t, 6> arguments{};
  int64_t process = 0;                  // or thread, as the jail counts
  std::string process_name;             // bytes; empty where it is not known
  std::string text;                     // the pathname, or the bytes of the socket address, that it was about; may be empty
  int error = 0;                        // what it was answered
};

}  // namespace paddock::sandbox

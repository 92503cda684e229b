// `paddock doctor`: what this machine can enforce, tried for real, and how to mend what is missing.
#pragma once

#include <optional>
#include <string>

namespace paddock::orchestrator {

struct DoctorOptions {
  std::optional<std::string> repo;  // default: the current folder, or that of the programs where it is no repository
  bool json = false;
};

// Exit status: 0 every profile that ships works and runs can be recorded, 1 something is refused, 2 bad usage,
// 4 the output could not be written. The process has one thread.
int RunDoctor(const DoctorOptions& options);

}  // namespace paddock::orchestrator

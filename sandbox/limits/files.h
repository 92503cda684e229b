// The small files of a control group: one value, or lines of "KEY VALUE" (cgroups(7)).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace paddock::sandbox::limits {

// The whole file, at most 1 MiB; empty where it can't be read.
std::string TextOf(const std::string& path);
// Writes in one write(2), as these files want it, and never makes a file. errno, or 0.
int WriteValue(const std::string& path, const std::string& value);
// The number that the file holds, or that stands behind `key`; nullopt where there is none ("max" is none).
std::optional<uint64_t> NumberIn(const std::string& path, const std::string& key = {});

}  // namespace paddock::sandbox::limits

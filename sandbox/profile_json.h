// Reading profiles: shipped ones by name, and files that people write.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sandbox/profile.h"

namespace paddock::sandbox {

// Names of the profiles that paddock ships, sorted.
std::vector<std::string> ShippedProfileNames();
// kNotFound lists the known names and the nearest.
Result<Profile> ShippedProfile(std::string_view name);

// `text` of the file called `file_name` (for messages). It may extend shipped profiles. kInvalid: file, JSON
// path, what was expected.
Result<Profile> ParseProfile(std::string_view text, const std::string& file_name);

}  // namespace paddock::sandbox

// "Did you mean": the nearest of a list of known names, by edit distance.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paddock {

// Empty when nothing is close (more than a third of the letters differ).
std::string NearestName(std::string_view wanted, const std::vector<std::string>& known);
// "did you mean \"x\"?" or "".
std::string NearestHint(std::string_view wanted, const std::vector<std::string>& known);

}  // namespace paddock

// Where one path lies in relation to another, as text: nothing is looked at.
#pragma once

#include <string_view>

namespace paddock::sandbox {

// Is `path` this folder, or in it? Both absolute, without "." and ".."; `folder` without a slash at its end, so not "/".
inline bool Beneath(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace paddock::sandbox

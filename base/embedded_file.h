// A data file of the source tree, compiled in (base/embed.cmake).
#pragma once

#include <string_view>

namespace paddock {

struct EmbeddedFile {
  std::string_view name;  // file name without folder
  std::string_view text;
};

}  // namespace paddock

// The syntax of git-config(1): sections, keys, and values that may be quoted, commented and go on in the next line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::subagents {

struct GitSetting {
  size_t at = 0;        // where it begins in the text
  std::string section;  // "[core]", "[filter "x"]"
  std::string key;      // as it is written; "" for the head of a section
  std::string value;    // what git makes of it
};
struct GitSettings {
  std::vector<GitSetting> list;
  bool understood = true;  // to the end: git refuses the file where it isn't
};
GitSettings ReadGitSettings(std::string_view text);

}  // namespace paddock::subagents

// How text for a person is laid out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paddock::orchestrator {

struct TextStyle {
  bool unicode = true;   // marks as signs; else as words
  bool color = false;    // ANSI colours for the marks
  size_t width = 100;    // columns
};

// Adds `text`, made visible, with words broken at the width. Its first line begins with `lead`, the others with as
// many spaces.
void AddParagraph(std::string* out, std::string_view text, std::string_view lead, size_t width);

// "1.2 s".
std::string Seconds(int64_t ms);

}  // namespace paddock::orchestrator

// Texts of a definition's values, as its readers take and show them.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"

namespace paddock::subagents {

inline std::string Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n"), end = text.find_last_not_of(" \t\n");
  return begin == text.npos ? std::string() : std::string(text.substr(begin, end + 1 - begin));
}

inline std::string Shown(std::string_view text) { return "\"" + VisibleText(TruncateUtf8(text, 64), Newlines::kEscape) + "\""; }

// The beginning of `text`, of which `most` bytes are looked at, visible: at most twice as many, since an escape is longer than
// what it stands for.
inline std::string VisibleBeginning(std::string_view text, size_t most) {
  return std::string(TruncateUtf8(VisibleText(TruncateUtf8(text, most), Newlines::kEscape), 2 * most));
}

}  // namespace paddock::subagents

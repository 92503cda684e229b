// Letters and words of texts that are ASCII where it matters; other bytes stay as they are.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"

namespace paddock::subagents {

constexpr bool IsWordByte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
// Of a name in a language where "$" is a letter.
constexpr bool IsNameByte(char c) { return IsWordByte(c) || c == '$'; }

// Without the blanks (spaces and tabs) behind it, or around it.
constexpr std::string_view TrimEnd(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}
constexpr std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return TrimEnd(text);
}

inline std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// At most so many bytes, as a report shows it.
inline std::string Short(std::string_view text, size_t bytes = 300) { return std::string(TruncateUtf8(text, bytes)); }

}  // namespace paddock::subagents

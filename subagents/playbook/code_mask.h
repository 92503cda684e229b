// What each byte of source code is: code, a string or a comment. By a table of languages, no parser: lines are read in their order,
// and what a gap between them hides is guessed from what stands behind it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

constexpr char kCodeByte = 'c', kStringByte = 's', kCommentByte = '#';

struct MaskedLine {
  std::string bytes;   // kCodeByte, kStringByte or kCommentByte, one for each of the line
  bool known = false;  // all lines before it were seen
  bool goes_on = false;  // it begins within a string or a comment

  // Is what begins `at` code? The opening quote of a string is.
  bool IsCodeAt(size_t at) const { return at >= bytes.size() || bytes[at] == kCodeByte || (bytes[at] == kStringByte && (at == 0 ? !goes_on : bytes[at - 1] != kStringByte)); }
};

// Of every line that was seen. A file in no programming language is all code.
MaskedLines MaskOf(std::string_view path, const SeenLines& lines);
// By its language (ReviewLanguage has more than LanguageOf).
MaskedLines MaskOfLanguage(const std::string& language, const SeenLines& lines);

}  // namespace paddock::subagents

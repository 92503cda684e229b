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
};

// Of every line that was seen. A file in no programming language is all code.
std::map<int64_t, MaskedLine> MaskOf(std::string_view path, const SeenLines& lines);

}  // namespace paddock::subagents

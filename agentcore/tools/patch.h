// What `git diff --raw -p` writes, taken apart: which files changed, and their hunks.
//
// The list of --raw says what each file's part of the patch must begin with, and the head of a hunk says how many lines it
// has, so that no name and no line of a file can pass for something else. Names come quoted (core.quotePath), one line each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::agentcore {

struct PatchFile {
  std::string path, old_path;  // bytes; old_path only of what was renamed or copied
  std::string status;          // added, removed, changed, renamed, copied, type, mode
  int64_t added = 0, removed = 0;  // lines
  bool binary = false;
  std::vector<std::string_view> lines;  // "@@ ... @@" and what follows it; point into the output
};

// `output` has to live as long as what is returned. What comes before the first line of --raw is passed over.
std::vector<PatchFile> ParsePatch(std::string_view output);

// As git writes a name (quote.c): as it is, or in double quotes with escapes.
std::string QuotedName(std::string_view bytes);
// The inverse; what is malformed comes out as it is.
std::string UnquotedName(std::string_view text);

}  // namespace paddock::agentcore

// Changes of files, line by line: from the artifacts of git_diff and git_show, or from a unified diff in a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/tool_result.h"

namespace paddock::subagents {

struct DiffLine {
  char sign = ' ';       // ' ', '+' or '-'
  int64_t old_line = 0;  // 0 for an added one
  int64_t new_line = 0;  // 0 for a removed one
  std::string text;
};

struct Hunk {
  int64_t old_start = 1, new_start = 1;
  std::vector<DiffLine> lines;
};

struct FileDiff {
  std::string path;      // the new one, the old one where the file was removed
  std::string old_path;
  std::string status = "changed";  // added, removed, changed, renamed, copied, type, mode
  bool binary = false;
  std::vector<Hunk> hunks;
  std::string first_line = {};  // of the file, where somebody has read it: it may tell the language
  bool whole = true;  // false: some of its lines were not given
  int64_t added = -1, removed = -1;  // as whoever made the diff counted them, all of them; -1: not told

  int64_t Count(char sign) const;  // of the lines that were given
  int64_t Added() const { return added >= 0 ? added : Count('+'); }
  int64_t Removed() const { return removed >= 0 ? removed : Count('-'); }
};

// Of an artifact of kind "diff".
FileDiff ReadDiffArtifact(const agentcore::Artifact& artifact);
// The files of a unified diff, with text before, between and behind them. Empty where there is none. `left_out`: how many there are
// beyond those that are read.
std::vector<FileDiff> ReadUnifiedDiff(std::string_view text, int64_t* left_out = nullptr);

}  // namespace paddock::subagents

// What a diff of a file changes of its code: a comment, a docstring, blank lines, white space and the version's number
// are none.
#pragma once

#include <cstdint>
#include <vector>

#include "subagents/playbook/change_kinds.h"
#include "subagents/playbook/diff.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct ChangedCode {
  std::vector<int64_t> lines;  // in the order of the file as it is now; where lines only went, the one in their place
  bool only_adds = true;       // what was there before is still there
  bool only_text = true;       // nothing but what strings hold
  ChangeKind kind = ChangeKind::kIdle;   // that of the block that can do most
  std::vector<int64_t> telling;          // those of `lines` that are of a telling block
  std::vector<int64_t> gone;             // those of `lines` before which lines were only removed
};

// Where a line of the file before these hunks is behind them; *kept: it is still there.
int64_t LineBehind(const std::vector<Hunk>& hunks, int64_t line, bool* kept);

// `later`: what changed the same file since, the oldest first; `lines`: what was seen of it as it is now.
ChangedCode CodeChangedBy(const FileDiff& file, const std::vector<const FileDiff*>& later, const SeenLines* lines);

}  // namespace paddock::subagents

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
  std::vector<int64_t> lines;  // as the file is now; where lines only went, one beside their place
  bool only_adds = true;       // what was there before is still there
  bool only_text = true;       // nothing but what strings hold
  ChangeKind kind = ChangeKind::kIdle;   // that of the block that can do most
  std::vector<int64_t> telling;          // those of `lines` that are of a telling block
  std::vector<int64_t> gone;             // those of `lines` before which lines were only removed
  std::vector<int64_t> behind;           // ... behind which lines were removed, or brackets changed
  std::vector<int64_t> again;            // ... that were changed again since
};

// Where a line of the file before these hunks is behind them; *kept: it is still there.
int64_t LineBehind(const std::vector<Hunk>& hunks, int64_t line, bool* kept);

// `later`: what changed the same file since, the oldest first, and `in_order`: one upon the other, so that these lead to the line of now;
// else only what stands there with its words is taken for it. `lines`: what was seen of the file as it is now. What only imports, or stands
// nowhere any more, is no place.
ChangedCode CodeChangedBy(const FileDiff& file, const std::vector<const FileDiff*>& later, bool in_order, const SeenLines* lines);

}  // namespace paddock::subagents

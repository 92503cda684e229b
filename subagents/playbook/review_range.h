// Which changes a goal asks to be reviewed.
#pragma once

#include <string>
#include <string_view>

namespace paddock::subagents {

struct ReviewRange {
  enum class Kind { kDefault, kWorkingTree, kRange, kCommit } kind = Kind::kDefault;  // kDefault: the working tree, or if clean the last commit
  std::string from, to;  // kRange; kCommit: `to` alone
  std::string text;      // for people: "HEAD~3..HEAD"
};

ReviewRange ReadReviewRange(std::string_view goal);

}  // namespace paddock::subagents

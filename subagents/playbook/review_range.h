// Which changes a goal asks to be reviewed.
#pragma once

#include <string>
#include <string_view>

namespace paddock::subagents {

struct ReviewRange {
  enum class Kind { kDefault, kWorkingTree, kRange, kCommit } kind = Kind::kDefault;  // kDefault: the working tree, or if clean the last commit
  std::string from, to;  // kRange; kCommit: `to` alone
  std::string text;      // for people: "HEAD~3..HEAD"
  std::string why = {};  // why it was taken, where the goal didn't say it: "the goal names no revision"
  bool guess = false;    // one word of the goal, which may be a revision or not: only git can tell
};

ReviewRange ReadReviewRange(std::string_view goal);
// A goal of a single word, with "review" or the like before it: a tag or a branch, perhaps. kDefault where it is none.
ReviewRange GuessReviewRange(std::string_view goal);

}  // namespace paddock::subagents

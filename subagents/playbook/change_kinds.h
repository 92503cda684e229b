// How much a change of some lines can do: one of a qualifier, of what is logged or of a message breaks little, one of a condition, of an
// operator, of a number or of the order of what is there breaks what it always did.
#pragma once

#include <string>
#include <vector>

namespace paddock::subagents {

enum class ChangeKind { kIdle, kPlain, kTelling };

// Of lines of code, without those that are comments.
ChangeKind KindOfChange(const std::vector<std::string>& removed, const std::vector<std::string>& added);

}  // namespace paddock::subagents

// The tools that know names, by way of ctags. Lines are wire text, columns have a tab between them. Artifacts of kind
// "symbols" never count as read. Settings of ctags in the repository are not read; what ignore rules leave out, .git, links and
// files of more than 8 MiB are not looked at.
//
// outline: one artifact of kind "symbols" per file that has any, path = the file, lines by line number:
//     line, end (0: not known), kind (long name of ctags: function, class, ...), name, scope, signature
//   facts: language; of the first artifact also files (looked at), symbols (given), truncated, complete.
//
// find_symbol: the same of the definitions of a name, and of each then an "excerpt" with its first line, to cite.
//
// Without ctags on the machine both are a kUnsupported failure.
#pragma once

#include <memory>

#include "agentcore/tools/tool.h"

namespace paddock::agentcore {

std::unique_ptr<Tool> MakeOutline();
std::unique_ptr<Tool> MakeFindSymbol();

}  // namespace paddock::agentcore

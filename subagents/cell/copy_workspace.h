// For `paddock run` with a private copy of the workspace: paddock-cell under another name, started in the jail before the
// command and gone before it begins (sandbox/child/copier.h).
//
// Everything it reads is a stranger's; it has the command's own filter and limits, and nothing else to lose.
#pragma once

namespace paddock::subagents {

// argv: "paddock-copy", the original's folder, the copy's (there and empty). On descriptor 3 it says what is missing, one
// line each, a newline in a path written as '?':
//   left_out COUNT ERRNO PATH     so many can't be read, are too large, or are no files, folders or links; the first of them
//                                 and why (0: it is none of these, or lies too deep)
//   shows_host PATH         the copy was given up: that is of a file system of the kernel's own, mounted inside
//   copy ERRNO PATH         the copy was given up (ENOSPC: it doesn't fit)
// Exit status 0 when there is a copy.
[[noreturn]] void CopyWorkspace(int argc, char** argv);
inline constexpr char kCopyName[] = "paddock-copy";
inline constexpr int kCopyReportFd = 3;

}  // namespace paddock::subagents

// For `paddock run` with a private copy of the workspace: makes the copy inside the jail, then becomes the command.
//
// Everything it reads is a stranger's; it has the command's own filter, limits and view, and nothing else to lose.
#pragma once

namespace paddock::subagents {

// argv: "paddock-copy", the original's folder, the copy's (there and empty), the folder to start in, the program (a name
// without / is looked up in PATH), then the command's own words. On descriptor 3, which closes at exec, it says what
// went wrong, or was left out, one line each:
//   left_out COUNT PATH     so many files can't be read, are too large, or are no files, folders or links; the first of them
//   copy ERRNO PATH         the copy was given up (ENOSPC: it doesn't fit), and nothing was started
//   exec ERRNO PROGRAM      the command could not be started
// A newline in a path is written as '?'.
[[noreturn]] void CopyAndRun(int argc, char** argv);
inline constexpr char kCopyName[] = "paddock-copy";
inline constexpr int kCopyReportFd = 3;

}  // namespace paddock::subagents

// The tools that read a repository's history with git. All lines are wire text, columns have a tab between them, paths are path
// text. None of their artifacts counts as read: to cite a file, read it.
//
// The repository's own settings are not read, its hooks, filters, textconv, external diffs and aliases don't exist for these
// tools, replace refs, grafts, alternates and the commit graph are ignored (git_folder.h). The repository is the innermost one in
// which the path lies, where its git folder lies in the workspace too. One in which git would wait, for a FIFO say, is refused.
// What the profile hides is left out of changes and diffs and counted in facts.hidden, also what was renamed from such a name;
// asking for it by name is refused.
//
// git_log: one artifact of kind "commits", path = the path asked for, or ".". Lines, newest first:
//     id, date (of the author, ISO 8601, UTC; "unknown"), author, files, lines added, lines removed, subject
//   Merges count no files; "-" stands for the three counts where git could not compare the files. facts: truncated, next_offset
//   or null, total (commits; null when not counted to the end), hidden, uncounted (commits with "-").
//   With `changes`, then one of kind "changes": path, commits, lines added, lines removed, id of the latest; most commits first,
//   at most 500, over the commits that were listed and counted. facts: files, truncated.
//
// git_diff: one artifact of kind "listing", path = the path asked for, entries = changed files, facts: files, added, removed,
//   truncated, hidden, unreadable (tracked files that were left out: without permission, or no regular files any more). Then one
//   of kind "diff" per file, as far as there is room: path = the new path (the old one of what was removed), lines = its hunks:
//   "@@ -a,b +c,d @@ ...", then lines that begin with " ", "+", "-", or "\" (no newline at the end). facts: status (added, removed,
//   changed, renamed, copied, type, mode), old_path ("" but of what was renamed or copied), added, removed, binary (also what is
//   larger than 32 MiB), truncated (not all hunks), cut_lines (of which only the beginning is given). What is binary is seen by
//   what is in it, whatever .gitattributes say.
//
// git_show: a "commits" artifact with the one commit, facts: body (the rest of its message, wire text); then as git_diff, against
//   its first parent.
//
// git_blame: one artifact of kind "blame", path = the file. Lines, by line number: first, last, id, date, author, subject; of
//   lines that are in no commit the id is all zeros and the subject "not committed yet". facts: commits, truncated.
//
// A folder that is no repository, or a machine without git, is a kUnsupported failure.
#pragma once

#include <memory>

#include "agentcore/tools/tool.h"

namespace paddock::agentcore {

std::unique_ptr<Tool> MakeGitLog();
std::unique_ptr<Tool> MakeGitDiff();
std::unique_ptr<Tool> MakeGitShow();
std::unique_ptr<Tool> MakeGitBlame();

}  // namespace paddock::agentcore

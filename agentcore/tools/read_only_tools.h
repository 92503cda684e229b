// The three tools that only look: what each one's artifacts and facts are. All paths are path text, relative
// to the workspace; all lines are wire text.
//
// list_files: one artifact of kind "listing", path = the folder. entries: sorted by the bytes of their names, a folder
// ("src/") before what is in it. facts, counted over everything that was walked, also when entries are cut:
//   total, files, folders, symlinks, special (FIFOs, sockets, devices), ignored (a folder counts once),
//   unreadable (folders), too_deep, matched (entries that fit `pattern`), truncated, next_offset or null,
//   complete (false: some of the workspace was not seen), path_ignored (the folder itself is ignored),
//   odd (oddities.h: of all that was walked, also what doesn't fit `pattern`),
//   by_extension [[".py", 120], ...] (30, most first; "" for none), top_level [["src", files below], ...] (100,
//   most first), largest [[path, bytes], ...] (10), links [[path, target], ...] (50), special_paths (50).
//
// read_file: one artifact of kind "excerpt". facts: size (bytes), total_lines (null when not counted to the end),
//   next_offset or null, truncated, trailing_newline (null when the end was not seen), encoding (text_encoding.h),
//   converted (true: the lines are UTF-16 shown as UTF-8), line_endings ("lf", "crlf", "mixed", "none"; of what
//   was scanned), odd (only when it was written meanwhile). A line of which only the beginning is given is in `cut`. An empty file has no lines.
//
// search_text: first an artifact of kind "listing" (path = where, entries = files with matches) with facts:
//   files_searched, files_matched, matches, ignored, binary, unreadable, special, symlinks, cut_files (searched
//   in their first 8 MiB only), long_lines (searched in their first 16 KiB only), truncated, complete,
//   path_ignored, odd (closed files and folders, changes). With `ignored` and a glob, then one of kind "skipped" per reason for
//   which something that the glob takes was not searched whole, facts: why ("link", "folder link", "special", "unreadable",
//   "binary", "large", "long line"); entries: 200 paths, of links "path -> target". Then one "excerpt" per block of neighbouring lines, `matches` filled; facts: encoding, converted.
#pragma once

#include <memory>

#include "agentcore/tools/tool.h"

namespace paddock::agentcore {

inline constexpr size_t kMaxLineBytes = 4000;          // of one line in a result; more is cut
inline constexpr size_t kMaxSearchedBytes = 8u << 20;  // of one file
inline constexpr size_t kMaxSearchedLine = 16u << 10;  // of one line

std::unique_ptr<Tool> MakeListFiles();
std::unique_ptr<Tool> MakeReadFile();
std::unique_ptr<Tool> MakeSearchText();

}  // namespace paddock::agentcore

// The walk over the workspace that list_files and search_text share.
//
// Each folder's names are read at once and sorted by their bytes; a folder is visited before what is in it.
// .gitignore files and .git/info/exclude are honoured and `.git` is skipped at every depth, unless `ignored` wants
// them too; of git's own folders only the stores of objects are left out then. Links are reported and never followed. No recursion, at most 24 descriptors held (fewer where few are left), and bounds on entries, depth and rules, each
// of which is reported, as is what is out of the ordinary. The deadline is looked at after the first folder, so that there always is something.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "agentcore/tools/glob.h"
#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/oddities.h"
#include "agentcore/tools/tool_error.h"
#include "base/deadline.h"

namespace paddock::agentcore {

enum class EntryKind : uint8_t { kFile, kFolder, kSymlink, kFifo, kSocket, kDevice };
inline bool IsSpecial(EntryKind kind) { return kind >= EntryKind::kFifo; }

struct WalkEntry {
  std::string_view path;  // bytes, relative to the workspace; valid during the call
  EntryKind kind;
  int64_t level;  // 1 for what is directly in the start folder
  // Of a file, when details were asked for:
  uint64_t size;       // bytes
  uint64_t inode;      // 0 where the file has this name only
  uint32_t names;      // hard links
  bool for_everybody;  // all may read it, by its mode
};

struct WalkOptions {
  std::string start = ".";  // as WorkspacePath gives it
  int64_t max_level = 0;    // 0: all
  bool details = false;     // stat(2) of each file
  bool ignored = false;     // also what ignore rules leave out, and .git but for its objects
  const HiddenNames* hidden = nullptr;  // left out and counted; borrowed
  Deadline deadline = Deadline::Never();
  size_t max_names = 200'000;  // names read, ignored ones included
  int64_t max_depth = 1'000;   // folders below the start
};

struct WalkReport {
  int64_t ignored = 0;       // files and folders left out by .gitignore; a folder counts once
  int64_t git_folders = 0;   // entries named .git
  int64_t unreadable = 0;    // folders that could not be opened or read to their end
  int64_t too_deep = 0;      // folders not entered, or names left out, for depth or length
  std::string deep_example;  // the folder that holds the first of them, or is it; bytes
  int64_t no_descriptor = 0;  // folders that could not be opened for lack of descriptors
  bool start_ignored = false;
  bool names_capped = false;
  bool rules_capped = false;  // some ignore rules were too many or too long to hold
  bool deadline_passed = false;
  bool stopped = false;  // by the visitor
  Oddities odd;          // closed folders, changes, odd names, .git and .gitignore that are no such thing

  // Everything that may be seen was seen. (Rules that were not applied show more than there should be.)
  bool complete() const { return !names_capped && !deadline_passed && too_deep == 0 && no_descriptor == 0; }
  std::string Gaps() const;  // for people: what is missing, or ""
};

// Returns false to end the walk.
using WalkVisitor = std::function<bool(const WalkEntry&)>;

// Fails when the start folder can't be opened. `cost` carries the deadline and is shared with path filters.
ToolOutcome<WalkReport> Walk(int root_fd, const WalkOptions& options, GlobCost* cost, const WalkVisitor& visit);

}  // namespace paddock::agentcore

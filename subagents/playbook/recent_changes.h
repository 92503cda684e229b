// What was changed last in the places that are suspected: from git_log, git_blame and the working tree's own git_diff.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agentcore/model/model.h"
#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/change_kinds.h"
#include "subagents/playbook/diff.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// The newest change among lines that were blamed.
struct LastChange {
  int64_t first = 0, last = 0;  // that were blamed, one behind the other
  int64_t line = 0;
  std::string date;             // "~": not committed yet
  std::string text;             // "id, date, author: subject", or "nobody yet: not committed"
};

// What one of the last commits did to the code of a file (changed_code.h).
struct CodeChange {
  std::string commit;          // twelve digits of its id
  std::string subject;
  std::string date;
  int order = 0;               // among RecentChanges::commits
  int files = 1;               // of which it changed code
  std::vector<int64_t> lines;  // as they are numbered now
  bool only_adds = true;       // what was there before is still there
  bool only_text = false;      // nothing but what strings hold
  ChangeKind kind = ChangeKind::kPlain;
  std::vector<int64_t> telling, gone, behind, again;  // of `lines` (changed_code.h)
};

struct RecentChanges {
  std::vector<std::string> commits;                           // ids, newest first; merges and what changes nothing are none of them
  std::map<std::string, std::vector<CodeChange>> code;        // by path, the newest first, of the commits that were shown
  std::map<std::string, int> ago;                             // path → which of `commits` changed it last
  std::map<std::string, LastChange> last;                     // by path, of the lines that were asked for
  std::map<std::string, std::vector<int64_t>> uncommitted;    // path → lines of the code that differs from the last commit

  void Take(const agentcore::CallOutcome& outcome);
  // Which one the commit of this order is, and what was counted for that: "the last one", "3 before the last".
  std::string AgeOf(int order) const;
  // Tells code from comments by what has been seen of the files since: makes `code` and `uncommitted` anew.
  void Judge(const RepoView& view);
  // What is needed for that.
  void Ask(const RepoView& view, CallQueue* queue) const;

 private:
  struct Shown {
    CodeChange change;  // of the commit, without a file's own
    std::vector<FileDiff> files;
  };
  void TakeCommit(const agentcore::CallOutcome& outcome);
  std::vector<const FileDiff*> Since(int order, const std::string& path) const;

  std::map<int, Shown> shown_;  // by order
  std::vector<FileDiff> working_;
  size_t in_order_ = SIZE_MAX;  // commits above the first merge: one upon the other
};

}  // namespace paddock::subagents
